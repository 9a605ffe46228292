import { describe, expect, it } from 'vitest';
import { type Random, randomStreams } from '../simulation/random.ts';
import { meanOfCases, startUpShares, type TimePair } from '../src/measured-start-up.ts';
import { summarizeSample } from '../src/sample.ts';
import { twoSidedP } from '../src/tail.ts';
import { welchTest } from '../src/welch.ts';

/** A subject: the start-up of a run, and what n operations take after it. */
interface Side {
  readonly startUp: number;
  readonly later: number;
}

interface Truth {
  readonly old: Side;
  readonly new: Side;
}

/** A fraction of the CPU time of a run. */
const quiet = 0.01;

const random = randomStreams(20_260_701);

function measure({ startUp, later }: Side, noise: number, { normal }: Random) {
  const runs = (times: number) => [0, 1, 2].map(() => (startUp + times * later) * Math.exp(noise * normal()));
  return { few: runs(1), many: runs(4) };
}

const timesOf = (truth: Truth, noise: number, stream: Random): TimePair => ({
  old: measure(truth.old, noise, stream),
  new: measure(truth.new, noise, stream),
});

/** As if the rates differed as the CPU times do. */
const changeOf = ({ old, new: new_ }: Truth) => (new_.startUp + new_.later) / (old.startUp + old.later) - 1;

function judge(truth: Truth, noise = quiet, change = changeOf(truth), speeds: readonly number[] = [1]) {
  const stream = random.next().value;
  const machines = speeds.map((speed) => {
    const scaled = ({ startUp, later }: Side) => ({ startUp: startUp * speed, later: later * speed });
    return timesOf({ old: scaled(truth.old), new: scaled(truth.new) }, noise, stream);
  });
  const [result] = startUpShares([{ machines, change }]);
  if (result === undefined) throw new Error('nothing was judged');
  return result;
}

const even: Side = { startUp: 50, later: 50 };

/** Truths by the label that they should get. */
const planted = {
  'start-up': { old: even, new: { startUp: 90, later: 50 } },
  'final speed': { old: even, new: { startUp: 50, later: 90 } },
  mixed: { old: even, new: { startUp: 80, later: 80 } },
  opposite: { old: even, new: { startUp: 100, later: 30 } },
} as const satisfies Record<string, Truth>;

const entries = Object.entries(planted);

describe('a difference', () => {
  it.each(entries)('that is %s is labelled so, in both directions', (label, truth) => {
    expect(judge(truth).label).toBe(label);
    expect(judge({ old: truth.new, new: truth.old }).label).toBe(label);
  });

  it.each(entries)('that is %s has this label on machines of different speed together', (label, truth) => {
    expect(judge(truth, quiet, changeOf(truth), [1, 7]).label).toBe(label);
  });

  it('has the share of start-up, and each run too', () => {
    const { share, old, new: new_ } = judge({ old: even, new: { startUp: 90, later: 60 } });
    expect(share).toBeCloseTo(0.8, 1);
    expect(old).toBeCloseTo(0.5, 1);
    expect(new_).toBeCloseTo(0.6, 1);
  });

  it('that noise hides in the CPU times is undecided', () => {
    expect(judge({ old: even, new: { startUp: 52, later: 50 } }, 0.1)).toMatchObject({
      label: 'undecided',
      share: null,
    });
  });

  it('of the rates that the CPU time does not show, such as one of waiting, is undecided', () => {
    const truth = planted['start-up'];
    expect(judge(truth, quiet, changeOf(truth) * 3).label).toBe('undecided');
    expect(judge(truth, quiet, -changeOf(truth)).label).toBe('undecided');
  });

  it('of CPU times that do not vary is labelled, too, without errors of rounding', () => {
    const { label, later } = judge(planted['start-up'], 0);
    expect([label, later.survives]).toEqual(['start-up', false]);
  });

  it('that was not found can have two parts that make up for each other', () => {
    const truth = { old: even, new: { startUp: 70, later: 30 } };
    expect(judge(truth, quiet, 0).label).toBe('opposite');
    expect(judge(planted['start-up'], quiet, 0).label).toBe('undecided');
  });
});

