import { ReportedMetrics } from '@bench-cli/results';
import type { RunRecord, SucceededRun } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import type { Executor, RoundContext } from '../src/execution/executor.ts';
import { givenUpCases } from '../src/execution/given-up.ts';
import { Rounds } from '../src/execution/round.ts';
import type { ScheduledRun } from '../src/plan/schedule.ts';

const subjects = ['old', 'new'];
const round = (at: number, n = 1, of = subjects): readonly ScheduledRun[] =>
  of.map((subject) => ({ benchmark: 'g/b.ts', configuration: { n }, subject, round: at }));
const firstRoundsOfTwo = (of = subjects) => [1, 2].map((n) => round(0, n, of));

/** What a look records of a process, or the message of its failure. */
type Look = Partial<Pick<SucceededRun, 'activity' | 'sampling' | 'values'>> | string;
const activity = (busy: number, heapBytes = 1) => ({ activity: { busy, heapBytes } });
const busy = activity(0.95);
const idle = activity(0.2);
/** Busy with something that the processes of a case in turns must not do. */
const busyWith = (more: Partial<NonNullable<SucceededRun['activity']>>) => ({
  activity: { ...busy.activity, ...more },
});

const sideOf = (run: Pick<ScheduledRun, 'configuration' | 'subject'>) =>
  JSON.stringify([run.configuration, run.subject]);

interface Case {
  /** The looks, in their order. */
  readonly looks?: readonly Look[];
  /** What runs in turns without a look record of their processes, in their order. */
  readonly seen?: readonly Look[];
  /** What other runs in turns record, for each subject. */
  readonly timed?: Readonly<Record<string, Look>>;
  /** What runs in long slices record, in their order. */
  readonly slow?: readonly Look[];
  /** Whether a run in turns fails; `nth` counts how often the runs of its round were executed before. */
  readonly fails?: (run: ScheduledRun, nth: number) => boolean;
  /** The records of the session before it was interrupted. */
  readonly former?: readonly RunRecord[];
  readonly rounds?: readonly (readonly ScheduledRun[])[];
}

/** Executes rounds without processes, three of one case by default. Returns what was executed, and the events of the session. */
async function executed({
  looks = [],
  seen = [],
  timed = {},
  slow = [],
  fails = () => false,
  former = [],
  rounds = [0, 1, 2].map((at) => round(at)),
}: Case) {
  const ways: string[] = [];
  const left = [...looks];
  const leftInTurns = [...seen];
  const leftInSlices = [...slow];
  const recordOf = (run: ScheduledRun, failure?: string, details: Partial<SucceededRun> = {}): RunRecord => {
    const startedAt = `2026-01-01T12:00:${ways.length}`;
    const fields = { type: 'run', kind: 'rate', startedAt, durationMs: 5, ...run } as const;
    return failure === undefined
      ? { ...fields, status: 'ok', values: { rate: 1 }, time: '1.0', ...details }
      : { ...fields, status: 'failed', failure: { kind: 'threw', message: failure, output: '' } };
  };
  const lookOf = (run: ScheduledRun, look: Look = 'nothing is due') =>
    typeof look === 'string' ? recordOf(run, look) : recordOf(run, undefined, look);
  const executor: Executor = {
    async execute(run) {
      ways.push(`${run.round} ${run.subject} alone`);
      return [recordOf(run)];
    },
    turns: () => ({
      async look(run, _signal, forRate = false) {
        ways.push(`look at ${run.subject}${forRate ? ' for its rate' : ''}`);
        return [lookOf(run, left.shift())];
      },
      async execute(runs, _signal, kind) {
        if (kind === 'long slices') {
          ways.push(kind);
          return runs.map((run) => [lookOf(run, leftInSlices.shift())] as const);
        }
        const way = `${runs[0]?.round} in turns`;
        const nth = ways.filter((each) => each === way).length;
        ways.push(kind ? `${way} as a ${kind}` : way);
        return runs.map((run) => {
          const look = (kind ? leftInTurns.shift() : undefined) ?? timed[run.subject] ?? {};
          const failure = typeof look === 'string' ? look : fails(run, nth) ? 'in use' : undefined;
          return [recordOf(run, failure, { inTurns: true, ...(typeof look === 'object' && look) })];
        });
      },
    }),
  };
  const events: SessionEvent[] = [];
  const names = [...new Set([...subjects, ...rounds.flatMap((round) => round.map((run) => run.subject))])];
  const open: RoundContext['open'] = {
    emit: async (event) => void events.push(event),
    recorded: (kind, run) => {
      const found = former.filter(
        (record) => record.kind === kind && record.round === run.round && sideOf(record) === sideOf(run),
      );
      return found.length === 0 ? undefined : found;
    },
    reported: new ReportedMetrics(),
    sessionFiles: { later: () => undefined },
    signal: new AbortController().signal,
  };
  await new Rounds().execute(rounds, executor, { open, givenUp: givenUpCases(() => names) });
  const records = events.flatMap((event) => (event.type === 'run' ? event.record : []));
  const counted = records.map(
    (record) => `${record.kind} ${record.round} ${record.subject} ${record.status}`,
  );
  const warnings = events.flatMap((event) => (event.type === 'warning' ? event.message : []));
  return { ways, records, counted, warnings };
}

