import { caseKey } from '@bench-cli/results';
import type { SucceededRun } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { empty, run, session } from '../../../test/support/recording.ts';
import { shortCases } from '../src/warning.ts';

const nanoseconds = { meanNs: 1, p50Ns: 1, p75Ns: 1, p99Ns: 1, p999Ns: 1, minNs: 1, maxNs: 1 };
const latency = { ...nanoseconds, samples: 9, operationsPerSample: 1 };

interface Recorded {
  /** Seconds of each run. */
  readonly times: readonly string[];
  readonly details?: Partial<Pick<SucceededRun, 'configuration' | 'latency'>>;
  readonly settings?: Partial<typeof session.request.settings>;
}

describe('the measured part of a case is short beside compilation', () => {
  it.each<[about: string, expected: boolean, recorded: Recorded]>([
    ['by the median of its runs', true, { times: ['0.009', '0.0099', '5'] }],
    ['not from 10 ms on', false, { times: ['0.001', '0.010', '0.011'] }],
    ['not without a count', false, { times: ['0.001'], details: { configuration: { size: 10 } } }],
    ['not if its count is a text', false, { times: ['0.001'], details: { configuration: { n: 'many' } } }],
    ['not if its operations are warmed up', false, { times: ['0.001'], details: { latency } }],
    ['not in test mode', false, { times: ['0.001'], settings: { test: true } }],
  ])('%s', (_, expected, { times, details, settings }) => {
    const runs = times.map((time, round): SucceededRun => ({ ...run, ...details, round, time }));
    const request = { ...session.request, settings: { ...session.request.settings, ...settings } };
    const short = shortCases([{ session: { ...session, request }, runs }]);
    expect(short.has(caseKey({ ...run, ...details }))).toBe(expected);
  });

  it('by the runs of all shards that succeeded', () => {
    const failure = { kind: 'threw', message: '', output: '' } as const;
    const failed = { ...empty, runs: [{ ...run, status: 'failed' as const, failure }] };
    expect([...shortCases([failed, { ...empty, runs: [run] }])]).toEqual([caseKey(run)]);
    expect([...shortCases([failed])]).toEqual([]);
  });
});
