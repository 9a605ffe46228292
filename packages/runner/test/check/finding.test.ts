import type { CheckedRun } from '@bench-cli/agent';
import { describe, expect, it } from 'vitest';
import {
  allocatingCount,
  type CountedRuns,
  type Evidence,
  type FindingKind,
  findings,
} from '../../src/check/finding.ts';
import planted from './planted.json' with { type: 'json' };
import sound from './sound.json' with { type: 'json' };

interface Counted {
  readonly count: number;
  readonly runs: readonly (readonly number[])[];
}

/** Figures of a benchmark. */
interface Recorded {
  readonly name: string;
  readonly declared: Counted;
  readonly double: Counted;
  readonly far?: Counted | undefined;
  readonly allocating?: Counted | undefined;
  readonly configurations: number;
}

/** The figures of a run, in the order in which they are recorded. */
const figures = [
  ...['elapsedNs', 'cpuNs', 'operations', 'allocatedBytes'],
  ...['pauseNs', 'collections', 'clockStepNs', 'emptyLoopNs'],
];
const noRun: CheckedRun = {
  ...{ elapsedNs: 0, cpuNs: 0, operations: 0, allocatedBytes: 0, pauseNs: 0, collections: 0 },
  ...{ clockStepNs: 0, emptyLoopNs: 0, mainThreadNs: 0, emptyCallNs: 0 },
};
const runOf = (values: readonly number[]): CheckedRun => ({
  ...noRun,
  ...Object.fromEntries(values.map((value, at) => [figures[at], value])),
});
const runsOf = ({ count, runs }: Counted): CountedRuns => ({ count, runs: runs.map(runOf) });

const evidenceOf = ({ declared, double, far, allocating, configurations }: Recorded): Evidence => ({
  ...{ declared: runsOf(declared), double: runsOf(double), many: runsOf(double), configurations },
  ...(far && { far: runsOf(far) }),
  ...(allocating && { allocating: runsOf(allocating) }),
});

/**
 * What `bench-cli check --format json` recorded on a machine with other load, rounded: of the benchmarks in `planted/`, each of which has
 * one mistake, and of benchmarks of this project's suite, which have none.
 */
const read = (records: readonly Recorded[]) =>
  records.map((recorded) => ({ name: recorded.name, evidence: evidenceOf(recorded) }));

const kindsOf = (evidence: Evidence) => findings(evidence).map(({ kind }) => kind);

/** The mistakes that each planted benchmark shows. */
const mistakes: Readonly<Record<string, readonly FindingKind[]>> = {
  'already-sorted': ['shared work'],
  cache: ['constant time'],
  'constant-arithmetic': ['empty loop'],
  'constant-call': ['empty loop'],
  'early-break': ['constant time'],
  'file-left-behind': ['first run'],
  'first-without-data': ['growing work', 'first run'],
  'fixed-loop': ['constant time'],
  'fixed-operations': ['operations'],
  'growing-list': ['growing work'],
  'growing-text': ['growing work'],
  'kept-closures': ['uncounted garbage'],
  'kept-objects': ['uncounted garbage'],
  'lazy-start': ['constant time'],
  listeners: ['growing work'],
  'object-that-does-not-escape': ['empty loop'],
  'one-iteration': ['short'],
  'one-operation': ['constant time'],
  'one-reported': ['operations'],
  'result-of-one-call': ['empty loop'],
  'shared-file': ['order'],
  'too-few': ['short'],
  'unused-character': ['empty loop'],
  'unused-sum': ['empty loop'],
};

describe('a planted mistake', () => {
  const recorded = read(planted);

  it('is each of the fixtures', () => {
    expect([...new Set(recorded.map(({ name }) => name))].sort()).toEqual(Object.keys(mistakes).sort());
  });

  it.each(Object.entries(mistakes))('%s is found: %s', (name, kinds) => {
    const found = recorded.filter((each) => each.name === name).flatMap(({ evidence }) => kindsOf(evidence));
    expect([...new Set(found)].filter((kind) => kind !== 'noise')).toEqual(kinds);
  });
});

it.each(read(sound))(
  'a benchmark without a mistake $name has no finding, or its runs are too noisy',
  ({ evidence }) => {
    expect(kindsOf(evidence).filter((kind) => kind !== 'noise')).toEqual([]);
  },
);

/** A sound case of 20 ms, whose runs take so many times as long. */
const caseWith = (declared: readonly number[], double: readonly number[] = [1, 1, 1]): Evidence => {
  const runs = (count: number, factors: readonly number[]): CountedRuns => ({
    count,
    runs: factors.map((factor) => runOf([count * 20 * factor, count * 20, count, 0, 0, 0, 30, 0.3])),
  });
  const twice = runs(2e6, double);
  return { declared: runs(1e6, declared), double: twice, many: twice, configurations: 2 };
};