const looksAtBoth = ['look at old', 'look at new'];
const lookForRate = 'look at new for its rate';
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
    ['works in other threads', [busy, busyWith({ otherThreads: 0.06 })]],
    ['reads clocks that go on', [busyWith({ clocks: ['Date', 'timers'] }), busy]],
    ['reports its rate by a clock of its own', [busyWith({ busy: undefined }), busy]],
  ])('do not take turns if a process %s, which is said, and the look counts', async (_, looks) => {
    const { ways, counted, warnings } = await executed({ looks });
    expect(ways).toEqual([...looksAtBoth, ...alone.slice(2)]);
    expect(counted).toEqual(ratesOf([0, 1, 2]));
    expect(warnings).toEqual([expect.stringContaining('g/b.ts: its rounds run one after the other')]);
  });

  it('say only once for a benchmark why they do not take turns', async () => {
    const { ways, warnings } = await executed({ looks: Array(4).fill(idle), rounds: firstRoundsOfTwo() });
    expect(ways).toEqual([...looksAtBoth, ...looksAtBoth]);
    expect(warnings).toHaveLength(1);
  });

  describe('after a case of the benchmark that takes turns', () => {
    const rounds = firstRoundsOfTwo();
    const firstCase = [...looksAtBoth, '0 in turns', '0 in turns as a look'];

    it('take turns without a look if the processes are busy there', async () => {
      const { ways, counted } = await executed({ rounds, looks: [busy, busy], seen: [busy, busy] });
      expect([ways, counted]).toEqual([firstCase, [...counts, ...ratesOf([0, 0])]]);
    });

    it.each<[what: string, seen: readonly Look[]]>([
      ['is less busy there, where the turns of the other one hide half of a wait', [busy, activity(0.94)]],
      ['uses clocks that go on', [busyWith({ clocks: ['Date'] }), busy]],
      ['fails', ['no', busy]],
    ])('are looked at if a process %s', async (_, seen) => {
      const rest = (kind: string) => [expect.stringContaining(`${kind} 0 old`), `${kind} 0 new ok`];
      const taken = await executed({ rounds, looks: Array(4).fill(busy), seen });
      expect(taken.counted.slice(4)).toEqual([...counts, ...rest('rate')]);
      const left = await executed({ rounds, looks: [busy, busy, idle, idle], seen });
      expect(left.ways).toEqual([...firstCase, ...looksAtBoth]);
      expect(left.counted.slice(4)).toEqual([...ratesOf([0]), ...rest('look')]);
      const resumed = await executed({ rounds: [...rounds, round(1, 2)], former: left.records });
      expect(resumed.ways).toEqual(alone.slice(2, 4));
    });

    it('are looked at with more subjects if a process is hardly less busy', async () => {
      const seen = Array(4).fill(activity(0.97));
      const four = firstRoundsOfTwo(['a', 'b', 'c', 'd']);
      const { ways } = await executed({ rounds: four, looks: Array(8).fill(busy), seen });
      expect(ways.filter((way) => way.startsWith('look'))).toHaveLength(8);
    });
  });

  describe('in turns', () => {
    const computing = [2, 2.5].map((rate) => ({ ...activity(1), values: { rate } }));
    const [ofOld, ofNew] = [
      { activity: { cpu: 0.5 }, values: { rate: 1 } },
      { activity: { cpu: 0.8 }, values: { rate: 2 } },
    ];
    const rates = (records: readonly RunRecord[]) =>
      records.flatMap((run) => (run.status === 'ok' && run.inTurns ? [[run.values.rate, run.time]] : []));
    const byClock = [
      [1, '1.0'],
      [2, '1.0'],
    ];
    const byCpuTime = [
      [2, '0.500000000'],
      [2.5, '0.800000000'],
    ];
    const timed = { old: ofOld, new: ofNew };
    const had = { ...ofOld, activity: { cpu: 0.98 } };
    const first = { looks: computing, timed, rounds: [round(0), round(1)] };

    it.each<[what: string, input: Case, expected: readonly unknown[]]>([
      ['no process sleeps', first, byCpuTime],
      [
        'a process sleeps',
        { ...first, looks: [...computing.slice(1), { ...ofNew, ...activity(0.99) }] },
        byClock,
      ],
      [
        'a process tells no CPU time',
        { ...first, timed: { ...timed, new: { values: ofNew.values } } },
        byClock,
      ],
      ['a process had the CPU for itself', { ...first, timed: { ...timed, old: had } }, byClock],
      ['a process fails in a look', { ...first, looks: [...computing.slice(1), 'no'] }, []],
    ])(
      'have rates by CPU time if other programs had the CPU, all tell it and none sleeps: %s',
      async (_, input, expected) => {
        const { records } = await executed(input);
        expect(rates(records)).toEqual([...expected, ...expected]);
        const resumed = await executed({ ...input, looks: [], former: records.slice(0, 4) });
        expect(rates(resumed.records)).toEqual(rates(records));
      },
    );

    it('have pilots by CPU time, too', async () => {
      const windows = [
        [15, 100, 0.5],
        [30, 120],
      ] as const;
      const sampling = { warmUpMs: 1, measuredMs: 2, pilot: { longestMs: 2, windows } };
      const pilots = { old: { ...ofOld, sampling }, new: { ...ofNew, sampling } };
      const { records } = await executed({ ...first, timed: pilots });
      const [old] = records.filter((run) => run.status === 'ok' && run.byCpuTime);
      expect(old).toMatchObject({
        sampling: {
          pilot: {
            windows: [
              [15, 200],
              [30, 240],
            ],
          },
        },
      });
    });

    it('need no look to have rates by CPU time if they had the CPU for themselves', async () => {
      const rounds = firstRoundsOfTwo();
      const seenWith = (cpu: number, rate = 2) => ({ activity: { busy: 0.96, cpu }, values: { rate } });
      const looksOf = (ways: readonly string[]) => ways.filter((way) => way.startsWith('look')).length;
      const free = await executed({ rounds, looks: computing, seen: Array(2).fill(seenWith(1)), timed });
      expect(looksOf(free.ways)).toBe(2);
      expect(rates(free.records)).toEqual([...byCpuTime, ...Array(2).fill([2, '1.0'])]);
      const seen = [seenWith(0.8, 1.6), seenWith(0.9, 1.8)];
      const shared = await executed({ rounds, looks: [...computing, ...computing], seen, timed });
      expect(looksOf(shared.ways)).toBe(4);
      expect(rates(shared.records).slice(2)).toEqual([
        [2, '0.800000000'],
        [2, '0.900000000'],
      ]);
      const later = [...rounds, round(1, 2)];
      const whole = await executed({ rounds: later, looks: [...computing, ...computing], seen, timed });
      const resumed = await executed({ rounds: later, former: whole.records.slice(0, -2), timed });
      expect(rates(resumed.records)).toEqual(rates(whole.records));
    });
  });

  it.each([
    ['the clocks that it watches were a part of what was measured', busyWith({ clockCallsPerMs: 101 })],
    ['garbage was collected, which it observes', { activity: { ...idle.activity, collecting: 0.3 } }],
  ])('repeat runs of a look in which %s', async (_, look) => {
    const { ways, counted } = await executed({ looks: [look, busy] });
    expect(ways).toEqual([...looksAtBoth, ...alone.filter((way) => way !== '0 new alone')]);
    expect(counted).toEqual(['look 0 old ok', 'rate 0 new ok', 'rate 0 old ok', ...ratesOf([1, 2])]);
  });

  const rate = (value: number) => ({ ...busy, values: { rate: value } });

  it('leave turns if a side is faster there than in the mean of looks, also after an interruption', async () => {
    const looks = [rate(1), ...[0.7, 0.7, 0.8, 0.7].map(rate)];
    const { ways, records, counted, warnings } = await executed({ looks });
    expect(ways).toEqual([...looksAtBoth, '0 in turns', ...Array(3).fill(lookForRate), ...alone]);
    const thrownAway = [...Array(3).fill('look 0 new ok'), ...counts];
    expect(counted).toEqual([...counts, ...thrownAway, ...ratesOf([0, 1, 2])]);
    expect(warnings).toEqual([expect.stringContaining('new is 1.4 times as fast in turns as alone')]);
    const resumed = await executed({ former: records.slice(0, 7) });
    expect(resumed.ways).toEqual(alone);
  });

  it('leave turns if a side loses more there than the other one, by the mean of long slices', async () => {
    const slow = [1.3, 1.2, 1.4].flatMap((ofNew) => [rate(1), rate(ofNew)]);
    const { ways, records, warnings } = await executed({ looks: [rate(1), rate(1.3)], slow });
    expect(ways).toEqual([...looksAtBoth, '0 in turns', ...Array(3).fill('long slices'), ...alone]);
    expect(warnings).toEqual([
      expect.stringContaining('new is 1.3 times as slow in short turns as in long ones, compared with old'),
    ]);
    const resumed = await executed({ former: records.slice(0, 10) });
    expect(resumed.ways).toEqual(alone);
  });

  it.each<[what: string, looks: readonly Look[], more: readonly string[], slow?: readonly Look[]]>([
    ['a later look is as fast', [rate(1), rate(0.7), rate(0.7), rate(1.1)], Array(2).fill(lookForRate)],
    ['the first look is as fast', [rate(1), rate(0.85)], []],
    ['the look waited for a CPU', [rate(1), { ...rate(0.5), ...busyWith({ waitedForCpu: 0.4 }) }], []],
    ['both are slower alike', [rate(2), rate(2.3)], []],
    ['both are as slow in long slices', [rate(1), rate(1.4)], ['long slices'], [rate(0.8), rate(0.7)]],
    ['the other in long slices', [rate(1), rate(1.4)], ['long slices'], [rate(1.4), rate(1)]],
    [
      'neither later',
      [rate(0.7), rate(1.5), rate(1)],
      ['look at old for its rate', 'long slices'],
      [rate(1), rate(1)],
    ],
    ['one fails in long slices', [rate(1), rate(1.4)], ['long slices'], [rate(1.4), 'no']],
  ])(
    'take turns if a side is faster or slower there than in a look, but %s',
    async (_, looks, more, slow = []) => {
      const { ways, records } = await executed({ looks, slow });
      expect(ways).toEqual([...looksAtBoth, '0 in turns', ...more, ...inTurns.slice(1)]);
      // A look for a rate observes less, so that its process can seem to be idle.
      const seen = records.map((record, at) =>
        record.kind === 'look' && at > 1 ? { ...record, ...idle } : record,
      );
      const resumed = await executed({ former: seen.slice(0, -2) });
      expect(resumed.ways).toEqual(inTurns.slice(2));
    },
  );

  it.each<[what: string, early: number, more: readonly string[]]>([
    ['as fast', 0.5, []],
    ['faster', 0.7, [lookForRate]],
  ])('compare a short look with the same part of a pilot: %s', async (_, early, more) => {
    const sampling = { warmUpMs: 100, measuredMs: 50 };
    const windows = [100, 150, 1250].map((endMs): [number, number] => [endMs, endMs === 150 ? early : 1]);
    const pilot = { warmUpMs: 250, measuredMs: 1000, pilot: { longestMs: 1000, windows } };
    const looks = [rate(1), { ...rate(0.5), sampling }, rate(1)];
    const timed = { new: { ...rate(1), sampling: pilot } };
    const { ways } = await executed({ looks, timed });
    expect(ways).toEqual([...looksAtBoth, '0 in turns', ...more, ...inTurns.slice(1)]);
  });

  it.each([
    ['0.95', busy, inTurns],
    ['0.7', activity(0.7), alone.slice(2)],
  ])('have a second and no third look at a process that is nearly busy: then %s', async (_, second, rest) => {
    const { ways } = await executed({ looks: [activity(0.7), second, busy] });
    expect(ways).toEqual(['look at old', ...looksAtBoth, ...rest]);
  });

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
