/**
 * Measures how much each metric varies from run to run, beside the rate: the coefficient of variation over all runs of a case. The
 * runs of metrics are runs of their own, so their cost on the rate is none.
 *
 *     node packages/runner/bench/metric-noise.ts [runs=20] [benchmark...]
 *
 * Default: three benchmarks of this project's suite.
 */
import { join } from 'node:path';
import { metricNames } from '@bench-cli/results/settings';
import { createRequest, runSession } from '@bench-cli/runner';

const [runs = '20', ...given] = process.argv.slice(2);
const defaults = [
  ['url/url-parse.ts', 'type=short'],
  ['es/json.ts', 'payload=small'],
  ['events/ee-emit.ts', 'listeners=10', 'argc=4'],
];
const items = given.length > 0 ? given.map((file) => [file]) : defaults;

for (const [item = '', ...set] of items) {
  const values = new Map<string, Map<string, number[]>>();
  const add = (name: string, metric: string, value: number) => {
    const ofCase = values.get(name) ?? new Map<string, number[]>();
    values.set(name, ofCase.set(metric, [...(ofCase.get(metric) ?? []), value]));
  };
  const cwd = join(import.meta.dirname, '../../..');
  const { request } = await createRequest(
    'run',
    { node: {} },
    { items: [item], set, runs: Number(runs), metrics: metricNames, cwd },
  );
  for await (const event of runSession(request)) {
    if (event.type === 'run' && event.record.status === 'ok') {
      const { kind, configuration, values: measured } = event.record;
      for (const [metric, value] of Object.entries(measured))
        if ((metric === 'rate') === (kind === 'rate')) add(JSON.stringify(configuration), metric, value);
    } else if (event.type === 'failure') throw new Error(event.record.failure.message);
  }
  for (const [name, ofCase] of values) {
    const cells = Array.from(ofCase, ([metric, all]) => `${metric} ${(variation(all) * 100).toFixed(2)} %`);
    console.log(`${item} ${name}: ${cells.join(', ')}`);
  }
}

/** Standard deviation over mean. */
function variation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return mean === 0 ? 0 : Math.sqrt(squares / (values.length - 1)) / mean;
}
