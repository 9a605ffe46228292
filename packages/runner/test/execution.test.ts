import { ReportedMetrics } from '@bench-cli/results';
import type { FailedRun, RunRecord, SucceededRun } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { type Executor, executeRuns } from '../src/execution/executor.ts';
import { givenUpCases } from '../src/execution/given-up.ts';
import type { ScheduledRun } from '../src/plan/schedule.ts';

type Outcome = Pick<SucceededRun, 'status' | 'values' | 'time'> | Pick<FailedRun, 'status' | 'failure'>;

const ok: Outcome = { status: 'ok', values: { rate: 1 }, time: '1.0' };
const failed: Outcome = { status: 'failed', failure: { kind: 'exit', message: 'exited', output: '' } };

const recordOf = (run: ScheduledRun, outcome: Outcome): RunRecord => {
  const fields = { type: 'run', kind: 'rate', startedAt: '2026-01-01T12:00:00.000Z', durationMs: 5 } as const;
  return { ...fields, ...run, ...outcome };
};

const benchmark = { name: 'g/b.ts', configurations: [{ n: 1 }, { n: 2 }] };

/** An executor with given outcomes, and the runs that it executes. */
function fakeExecutor(outcome: (run: ScheduledRun) => Outcome): Executor & { readonly executed: string[] } {
  const executed: string[] = [];
  const execute = async (run: ScheduledRun): Promise<[RunRecord]> => {
    executed.push(nameOf(run));
    return [recordOf(run, outcome(run))];
  };
  return { executed, execute };
}

function nameOf({ round, configuration, subject }: ScheduledRun): string {
  return `${round} n=${configuration['n']} ${subject}`;
}

/** All runs. Every second round has the reverse order of subjects. */
function runsOf(subjects: readonly string[], rounds: number): readonly ScheduledRun[] {
  const { name, configurations } = benchmark;
  return Array.from({ length: rounds }, (_, round) => {
    const order = round % 2 === 0 ? subjects : subjects.toReversed();
    return configurations.flatMap((configuration) =>
      order.map((subject) => ({ benchmark: name, configuration, subject, round })),
    );
  }).flat();
}

async function execute(
  executor: Executor,
  rounds: number,
  recorded: (run: ScheduledRun) => readonly RunRecord[] | undefined = () => undefined,
  subjects: readonly string[] = ['old', 'new'],
): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  await executeRuns(
    runsOf(subjects, rounds),
    executor,
    givenUpCases(() => subjects),
    {
      emit: async (event) => void events.push(event),
      recorded: (_kind, run) => recorded(run),
      reported: new ReportedMetrics(),
      sessionFiles: { later: () => undefined },
      signal: new AbortController().signal,
    },
  );
  return events;
}

describe('executing runs', () => {
  it('tells the start and the record of each run', async () => {
    const [start, run] = await execute(
      fakeExecutor(() => ok),
      1,
    );
    const scheduled = { benchmark: 'g/b.ts', configuration: { n: 1 }, subject: 'old', round: 0 };
    expect(start).toEqual({ type: 'start', run: scheduled });
    expect(run).toEqual({ type: 'run', resumed: false, record: recordOf(scheduled, ok) });
  });

  it('continues after a run that fails once', async () => {
    const executor = fakeExecutor(({ round }) => (round === 1 ? failed : ok));
    await execute(executor, 3);
    expect(executor.executed).toHaveLength(12);
  });

  it('gives up a configuration under all subjects when it fails twice in a row under one', async () => {
    const executor = fakeExecutor((run) =>
      run.subject === 'new' && run.configuration['n'] === 1 ? failed : ok,
    );
    const events = await execute(executor, 4);
    const executed = executor.executed.filter((name) => name.includes('n=1'));
    expect(executed).toEqual(['0 n=1 old', '0 n=1 new', '1 n=1 new']);
    expect(executor.executed.filter((name) => name.includes('n=2'))).toHaveLength(8);
    expect(events.filter(({ type }) => type === 'give up')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'skip')).toHaveLength(5);
  });

  it.each([
    ['a subject that fails is given up alone', ['b'], { a: 4, b: 2, c: 4 }],
    ['all subjects are given up with the baseline', ['a'], { a: 2, b: 2, c: 2 }],
    ['the baseline is given up with the last other subject', ['b', 'c'], { a: 1, b: 2, c: 2 }],
  ])('with more than two subjects, %s', async (_, failing, counts) => {
    const executor = fakeExecutor((run) => (failing.includes(run.subject) ? failed : ok));
    await execute(executor, 4, undefined, ['a', 'b', 'c']);
    const ran = executor.executed.filter((name) => name.includes('n=1')).map((name) => name.at(-1));
    expect(
      Object.fromEntries(['a', 'b', 'c'].map((name) => [name, ran.filter((it) => it === name).length])),
    ).toEqual(counts);
  });

  it('gives up each subject by itself if none is the baseline', () => {
    const givenUp = givenUpCases(() => ['a', 'b', 'c'], false);
    const run = { benchmark: 'g/b.ts', configuration: { n: 1 }, subject: 'a', round: 0 };
    for (const round of [0, 1]) givenUp.take({ ...run, round }, true);
    expect(['a', 'b', 'c', 'not planned'].map((name) => givenUp.has(run, name))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('counts recorded failures, so that a resumed session decides like an uninterrupted one', async () => {
    const former = (run: ScheduledRun): RunRecord[] | undefined =>
      run.round < 2 ? [recordOf(run, failed)] : undefined;
    const executor = fakeExecutor(() => ok);
    await execute(executor, 4, former);
    expect(executor.executed).toEqual([]);
  });
});
