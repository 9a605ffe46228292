/** The types that `createBenchmark` infers and refuses. The test is: `tsc -p tsconfig.tests.json`. */
import { describe, expectTypeOf, it } from 'vitest';
import { Benchmark } from '../src/benchmark.ts';
import type { BenchmarkOptions, createBenchmark as CreateBenchmark } from '../src/index.ts';

/** Has the types of the real one, and does nothing. */
const createBenchmark: typeof CreateBenchmark = () => new Benchmark(() => {});

describe('the configuration that main gets', () => {
  it('has the strings of a list, and number and boolean, whose values arguments replace', () => {
    type Conf = { type: 'fast' | 'slow'; len: number; n: number; copy: boolean; strict: boolean };
    const parameters = { len: [1, 64], n: [1e6], copy: [true], strict: false };
    createBenchmark((conf) => void expectTypeOf(conf).toEqualTypeOf<Conf>(), {
      type: ['fast', 'slow'],
      ...parameters,
    });
  });

  it('must match the type of a separate main function', () => {
    function main(conf: { type: 'a' | 'b'; n: number }, bench: Benchmark): void {
      bench.end(conf.n);
    }
    function onlyB(_conf: { type: 'b' }): void {}
    createBenchmark(main, { type: ['a', 'b'], n: 1 });
    // @ts-expect-error: main does not expect "c"
    createBenchmark(main, { type: ['a', 'c'], n: 1 });
    // @ts-expect-error: main expects n
    createBenchmark(main, { type: ['a', 'b'] });
    // @ts-expect-error: main does not expect "a"
    createBenchmark(onlyB, { type: ['a', 'b'] });
  });
});

it('main may not misspell a parameter, and must report a count, and a time as a bigint', () => {
  // @ts-expect-error: it is len
  createBenchmark(({ length }) => void length, { len: [1, 2] });
  // @ts-expect-error: the number of operations is missing
  createBenchmark((_conf, bench) => bench.end(), {});
  // @ts-expect-error: nanoseconds are a bigint
  createBenchmark((_conf, bench) => bench.report(1, 0.5), {});
  // @ts-expect-error: the option is durationMs
  createBenchmark((_conf, bench) => bench.measure(() => {}, { duration: 5 }), {});
});

it('parameters may only be strings, numbers and booleans', () => {
  // @ts-expect-error: mixed types
  createBenchmark(() => {}, { strict: [true, 1] });
  // @ts-expect-error: a list in a list
  createBenchmark(() => {}, { size: [[1, 2], [3]] });
  // @ts-expect-error: null
  createBenchmark(() => {}, { size: [1, null] });
  // @ts-expect-error: a group without byGroups
  createBenchmark(() => {}, { short: { len: 1 } });
});

describe('options', () => {
  it('are typed by the parameters', () => {
    type Conf = { type: 'fast' | 'slow'; n: number };
    createBenchmark(
      () => {},
      { type: ['fast', 'slow'], n: [1, 2] },
      {
        flags: ['--expose-gc'],
        combinationFilter: (conf) => {
          expectTypeOf(conf).toEqualTypeOf<Conf>();
          return conf.n > 1;
        },
        test: { type: 'slow', n: [1, 2] },
        setup: (configurations) => void expectTypeOf(configurations).toEqualTypeOf<readonly Conf[]>(),
        teardown: async (configurations) =>
          void expectTypeOf(configurations).toEqualTypeOf<readonly Conf[]>(),
      },
    );
    expectTypeOf<NonNullable<BenchmarkOptions<Conf>['test']>>().toEqualTypeOf<{
      readonly type?: 'fast' | 'slow' | readonly ('fast' | 'slow')[];
      readonly n?: number | readonly number[];
    }>();
  });

  it('may only override parameters, with their values, in test mode', () => {
    // @ts-expect-error: it is n
    createBenchmark(() => {}, { n: 1 }, { test: { m: 1 } });
    // @ts-expect-error: n is a number
    createBenchmark(() => {}, { n: 1 }, { test: { n: 'one' } });
    // @ts-expect-error: n is a number in every place of a list
    createBenchmark(() => {}, { n: 1 }, { test: { n: [1, undefined] } });
    // @ts-expect-error: there is no "medium"
    createBenchmark(() => {}, { type: ['fast', 'slow'] }, { test: { type: 'medium' } });
    // @ts-expect-error: there is no "medium" in a list either
    createBenchmark(() => {}, { type: ['fast', 'slow'] }, { test: { type: ['fast', 'medium'] } });
  });

  it('may not be misspelled, and a filter must return a boolean', () => {
    // @ts-expect-error: it is flags
    createBenchmark(() => {}, { n: 1 }, { flag: ['--expose-gc'] });
    // @ts-expect-error: flags are a list
    createBenchmark(() => {}, { n: 1 }, { flags: '--expose-gc' });
    // @ts-expect-error: a number is not a boolean
    createBenchmark(() => {}, { n: 1 }, { combinationFilter: ({ n }) => n });
    // @ts-expect-error: a filter may not misspell a parameter
    createBenchmark(() => {}, { n: 1 }, { combinationFilter: ({ m }) => m === 1 });
  });
});

describe('byGroups', () => {
  type Grouped =
    | { group: 'short'; type: 'a' | 'b'; len: number }
    | { group: 'long'; type: 'c'; parts: number };

  it('infers a union over the groups, discriminated by group', () => {
    createBenchmark(
      (conf) => {
        expectTypeOf(conf).toEqualTypeOf<Grouped>();
        expectTypeOf(conf.group).toEqualTypeOf<'short' | 'long'>();
        expectTypeOf(conf.type).toEqualTypeOf<'a' | 'b' | 'c'>();
        if (conf.group === 'short') expectTypeOf(conf.len).toEqualTypeOf<number>();
        else expectTypeOf(conf.parts).toEqualTypeOf<number>();
      },
      { short: { type: ['a', 'b'], len: [1, 2] }, long: { type: 'c', parts: 9 } },
      { byGroups: true },
    );
  });

  it('refuses to read the parameter of another group', () => {
    createBenchmark(
      (conf) => {
        // @ts-expect-error: only "short" has len
        conf.len;
        // @ts-expect-error: "long" has parts, and not len
        if (conf.group === 'long') conf.len;
      },
      { short: { len: 1 }, long: { parts: 9 } },
      { byGroups: true },
    );
  });

  it('requires groups, and groups require it', () => {
    // @ts-expect-error: n is not a group
    createBenchmark(() => {}, { n: [1, 2] }, { byGroups: true });
    // @ts-expect-error: groups need byGroups to be true
    createBenchmark(() => {}, { short: { len: 1 } }, { byGroups: false });
  });

  it('refuses overrides of unknown parameters', () => {
    const groups = { short: { len: 1 }, long: { parts: 9 } };
    createBenchmark(() => {}, groups, { byGroups: true, test: { len: 2, parts: 3 } });
    // @ts-expect-error: no group has size
    createBenchmark(() => {}, groups, { byGroups: true, test: { size: 1 } });
    // @ts-expect-error: len is a number
    createBenchmark(() => {}, groups, { byGroups: true, test: { len: 'x' } });
  });
});
