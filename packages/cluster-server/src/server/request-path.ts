/** Requests below it are counted by their path, so that a comparison can tell its own from everybody else's. */
const tagged = '/tag/';
/** Asks how many requests a tagged path has got. */
const tally = '/tally/';

/** A path whose requests are counted by themselves. */
export function taggedPath(tag: string): string {
  return `${tagged}${tag}`;
}

export function tallyPath(tag: string): string {
  return `${tally}${tag}`;
}

/** The tag of a path, if it has one. */
export function tagOf(path: string): string | undefined {
  return path.startsWith(tagged) ? path.slice(tagged.length) : undefined;
}

/** The tag that a path asks about, if it does. */
export function tallyTagOf(path: string): string | undefined {
  return path.startsWith(tally) ? path.slice(tally.length) : undefined;
}
