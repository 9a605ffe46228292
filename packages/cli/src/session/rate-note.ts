import type { LoadLatency } from '@bench-cli/core';
import type { SucceededRun } from '@bench-cli/results/recording';
import { percentage } from '@bench-cli/results/settings';

/** The latency of the answers of a run, to follow its rate; empty without a load. */
export function latencyNote({ load }: Pick<SucceededRun, 'load'>): string {
  const text = load === undefined ? '' : latencyText(load.latency);
  return text === '' ? '' : ` (${text})`;
}

/** The percentiles of a latency on one line: `p50 0.41 ms, p90 0.73 ms`. Empty if the load tool does not report any. */
export function latencyText({ p50Ms, p90Ms, p99Ms, p999Ms }: LoadLatency): string {
  const figures = [
    ['p50', p50Ms],
    ['p90', p90Ms],
    ['p99', p99Ms],
    ['p99.9', p999Ms],
  ] as const;
  return figures
    .flatMap(([name, ms]) => (ms === null ? [] : `${name} ${Number(ms.toPrecision(3))} ms`))
    .join(', ');
}

export function precisionInterval({ errorRate }: { readonly errorRate: number }): string {
  return `repeated ${percentage
    .write(1 - errorRate)
    .join()
    .replace('%', ' %')} interval of the mean logarithm of the rate, valid at every look`;
}