it('noise in the wall time alone is no finding', () => {
  expect(kindsOf(caseWith([5, 1, 1.2, 1, 1]))).toEqual([]);
  expect(kindsOf(caseWith([1, 3, 1, 3, 1]))).toEqual([]);
  expect(kindsOf(caseWith([1, 1, 1, 1, 1], [4, 3, 5]))).toEqual([]);
  expect(kindsOf(caseWith([4, 3, 5, 4, 4]))).toEqual([]);
});

/** A case whose time grows with the count, unless the shortest run had not happened. */
const withTimes = (declared: readonly number[]): Evidence => {
  const runs = (count: number, ms: readonly number[]): CountedRuns => ({
    count,
    runs: ms.map((each) => runOf([each * 1e6, each * 1e6, count, 0, 0, 0, 30, 0.3])),
  });
  const [double, far] = [runs(2e6, [30, 30, 30]), runs(16e6, [60, 60, 60])];
  return { declared: runs(1e6, declared), double, many: double, far, configurations: 1 };
};

it('what is too noisy to tell is what one run decides, where runs differ', () => {
  expect(kindsOf(withTimes([18, 25, 25, 25, 25]))).toEqual(['noise']);
  expect(kindsOf(withTimes([25, 25, 25, 25, 25]))).toEqual(['shared work']);
  expect(kindsOf(withTimes([18, 18, 18, 18, 25]))).toEqual([]);
});

describe('a case that finds its number of operations itself', () => {
  /** So many nanoseconds per operation in each run, and in the median of its samples, beside 0.3 of an empty call. */
  const kinds = (perOperation: readonly number[], samples = perOperation): readonly FindingKind[] => {
    const runs = perOperation.map((ns, at) => {
      const operations = 1e8 * (at + 1);
      const run = runOf([ns * operations, ns * operations, operations, 0, 0, 0, 30, 0.3]);
      return { ...run, emptyCallNs: 0.3, sampleNs: samples[at] };
    });
    return kindsOf({ declared: { count: 0, runs }, configurations: 1 });
  };

  it('is empty if an operation takes no longer than the call of an empty function', () => {
    expect(kinds([0.4, 0.3, 0.35, 0.4, 0.3])).toEqual(['empty operation']);
    expect(kinds([1.5, 1.5, 1.5, 1.5, 1.5])).toEqual([]);
  });

  it('is empty by its samples, also if every run is interrupted', () => {
    expect(kinds([2, 1.5, 1.5, 2, 1.5], [0.4, 0.8, 0.35, 1.4, 0.8])).toEqual(['empty operation']);
  });

  it('is too noisy if it may be empty', () => {
    expect(kinds([0.8, 1.3, 1.6, 1.6, 1.6])).toEqual(['noise']);
    expect(kinds([0.8, 0.8, 0.8, 0.8, 0.8])).toEqual([]);
  });

  it('has a first run that is told from others by the time of an operation', () => {
    expect(kinds([9, 2, 2, 2, 2])).toEqual(['first run']);
  });
});

describe('start-up', () => {
  /** A case of 20 ms, whose runs with 4 times the count take so many milliseconds of the main thread. */
  const kinds = (manyMs: number, elapsedNs = 20e6, doubleMs = 30): readonly FindingKind[] => {
    const runs = (count: number, ms: number): CountedRuns => ({
      count,
      runs: [1, 1.1, 1.3].map((factor) => ({
        ...runOf([elapsedNs * (ms / 20), ms * 1e6, count, 0, 0, 0, 30, 0.3]),
        mainThreadNs: ms * 1e6 * factor,
      })),
    });
    const [declared, double, many] = [runs(1e6, 20), runs(2e6, doubleMs), runs(4e6, manyMs)];
    return kindsOf({ declared, double, many, far: runs(16e6, 4 * manyMs), configurations: 1 });
  };

  it('is found where it takes more than half of the time', () => {
    // Three times as many further operations take 29 or 31 ms, so later operations take 9.7 or 10.3 of the 20 ms.
    expect(kinds(49)).toEqual(['start-up']);
    expect(kinds(51)).toEqual([]);
  });

  it('is no finding of its own where the clock is too coarse, or where another one says more', () => {
    expect(kinds(49, 20_000)).toEqual(['short']);
    expect(kinds(20, 20e6, 20)).toEqual(['shared work']);
  });
});

describe('the count with which garbage is collected', () => {
  /** A benchmark whose declared count takes 100 ms, and allocates 1 MB with twice the count. */
  const count = (doubleMs: number, declaredCollections = 0) =>
    allocatingCount({
      declared: runsOf({ count: 1000, runs: [[100e6, 100e6, 1000, 500e3, 0, declaredCollections, 40, 0.5]] }),
      double: runsOf({ count: 2000, runs: [[doubleMs * 1e6, doubleMs * 1e6, 2000, 1e6, 0, 0, 40, 0.5]] }),
    });

  it('is as high as its allocations require', () => {
    expect(count(120)).toBe(2000 * 128);
  });

  it('is none if garbage is collected already', () => {
    expect(count(120, 1)).toBeUndefined();
  });

  it('is none if a run would take longer than ten seconds, as with quadratic work', () => {
    expect(count(200)).toBeUndefined();
    expect(count(400)).toBeUndefined();
  });
});
