/** The message of a thrown value on one line, with its cause, which fetch has instead of a message. */
export function errorText(thrown: unknown): string {
  const cause = thrown instanceof Error && thrown.cause !== undefined ? ` (${lineOf(thrown.cause)})` : '';
  return `${lineOf(thrown)}${cause}`;
}

function lineOf(thrown: unknown): string {
  const text =
    thrown instanceof Error
      ? `${thrown.name}: ${thrown.message || ('code' in thrown ? thrown.code : '(no message)')}`
      : String(thrown);
  return text
    .replace(/^Error: /, '')
    .replace(/\s+/g, ' ')
    .trim();
}