describe('later operations', () => {
  it('have the ratio of their rates, and differ if the interval excludes 1', () => {
    const { ratio, survives } = judge(planted['final speed']).later;
    expect(survives).toBe(true);
    expect(ratio?.ratio).toBeCloseTo(50 / 90, 1);
    expect(ratio?.high).toBeLessThan(1);
  });

  it("are compared by Welch's test", () => {
    const few = [10, 10];
    const [old, new_] = [
      [20, 21, 23],
      [25, 24, 27],
    ];
    const [result] = startUpShares([
      { machines: [{ old: { few, many: old }, new: { few, many: new_ } }], change: 0.1 },
    ]);
    const test = welchTest(summarizeSample(old), summarizeSample(new_));
    if (test.kind !== 'welch') throw new Error(test.kind);
    expect(result?.later.adjustedP).toBeCloseTo(twoSidedP(test.t, test.df), 12);
  });

  it('are corrected for the number of comparisons', () => {
    const stream = random.next().value;
    const of = (truth: Truth) => ({ machines: [timesOf(truth, quiet, stream)], change: 0 });
    const one = of(planted['final speed']);
    const alone = startUpShares([one])[0]?.later.adjustedP ?? 1;
    const others = Array.from({ length: 9 }, () => of({ old: even, new: even }));
    expect(startUpShares([one, ...others])[0]?.later.adjustedP).toBeCloseTo(10 * alone, 10);
  });

  it('have no test if the higher count takes no longer, as in a loop that the compiler removed', () => {
    const removed = { startUp: 100, later: 0 };
    const { later } = judge({ old: removed, new: removed });
    expect(later).toEqual({ ratio: null, adjustedP: null, survives: false });
  });
});

describe('of many differences with noise', () => {
  const count = 400;
  const atMost = (share: number) => share + 3 * Math.sqrt((share * (1 - share)) / count);
  const judged = (truth: Truth, noise: number) => Array.from({ length: count }, () => judge(truth, noise));
  const shareOf = (results: ReturnType<typeof judged>, is: (result: (typeof results)[number]) => boolean) =>
    results.filter(is).length / count;

  it.each([
    ['start-up', 'final speed'],
    ['final speed', 'start-up'],
  ] as const)('few that are %s are called %s', (label, wrong) => {
    for (const noise of [0.02, 0.05, 0.1]) {
      const results = judged(planted[label], noise);
      expect(shareOf(results, (each) => each.label === wrong || each.label === 'opposite')).toBeLessThan(
        atMost(0.05),
      );
    }
  });

  it('most that are large are labelled', () => {
    const results = judged(planted['start-up'], 0.03);
    expect(shareOf(results, ({ label }) => label === 'start-up')).toBeGreaterThan(0.9);
  });

  it('few have a false difference of later operations', () => {
    const results = judged(planted['start-up'], 0.05);
    expect(shareOf(results, ({ later }) => later.survives)).toBeLessThan(atMost(0.05));
  });
});

describe('the mean of many cases', () => {
  it("has Student's interval of the logarithms, as R's exp(t.test(log(x))$conf.int) does", () => {
    const mean = meanOfCases([1.1, 1.2, 1.3, 1.1, 1.2, 1.3]);
    expect(mean?.ratio).toBeCloseTo(1.1972157672583759, 12);
    expect(mean?.low).toBeCloseTo(1.1069115929974005, 6);
    expect(mean?.high).toBeCloseTo(1.2948871458566682, 6);
  });

  it('is none for few', () => {
    expect(meanOfCases([1.1, 1.2, 1.3, 1.1, 1.2])).toBeNull();
  });
});
