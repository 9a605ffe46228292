import { caseKey, casesWhere, parseCondition, UsageError } from '@bench-cli/results';
import { rateTables, showMetrics } from '../session/rate-tables.ts';
import type { Terminal } from '../terminal.ts';
import { readSamples } from './results-file.ts';

/** Shows the mean rates of one subject as `run` does: tables that rank tasks and values of parameters, and metrics. */
export async function showRates(
  file: string | undefined,
  where: readonly string[],
  terminal: Terminal,
): Promise<0> {
  const { samples, recordings } = await readSamples(file, terminal);
  const conditions = where.map(parseCondition);
  const cases = Map.groupBy(casesWhere(samples, conditions), caseKey);
  if (cases.size === 0)
    throw new UsageError('ERR_BENCH_NO_RUN', 'there is nothing to show: no run succeeded');
  const [recording] = recordings;
  const { files = [], runs: rule = 0 } = recording?.session.request ?? {};
  const tables = rateTables(terminal, files, typeof rule === 'number' ? undefined : rule.maxRuns);
  const rated = Array.from(cases.values()).flatMap((ofCase) => {
    const rates = ofCase.flatMap((each) => Array.from(each.rates));
    return ofCase.slice(0, 1).map((first) => ({ ...first, rates, first }));
  });
  await tables.show(rated);
  await tables.end();
  if (recording !== undefined) {
    const succeeded = (kind: 'runs' | 'metricRuns') =>
      recordings.flatMap((each) =>
        each[kind].flatMap((run) => (run.status === 'ok' && cases.has(caseKey(run)) ? run : [])),
      );
    const [runs, metricRuns] = [succeeded('runs'), succeeded('metricRuns')];
    await showMetrics({ session: recording.session, runs, metricRuns }, terminal);
  }
  return 0;
}
