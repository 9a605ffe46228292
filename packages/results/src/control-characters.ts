/** Control characters except tab and line feed, and those that change the direction of text. */
const controls = /(?![\t\n])[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Shows control characters as text, such as `\x1b`. */
export function visibleControls(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.charCodeAt(0).toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u${code.padStart(4, '0')}`;
  });
}
