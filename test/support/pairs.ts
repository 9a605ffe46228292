import { caseOfText, type SamplePair } from '@bench-cli/results';

/** The rates of one case, whose configuration is a text such as `len=16`. */
export function pairOf(
  benchmark: string,
  text: string,
  old: readonly number[],
  new_: readonly number[],
): SamplePair {
  return { ...caseOfText(benchmark, text), old, new: new_ };
}
