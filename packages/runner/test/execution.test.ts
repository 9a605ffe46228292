import { ReportedMetrics } from '@bench-cli/results';
import type { FailedRun, RunRecord, SucceededRun } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { executeRuns } from '../src/execution/executor.ts';
import { givenUpCases } from '../src/execution/given-up.ts';
import type { ScheduledRun } from '../src/plan/schedule.ts';

type Outcome = Pick<SucceededRun, 'status' | 'values' | 'time'> | Pick<FailedRun, 'status' | 'failure'>;

const ok: Outcome = { status: 'ok', values: { rate: 1 }, time: '1.0' };
const failed: Outcome = { status: 'failed', failure: { kind: 'exit', message: 'exited', output: '' } };

const recordOf = (run: ScheduledRun, outcome: Outcome): RunRecord => {
  const fields = { type: 'run', kind: 'rate', startedAt: '2026-01-01T12:00:00.000Z', durationMs: 5 } as const;
  return { ...fields, ...run, ...outcome };
};

const subjects = ['old', 'new'];
const configurations = [{ n: 1 }, { n: 2 }];

/** Executes all runs of the first rounds. Every second round has the reverse order of subjects. */
async function executed(
  outcome: (run: ScheduledRun) => Outcome,
  rounds: number,
  recorded: (run: ScheduledRun) => readonly RunRecord[] | undefined = () => undefined,
) {
  const events: SessionEvent[] = [];
  const names: string[] = [];
  const execute = async (run: ScheduledRun): Promise<[RunRecord]> => {
    names.push(`${run.round} n=${run.configuration['n']} ${run.subject}`);
    return [recordOf(run, outcome(run))];
  };
  const runs = Array.from({ length: rounds }, (_, round) => {
    const order = round % 2 === 0 ? subjects : subjects.toReversed();
    return configurations.flatMap((configuration) =>
      order.map((subject) => ({ benchmark: 'g/b.ts', configuration, subject, round })),
    );
  });
  await executeRuns(
    runs.flat(),
    { execute },
    {
      givenUp: givenUpCases(() => subjects),
      open: {
        emit: async (event) => void events.push(event),
        recorded: (_kind, run) => recorded(run),
        reported: new ReportedMetrics(),
        sessionFiles: { later: () => undefined },
        signal: new AbortController().signal,
      },
    },
  );
  return { events, names };
}

describe('executing runs', () => {
  it('tells the start and the record of each run, and continues after one that fails once', async () => {
    const { events, names } = await executed(({ round }) => (round === 1 ? failed : ok), 3);
    const scheduled = { benchmark: 'g/b.ts', configuration: { n: 1 }, subject: 'old', round: 0 };
    expect(events.slice(0, 2)).toEqual([
      { type: 'start', run: scheduled },
      { type: 'run', resumed: false, record: recordOf(scheduled, ok) },
    ]);
    expect(names).toHaveLength(12);
  });

  it('gives up a configuration under all subjects when it fails twice in a row under one', async () => {
    const isBroken = ({ subject, configuration: { n } }: ScheduledRun) => subject === 'new' && n === 1;
    const { events, names } = await executed((run) => (isBroken(run) ? failed : ok), 4);
    const ofFirst = names.filter((name) => name.includes('n=1'));
    expect(ofFirst).toEqual(['0 n=1 old', '0 n=1 new', '1 n=1 new']);
    expect(names).toHaveLength(ofFirst.length + 8);
    expect(events.filter(({ type }) => type === 'give up')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'skip')).toHaveLength(5);
  });

  it('counts recorded failures, so that a resumed session decides like an uninterrupted one', async () => {
    const former = (run: ScheduledRun) => (run.round < 2 ? [recordOf(run, failed)] : undefined);
    const { names } = await executed(() => ok, 4, former);
    expect(names).toEqual([]);
  });
});

it.each<[what: string, hasBaseline: boolean, failing: string[], givenUp: string[]]>([
  ['a subject that fails is given up alone', true, ['b'], ['b']],
  ['all subjects are given up with the baseline', true, ['a'], ['a', 'b', 'c']],
  ['the baseline is given up with the last other subject', true, ['b', 'c'], ['a', 'b', 'c']],
  ['each is given up by itself if none is the baseline', false, ['a'], ['a']],
])('of more than two subjects, %s', (_, hasBaseline, failing, expected) => {
  const givenUp = givenUpCases(() => ['a', 'b', 'c'], hasBaseline);
  const run = { benchmark: 'g/b.ts', configuration: { n: 1 }, subject: 'a', round: 0 };
  for (const round of [0, 1]) for (const subject of failing) givenUp.take({ ...run, subject, round }, true);
  expect(['a', 'b', 'c'].filter((name) => givenUp.has(run, name))).toEqual(expected);
  expect(givenUp.has(run, 'not planned')).toBe(true);
});
