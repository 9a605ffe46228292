/** `1 run`, `2,000 runs`. */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  // The first localized number takes ten milliseconds.
  const text = count < 1000 ? String(count) : count.toLocaleString('en');
  return `${text} ${count === 1 ? noun : nouns}`;
}

/** The first names of a list, and the number of further names. */
export function shortList(names: readonly string[]): string {
  return `${names.slice(0, 3).join('; ')}${names.length > 3 ? `; and ${names.length - 3} more` : ''}`;
}
