import { type Case, caseKey } from '../case.ts';

/**
 * Returns a function that gives the order of the subjects of a case in a round, counted from 0. Orders are drawn, so that no rhythm
 * of the machine can be that of the rounds, and depend on nothing but the arguments.
 *
 * A block has four rounds for each subject: all rotations of a drawn order, forwards and backwards, twice, one after the other in
 * drawn order. So each subject has each place equally often, and is as often before each other one as after it. In simulations of
 * two subjects, shorter blocks had more false verdicts by rhythms of four runs, and longer ones by rhythms of two.
 * @param seed of the session, an integer below 2^32
 */
export function subjectOrders<Subject>(
  subjects: readonly Subject[],
  seed: number,
  of: Case,
): (round: number) => readonly Subject[] {
  const { length } = subjects;
  const size = 4 * length;
  let seedOfCase = seed;
  for (const character of caseKey(of)) seedOfCase = mixed(seedOfCase ^ (character.codePointAt(0) ?? 0));
  return (round) => {
    const block = mixed(seedOfCase + Math.floor(round / size));
    const rotation = shuffledPlace(round % size, size, block);
    const step = rotation % (2 * length) < length ? 1 : length - 1;
    return subjects.map((subject, at) => {
      const place = (rotation + at * step) % length;
      return subjects[shuffledPlace(place, length, ~block)] ?? subject;
    });
  };
}

/** Where an item of a shuffled list was before: follows the swaps of Fisher and Yates back. */
function shuffledPlace(place: number, length: number, seed: number): number {
  const swappedWith = (at: number) => at + Math.floor(draw(seed, at) * (length - at));
  let before = swappedWith(place);
  for (let at = place - 1; at >= 0; at--) if (swappedWith(at) === before) before = at;
  return before;
}

/** A number of the stream of a seed, at least 0 and below 1: SplitMix, with 32 bits. */
function draw(seed: number, at: number): number {
  return mixed(seed + Math.imul(at + 1, 0x9e3779b9)) / 2 ** 32;
}

/** The final mix of MurmurHash3: all bits of the result depend on all bits of the number. */
function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
