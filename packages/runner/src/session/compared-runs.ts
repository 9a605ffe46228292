import { caseCount, newBenchmarks, samplePairs } from '@bench-cli/results';
import type { PlanRecord, SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import type { ComparisonList } from '@bench-cli/stats';

/** Judges the runs of a session that compares. */
export async function compareRuns(
  { subjects, runs: wanted }: Pick<SessionRequest, 'subjects' | 'runs'>,
  plan: PlanRecord | undefined,
  runs: readonly SucceededRun[],
): Promise<ComparisonList> {
  const { compareFixed, compareSequentially } = await import('@bench-cli/stats');
  const isNew = newBenchmarks(plan);
  const compared = runs.filter(({ benchmark }) => !isNew.has(benchmark));
  const names = subjects.map(({ name }) => name);
  const pairs = samplePairs(compared, names);
  if (typeof wanted === 'number') return compareFixed(pairs);
  const cases = plan && caseCount(plan);
  return compareSequentially({ runs: compared, subjects: names, options: wanted, cases }, pairs);
}
