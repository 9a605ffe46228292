import { type Case, caseKey } from '../case.ts';
import { type PlanRecord, type RunRecord, scheduledConfiguration } from './line.ts';

/**
 * The random order of cases in a round. The number of each case depends only on the seed, the case and its
 * round, so that shards, lanes and a resumed session have the same order.
 * @param seed of the session, an integer below 2^32
 * @param roundOf counts from 0
 */
export function drawnOrder<Each extends Case>(
  cases: readonly Each[],
  seed: number,
  roundOf: (each: Each) => number,
): readonly Each[] {
  // Numbers, which are sorted fast: first the drawn place, and then that in the plan.
  const size = Math.max(2 ** 20, cases.length);
  const places = new Float64Array(cases.length);
  for (const [at, each] of cases.entries()) {
    // The orders of cases and those of subjects have different seeds.
    const place = drawn(mixed(hashOf(each) ^ ~seed), roundOf(each));
    places[at] = Math.floor((place * 2 ** 52) / size) * size + at;
  }
  const order: Each[] = [];
  for (const place of places.sort()) {
    const each = cases[place % size];
    if (each !== undefined) order.push(each);
  }
  return order;
}

/** Sorts runs by round, and within a round by the plan. @param subjects their names */
export function byPlan(
  { benchmarks }: Pick<PlanRecord, 'benchmarks'>,
  subjects: readonly string[],
): (runs: readonly RunRecord[]) => RunRecord[] {
  const cases = benchmarks.flatMap(({ name: benchmark, configurations }) =>
    configurations.map((configuration) => caseKey({ benchmark, configuration })),
  );
  const places = new Map(cases.map((key, at) => [key, at]));
  const placeOf = (run: RunRecord) => {
    const configuration = scheduledConfiguration(run);
    const place = places.get(caseKey({ benchmark: run.benchmark, configuration })) ?? cases.length;
    // The versions of a bisection have no index.
    const subject = subjects.indexOf(run.subject);
    return { run, place, subject: subject < 0 ? subjects.length : subject };
  };
  return (runs) =>
    runs
      .map(placeOf)
      .sort((a, b) => a.run.round - b.run.round || a.place - b.place || a.subject - b.subject)
      .map(({ run }) => run);
}

/**
 * Returns a function that gives the order of the subjects of a case in a round, counted from 0. Orders are
 * random, so that no rhythm of the machine coincides with the rounds, and depend only on the arguments.
 *
 * A block has four rounds for each subject: all rotations of a random order, forwards and backwards, twice,
 * in random order. So each subject has each place equally often, and precedes each other subject as often as
 * it follows. In simulations of two subjects, shorter blocks had more false verdicts by rhythms of four runs,
 * and longer blocks by rhythms of two.
 * @param seed of the session, an integer below 2^32
 */
export function subjectOrders<Subject>(
  subjects: readonly Subject[],
  seed: number,
  of: Case,
): (round: number) => readonly Subject[] {
  const { length } = subjects;
  const size = 4 * length;
  const ownSeed = mixed(hashOf(of) ^ seed);
  return (round) => {
    const block = mixed(ownSeed + Math.floor(round / size));
    const rotation = shuffledPlace(round % size, size, block);
    const step = rotation % (2 * length) < length ? 1 : length - 1;
    return subjects.map((subject, at) => {
      const place = (rotation + at * step) % length;
      return subjects[shuffledPlace(place, length, ~block)] ?? subject;
    });
  };
}

const hashes = new WeakMap<Case, number>();

/** A number for each case, in all sessions. Remembered, because it takes longer than the orders. */
function hashOf(of: Case): number {
  const known = hashes.get(of);
  if (known !== undefined) return known;
  let hash = 0;
  for (const character of caseKey(of)) hash = mixed(hash ^ (character.codePointAt(0) ?? 0));
  hashes.set(of, hash);
  return hash;
}

/** The original place of an item of a shuffled list: reverses the swaps of Fisher and Yates. */
function shuffledPlace(place: number, length: number, seed: number): number {
  const swappedWith = (at: number) => at + Math.floor(drawn(seed, at) * (length - at));
  let before = swappedWith(place);
  for (let at = place - 1; at >= 0; at--) if (swappedWith(at) === before) before = at;
  return before;
}

/** A number of a random stream, at least 0 and below 1: SplitMix with 32 bits. */
export function drawn(seed: number, at: number): number {
  return mixed(seed + Math.imul(at + 1, 0x9e3779b9)) / 2 ** 32;
}

/** The final mix of MurmurHash3: all bits of the result depend on all bits of the number. */
function mixed(bits: number): number {
  const once = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
