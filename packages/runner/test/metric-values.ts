import type { RunRecord } from '@bench-cli/results/recording';
import { eventsIn, runsOf } from '../../../test/support/session-events.ts';
import { temporarySuite } from '../../../test/support/suite.ts';

/** The runs that measure metrics of benchmarks, two for each configuration. */
export async function measure(
  files: Readonly<Record<string, string>>,
  metrics: readonly string[],
): Promise<readonly RunRecord[]> {
  using suite = temporarySuite(files);
  return runsOf(await eventsIn(suite, { runs: 2, metrics }), 'metrics');
}

/** The values of one metric, in order. */
export function values(runs: readonly RunRecord[], name: string): readonly (number | undefined)[] {
  return runs.map((run) => (run.status === 'ok' ? run.values[name] : undefined));
}
