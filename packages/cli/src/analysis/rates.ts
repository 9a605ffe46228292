import { renderRunTable } from '@bench-cli/report';
import { caseKey, casesWhere, nameCase, parseCondition, UsageError } from '@bench-cli/results';
import { summarizeSample } from '@bench-cli/stats';
import type { Terminal } from '../terminal.ts';
import { readSamples } from './results-file.ts';

/** Shows the mean rates of one subject, a table for each benchmark. */
export async function showRates(
  file: string | undefined,
  where: readonly string[],
  terminal: Terminal,
): Promise<0> {
  const samples = casesWhere(await readSamples(file, terminal), where.map(parseCondition));
  if (samples.length === 0)
    throw new UsageError('ERR_BENCH_NO_RUN', 'there is nothing to show: no run succeeded');
  for (const [benchmark, its] of Map.groupBy(samples, (sample) => sample.benchmark)) {
    const rows = Array.from(Map.groupBy(its, caseKey).values()).flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const { n, mean, variance } = summarizeSample(
        [first, ...others].flatMap(({ rates }) => Array.from(rates)),
      );
      const spread = variance === null || mean === 0 ? null : Math.sqrt(variance) / mean;
      return { ...nameCase(first), rate: mean, spread, runs: n, note: '' };
    });
    terminal.result(`\n${renderRunTable(benchmark, rows, terminal.resultWidth)}`);
  }
  return 0;
}
