import { caseOfText, type SamplePair } from '@bench-cli/results';

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
