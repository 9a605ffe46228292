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

/** Leaves out the middle. The end stays as long as the start, because it distinguishes more names. */
export function shortened(
  text: string,
  most: number,
  size: (text: string) => number = characters,
  between = '…',
): string {
  if (size(text) <= most) return text;
  const all = Array.from(text);
  const room = most - size(between);
  const tail = whileFits(all.toReversed(), Math.ceil(room / 2), size).toReversed();
  return `${whileFits(all, room - size(tail.join('')), size).join('')}${between}${tail.join('')}`;
}

/** Shortens the middle of texts that are too long, and keeps the results distinct. */
export function shortenedApart(
  texts: readonly string[],
  most: number,
  size: (text: string) => number = characters,
): readonly string[] {
  const short = new Map(texts.map((text) => [text, shortened(text, most, size)]));
  for (const alike of Map.groupBy(short.keys(), (text) => short.get(text)).values()) {
    const [first = [], ...others] = alike.map((text) => Array.from(text));
    if (others.length === 0) continue;
    const start = first.findIndex((letter, at) => others.some((other) => other[at] !== letter));
    // The first text can be a prefix of all others.
    const same = start < 0 ? first.length : start;
    const rests = alike.map((text) => `…${Array.from(text).slice(same).join('')}`);
    // Without a start to leave out, only the start can differ.
    const shown =
      same > 1
        ? shortenedApart(rests, most, size)
        : rests.map((rest) => whileFits(Array.from(rest), most, size).join(''));
    // The start that they share distinguishes them from other texts.
    const room = most - Math.max(...shown.map(size));
    const head = whileFits(first.slice(0, same), room, size).join('');
    for (const [at, rest] of shown.entries()) short.set(alike[at] ?? '', `${head}${rest}`);
  }
  return texts.map((text) => short.get(text) ?? text);
}

function characters(text: string): number {
  return Array.from(text).length;
}

export function whileFits(
  all: readonly string[],
  most: number,
  size: (text: string) => number,
): readonly string[] {
  let used = 0;
  const end = all.findIndex((each) => {
    used += size(each);
    return used > most;
  });
  return end < 0 ? all : all.slice(0, end);
}
