import type { SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { runWarnings } from '../src/session/run-warning.ts';

function warningsAbout(jobs: readonly string[] | undefined, seconds: string): readonly string[] {
  const request: SessionRequest = {
    command: 'run',
    files: [],
    subjects: [],
    runs: 1,
    seed: 1,
    settings: { set: [], test: false, timeoutMs: 0, jobs, cwd: '/' },
  };
  const run: SucceededRun = {
    type: 'run',
    kind: 'rate',
    benchmark: 'g/a.js',
    configuration: {},
    subject: 'node',
    round: 0,
    startedAt: '2026-01-01T00:00:00.000Z',
    status: 'ok',
    values: { rate: 1 },
    time: seconds,
    durationMs: 1,
  };
  return runWarnings(run, request).map(({ about }) => about);
}

describe('short runs of jobs', () => {
  it('are warned about where a job has one CPU, on which their code is compiled too', () => {
    expect(warningsAbout(['0', '1'], '0.02')).toEqual(['CPUs of the jobs']);
    expect(warningsAbout(['1-2', '3'], '0.02')).toEqual(['CPUs of the jobs']);
  });

  it.each([
    ['a job has two CPUs', ['1-2', '3,4'], '0.02'],
    ['runs take a second', ['0', '1'], '1'],
    ['there are no jobs', undefined, '0.02'],
  ])('are not warned about if %s', (_, jobs, seconds) => {
    expect(warningsAbout(jobs, seconds)).toEqual([]);
  });
});
