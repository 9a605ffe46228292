import type { Fact } from '@bench-cli/report/page';
import { caseName } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';

/** The runs that failed, each with its message. */
export function failedRuns(recordings: readonly Recording[]): Fact[] {
  return recordings
    .flatMap(({ runs }) => runs)
    .filter((run) => run.status === 'failed')
    .map((run) => ({ name: `${caseName(run)} (${run.subject})`, value: run.failure.message }));
}

/** The benchmarks that could not be planned, set up or torn down, each with its message. */
export function failedBenchmarks(recordings: readonly Recording[]): Fact[] {
  const failures = recordings.flatMap(({ failures }) =>
    failures.map(({ benchmark, phase, subject, failure }) => ({
      name: `${benchmark} (${subject}, ${phase})`,
      value: failure.message,
    })),
  );
  // Every shard plans all benchmarks.
  return [...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values()];
}
