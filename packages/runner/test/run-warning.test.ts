import type { SucceededRun } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { noisySubjects, noisySuite } from '../../../test/support/noisy-suite.ts';
import { run, session } from '../../../test/support/recording.ts';
import { eventsIn, warningsOf } from '../../../test/support/session-events.ts';
import { loadResult } from '../../benchmarkers/test/load-result.ts';
import { runWarnings } from '../src/session/run-warning.ts';

function warningsAbout(
  jobs: readonly string[] | undefined,
  seconds: string,
  details: Pick<SucceededRun, 'load' | 'inTurns' | 'sampling'> = {},
): readonly string[] {
  const request = { ...session.request, settings: { ...session.request.settings, jobs } };
  const measured = { ...run, benchmark: 'g/a.js', configuration: {}, time: seconds, ...details };
  return runWarnings(measured, request).map(({ about }) => about);
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

const cpu = (cpuSeconds: number) => ({ cpuSeconds, busiestThread: cpuSeconds });
const load = (own: number, idleSeconds: number, othersSeconds: number): SucceededRun['load'] => ({
  ...loadResult(1),
  usage: {
    ...{ seconds: 1, tool: cpu(own), server: cpu(own), toolCpus: 2, sharesCpus: true },
    ...{ idleSeconds, othersSeconds },
  },
});

it.each([
  ['the tool and the server, if they use the CPUs', load(1, 0, 0), 'CPUs of the load'],
  ['other programs, if these use them', load(0.1, 0, 1.8), 'other programs'],
  ['the tool and the server, if a CPU is idle', load(0.1, 1.2, 0.6), 'CPUs of the load'],
])('a load on shared CPUs is warned about with %s', (_, result, about) => {
  expect(warningsAbout(undefined, '1', { load: result })).toEqual([about]);
});

describe('a pilot whose rate still rises at its end', () => {
  const pilotOf = (rateAt: (ms: number) => number) => ({
    sampling: {
      ...{ warmUpMs: 250, measuredMs: 1000 },
      pilot: {
        longestMs: 1000,
        windows: Array.from({ length: 83 }, (_, at) => [15 * (at + 1), rateAt(15 * at)] as const),
      },
    },
  });
  const rising = pilotOf((ms) => 1000 + ms);

  it('is warned about', () => {
    expect(warningsAbout(undefined, '1', rising)).toEqual(['warm-up of g/a.js']);
  });

  it.each([
    ['of a rate that is steady', pilotOf((ms) => (ms < 300 ? 500 : 1000))],
    ['in turns, where the ratio counts', { ...rising, inTurns: true as const }],
  ])('is not warned about: %s', (_, details) => {
    expect(warningsAbout(undefined, '1', details)).toEqual([]);
  });
});

it.each([
  [1, false],
  [4, true],
  [6, true],
  [7, false],
])(
  'runs that are too few to rank: %i of each of three alternatives: a warning before the first run is %s',
  async (runs, isWarned) => {
    const alike = { ratio: 1, noise: 0.01 };
    using suite = noisySuite({ a: alike, b: alike, c: alike });
    const out = suite.path('results.jsonl');
    const { old } = noisySubjects(out);
    const events = await eventsIn(suite, { subjects: { node: old }, scripted: suite.scripted, runs, out });
    const ranks = (text: string) => /cannot show which is faster: measure with --runs 7 or more/.test(text);
    expect(warningsOf(events).some(ranks)).toBe(isWarned);
    const [at, first] = ['warning', 'start'].map((type) => events.findIndex((event) => event.type === type));
    if (isWarned) expect(at).toBeLessThan(first ?? 0);
  },
);
