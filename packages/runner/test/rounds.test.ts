import { ReportedMetrics } from '@bench-cli/results';
import type { RunRecord, SucceededRun } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import type { Executor } from '../src/execution/executor.ts';
import { givenUpCases } from '../src/execution/given-up.ts';
import { Rounds } from '../src/execution/round.ts';
import type { ScheduledRun } from '../src/plan/schedule.ts';

const subjects = ['old', 'new'];
const round = (at: number): readonly ScheduledRun[] =>
  subjects.map((subject) => ({ benchmark: 'g/b.ts', configuration: { n: 1 }, subject, round: at }));

/** What a look records of a process, or the message of its failure. */
type Look = Pick<SucceededRun, 'activity' | 'sampling'> | string;
const activity = (busy: number, heapBytes = 1) => ({ activity: { busy, heapBytes } });
const busy = activity(0.95);
const idle = activity(0.2);

interface Case {
  /** The looks, in their order. */
  readonly looks?: readonly Look[];
  /** Whether a run in turns fails; `nth` counts how often the runs of its round were executed before. */
  readonly fails?: (run: ScheduledRun, nth: number) => boolean;
  /** The records of the session before it was interrupted. */
  readonly former?: readonly RunRecord[];
}

/** Executes three rounds without processes. Returns what was executed, and the events of the session. */
async function executed({ looks = [], fails = () => false, former = [] }: Case) {
  const ways: string[] = [];
  const left = [...looks];
  const recordOf = (run: ScheduledRun, failure?: string, details: Partial<SucceededRun> = {}): RunRecord => {
    const startedAt = `2026-01-01T12:00:${ways.length}`;
    const fields = { type: 'run', kind: 'rate', startedAt, durationMs: 5, ...run } as const;
    return failure === undefined
      ? { ...fields, status: 'ok', values: { rate: 1 }, time: '1.0', ...details }
      : { ...fields, status: 'failed', failure: { kind: 'threw', message: failure, output: '' } };
  };
  const executor: Executor = {
    async execute(run) {
      ways.push(`${run.round} ${run.subject} alone`);
      return [recordOf(run)];
    },
    turns: () => ({
      async look(run) {
        ways.push(`look at ${run.subject}`);
        const look = left.shift() ?? 'no look is due';
        return [typeof look === 'string' ? recordOf(run, look) : recordOf(run, undefined, look)];
      },
      async execute(runs) {
        const way = `${runs[0]?.round} in turns`;
        const nth = ways.filter((each) => each === way).length;
        ways.push(way);
        return runs.map((run) => [recordOf(run, fails(run, nth) ? 'in use' : undefined, { inTurns: true })]);
      },
    }),
  };
  const events: SessionEvent[] = [];
  const rounds = new Rounds(givenUpCases(() => subjects));
  await rounds.execute([0, 1, 2].map(round), executor, {
    emit: async (event) => void events.push(event),
    recorded: (kind, run) => {
      const found = former.filter(
        (record) => record.kind === kind && record.round === run.round && record.subject === run.subject,
      );
      return found.length === 0 ? undefined : found;
    },
    reported: new ReportedMetrics(),
    sessionFiles: { later: () => undefined },
    signal: new AbortController().signal,
  });
  const records = events.flatMap((event) => (event.type === 'run' ? event.record : []));
  const counted = records.map(
    (record) => `${record.kind} ${record.round} ${record.subject} ${record.status}`,
  );
  const warnings = events.flatMap((event) => (event.type === 'warning' ? event.message : []));
  return { ways, records, counted, warnings };
}

const looksAtBoth = ['look at old', 'look at new'];
const inTurns = ['0 in turns', '1 in turns', '2 in turns'];
const alone = [0, 1, 2].flatMap((at) => subjects.map((subject) => `${at} ${subject} alone`));
const ratesOf = (rounds: readonly number[]) =>
  rounds.flatMap((at) => subjects.map((subject) => `rate ${at} ${subject} ok`));
const counts = ['look 0 old ok', 'look 0 new ok'];

describe('the rounds of a case', () => {
  it('take turns if the processes of both subjects keep a CPU busy, after a look that does not count', async () => {
    const { ways, counted } = await executed({ looks: [busy, busy] });
    expect(ways).toEqual([...looksAtBoth, ...inTurns]);
    expect(counted).toEqual([...counts, ...ratesOf([0, 1, 2])]);
  });

  it.each<[what: string, looks: readonly Look[]]>([
    ['waits', [idle, busy]],
    ['waits under the second subject', [busy, idle]],
    ['collects much garbage', [activity(0.95, 65 << 20), busy]],
  ])('do not take turns if a process %s, and the look counts', async (_, looks) => {
    const { ways, counted } = await executed({ looks });
    expect(ways).toEqual([...looksAtBoth, ...alone.slice(2)]);
    expect(counted).toEqual(ratesOf([0, 1, 2]));
  });

  it.each([
    ['0.95', busy, inTurns],
    ['0.7', activity(0.7), alone.slice(2)],
  ])(
    'have a second look, and no third one, at a process that is nearly busy: then %s',
    async (_, second, rest) => {
      const { ways } = await executed({ looks: [activity(0.7), second, busy] });
      expect(ways).toEqual(['look at old', ...looksAtBoth, ...rest]);
    },
  );

  it('repeat runs of a look that were shorter than a pilot', async () => {
    const short = { ...idle, sampling: { warmUpMs: 100, measuredMs: 50 } };
    const { ways, counted } = await executed({ looks: [short, short] });
    expect(ways).toEqual([...looksAtBoth, ...alone]);
    expect(counted).toEqual([...counts, ...ratesOf([0, 1, 2])]);
  });

  it('count a run that fails in a look', async () => {
    const { ways, counted } = await executed({ looks: ['no', busy] });
    expect(ways).toEqual([...looksAtBoth, ...alone.slice(2)]);
    expect(counted).toEqual(['rate 0 old failed', 'rate 0 new ok', ...ratesOf([1, 2])]);
  });

  it('run one after the other if processes fail beside each other, also when they were interrupted', async () => {
    const { ways, records, counted, warnings } = await executed({ looks: [busy, busy], fails: () => true });
    expect(ways).toEqual([...looksAtBoth, '0 in turns', '0 in turns', ...alone]);
    expect(counted).toEqual([...counts, ...ratesOf([0, 1, 2])]);
    expect(warnings).toEqual([expect.stringContaining('in use')]);
    const resumed = await executed({ former: records.slice(0, 3) });
    expect(resumed.ways).toEqual(alone.slice(1));
  });

  it('count a run that fails in turns only once, and go on in turns', async () => {
    const fails = ({ round: at, subject }: ScheduledRun, nth: number) =>
      at === 0 && subject === 'new' && nth === 0;
    const { ways, counted } = await executed({ looks: [busy, busy], fails });
    expect(ways).toEqual([...looksAtBoth, '0 in turns', ...inTurns]);
    expect(counted).toEqual([...counts, 'rate 0 old ok', 'rate 0 new failed', ...ratesOf([1, 2])]);
  });

  it('go on in turns after an interruption, with the record of a run whose partner had none', async () => {
    const whole = await executed({ looks: [busy, busy] });
    for (const recorded of [2, 3, 4, 5]) {
      const resumed = await executed({ former: whole.records.slice(0, recorded) });
      expect(resumed.ways).toEqual(inTurns.slice(Math.floor((recorded - 2) / 2)));
      expect(resumed.counted).toEqual(whole.counted);
      expect(resumed.records.slice(0, recorded)).toEqual(whole.records.slice(0, recorded));
    }
  });
});
