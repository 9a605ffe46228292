import { type ComparedRun, caseOfText, type SamplePair } from '@bench-cli/results';

/** The names of the two subjects of most tests, the baseline first. */
export const oldAndNew = ['old', 'new'] as const;

/** The rates of one case, whose configuration is a text such as `len=16`. */
export function pairOf(
  benchmark: string,
  text: string,
  old: readonly number[],
  new_: readonly number[],
): SamplePair {
  return { ...caseOfText(benchmark, text), baseline: 'old', subject: 'new', old, new: new_ };
}

/** The runs of pairs of an old and a new subject: the rates of each in the order of its rounds. */
export function runsOfPairs(pairs: readonly SamplePair[]): ComparedRun[] {
  return pairs.flatMap(({ benchmark, configuration, ...rates }) =>
    oldAndNew.flatMap((subject) =>
      Array.from(rates[subject], (rate, round) => ({
        ...{ benchmark, configuration, subject, round },
        values: { rate },
      })),
    ),
  );
}
