import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import {
  type Expansion,
  type ExpansionOptions,
  expand,
  expandGroups,
  readArguments,
} from '../src/expansion.ts';
import type { AnyConfiguration, GroupedParameters, Parameters } from '../src/parameters.ts';

/** The observed behaviour of Node core's common.js. */
interface ObservedCase {
  readonly name: string;
  readonly configs: Parameters;
  readonly argv: readonly string[];
  readonly options?: ExpansionOptions;
  readonly expected: readonly (readonly (readonly [string, string | number])[])[];
  readonly extra: Readonly<Record<string, string>>;
}

const observed: { readonly cases: readonly ObservedCase[] } = JSON.parse(
  readFileSync(new URL('fixtures/expansion.json', import.meta.url), 'utf8'),
);

const expandWith = (parameters: Parameters, argv: readonly string[] = [], options: ExpansionOptions = {}) =>
  expand(parameters, readArguments(argv), options);

const printed = ({ configurations }: Expansion) =>
  configurations.map((configuration) =>
    Object.entries(configuration)
      .map(([name, value]) => `${name}=${value}`)
      .join(' '),
  );

/** Values that the types refuse, as a script in JavaScript may have them. */
const untyped = (parameters: Readonly<Record<string, unknown>>): Parameters =>
  JSON.parse(JSON.stringify(parameters));

describe('expansion as in Node core', () => {
  it.each(observed.cases)('$name', ({ configs, argv, options, expected, extra }) => {
    const expansion = expandWith(configs, argv, options);
    expect(expansion.configurations.map((configuration) => Object.entries(configuration))).toEqual(expected);
    expect(expansion.extra).toEqual(extra);
  });

  it('covers all observed cases', () => {
    expect(observed.cases.length).toBeGreaterThanOrEqual(12);
  });
});

describe('order', () => {
  it('varies the first parameter slowest, and prints it last', () => {
    expect(printed(expandWith({ a: [1, 2], b: ['x', 'y'], c: 5 }))).toEqual([
      'c=5 b=x a=1',
      'c=5 b=y a=1',
      'c=5 b=x a=2',
      'c=5 b=y a=2',
    ]);
  });

  it('is that of declaration, whatever the order of arguments', () => {
    expect(printed(expandWith({ a: [1, 2], b: ['x', 'y'] }, ['b=z', 'a=9', 'b=w']))).toEqual([
      'b=z a=9',
      'b=w a=9',
    ]);
  });

  it('does not change the declared parameters', () => {
    const parameters = { a: [1, 2], n: 3 };
    expandWith(parameters, ['a=7']);
    expect(parameters).toEqual({ a: [1, 2], n: 3 });
  });
});

describe('arguments', () => {
  it('have the type of the declared values', () => {
    expect(expandWith({ text: '1', number: 1 }, ['text=2', 'number=2']).configurations).toEqual([
      { text: '2', number: 2 },
    ]);
  });

  it('are extra if they are not parameters; the last of a name wins', () => {
    const { configurations, extra } = expandWith({ n: 1 }, ['benchmarker=wrk', 'n=2', 'benchmarker=h2load']);
    expect(configurations).toEqual([{ n: 2 }]);
    expect(extra).toEqual({ benchmarker: 'h2load' });
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])(
    'are extra if they are named %s, which every object has',
    (name) => {
      const { configurations, extra } = expandWith({ n: 1 }, [`${name}=x`]);
      expect(configurations).toEqual([{ n: 1 }]);
      expect(Object.entries(extra)).toEqual([[name, 'x']]);
    },
  );

  it('may contain line breaks and further equals signs', () => {
    expect(expandWith({ path: 'a' }, ['path=b\n=c']).configurations).toEqual([{ path: 'b\n=c' }]);
  });

  it.each(['len', '--len', '=5', '', '--tests'])('are not %j', (argument) => {
    expect(() => readArguments(['n=1', argument])).toThrow(errorWith('ARGUMENT', argument));
  });

  it.each([
    ['text', 'n=many'],
    ['nothing', 'n='],
    ['blanks', 'n=  '],
    ['NaN', 'n=NaN'],
    ['a number with a unit', 'n=5s'],
  ])('refuse %s for a number', (_what, argument) => {
    expect(() => expandWith({ n: [1, 2] }, [argument])).toThrow(errorWith('ARGUMENT', argument));
  });

  it('for a boolean are true and false', () => {
    expect(expandWith({ copy: [true, false], n: 1 }, ['copy=false']).configurations).toEqual([
      { n: 1, copy: false },
    ]);
    expect(expandWith({ copy: true }, ['copy=false', 'copy=true']).configurations).toEqual([
      { copy: false },
      { copy: true },
    ]);
  });

  it.each(['1', 'yes', 'TRUE', ''])('for a boolean refuse %j', (text) => {
    expect(() => expandWith({ copy: [true] }, [`copy=${text}`])).toThrow(
      errorWith('ARGUMENT', `copy=${text}`),
    );
  });

  it('accept negative numbers and exponents', () => {
    expect(expandWith({ n: 1 }, ['n=-2', 'n=1e-3']).configurations).toEqual([{ n: -2 }, { n: 0.001 }]);
  });
});

describe('test mode', () => {
  it('uses the first values, and limits counts to 1 and durations to 0.05', () => {
    expect(
      expandWith({ type: ['slow', 'fast'], zero: [0, 9], half: 0.5, n: [1e6], dur: 5, duration: [10, 20] }, [
        '--test',
      ]).configurations,
    ).toEqual([{ type: 'slow', zero: 0, half: 0.5, n: 1, dur: 0.05, duration: 0.05 }]);
  });

  it('may be at any place among the arguments, which override it', () => {
    expect(expandWith({ len: [64, 128], n: 1e6 }, ['len=7', '--test', 'len=9']).configurations).toEqual([
      { len: 7, n: 1 },
      { len: 9, n: 1 },
    ]);
  });

  it('is required for overrides', () => {
    expect(expandWith({ n: [5] }, [], { test: { n: 2 } }).configurations).toEqual([{ n: 5 }]);
  });

  it('uses all values of overrides without limits', () => {
    expect(expandWith({ len: 1, n: 1e6 }, ['--test'], { test: { len: [32, 64] } }).configurations).toEqual([
      { len: 32, n: 1 },
      { len: 64, n: 1 },
    ]);
  });

  it('checks overrides like parameters', () => {
    expect(() => expandWith({ n: 1 }, ['--test'], { test: { n: [] } })).toThrow(
      errorWith('PARAMETER', 'parameter "n"'),
    );
  });
});

describe('combinationFilter', () => {
  it('keeps the combinations for which it returns true', () => {
    const combinationFilter = ({ a, b }: AnyConfiguration) => a !== b;
    expect(printed(expandWith({ a: [1, 2], b: [1, 2] }, [], { combinationFilter }))).toEqual([
      'b=2 a=1',
      'b=1 a=2',
    ]);
  });

  it('may leave nothing', () => {
    expect(expandWith({ a: 1 }, [], { combinationFilter: () => false }).configurations).toEqual([]);
  });

  it('gets the values of arguments', () => {
    const combinationFilter = vi.fn(() => true);
    expandWith({ a: [1, 2] }, ['a=7'], { combinationFilter });
    expect(combinationFilter.mock.calls).toEqual([[{ a: 7 }]]);
  });

  it('gets a copy that it may change', () => {
    const combinationFilter = (copy: Record<string, unknown>) => {
      copy['a'] = 'changed';
      delete copy['n'];
      return true;
    };
    expect(expandWith({ a: 'x', n: 1 }, [], { combinationFilter }).configurations).toEqual([
      { a: 'x', n: 1 },
    ]);
  });

  it.each([
    ['undefined', undefined],
    ['1', 1],
    ['true', 'true'],
    ['[object Promise]', Promise.resolve(true)],
  ])('must return a boolean, and not %s', (shown, returned) => {
    const combinationFilter = Object.assign(() => true, { returned });
    const filter = new Proxy(combinationFilter, { apply: () => returned });
    expect(() => expandWith({ a: 1 }, [], { combinationFilter: filter })).toThrow(errorWith('FILTER', shown));
  });

  it('may throw, which is passed on', () => {
    const combinationFilter = () => {
      throw new RangeError('broken filter');
    };
    expect(() => expandWith({ a: 1 }, [], { combinationFilter })).toThrow(RangeError);
  });
});

describe('values', () => {
  it.each([
    ['object', { nested: 1 }],
    ['object', [1, [2]]],
    ['null', null],
    ['null', ['a', null]],
  ])('of type %s are refused, and the parameter is named: %j', (type, value) => {
    expect(() => expandWith(untyped({ n: 1, wrong: value }))).toThrow(
      errorWith('PARAMETER', '"wrong"', type),
    );
  });

  it.each(['undefined', 'bigint', 'function', 'symbol'])('of type %s are refused', (type) => {
    const value = { undefined, bigint: 1n, function: () => 1, symbol: Symbol('s') }[type];
    const parameters = Object.defineProperty({}, 'wrong', { value, enumerable: true });
    expect(() => expandWith(parameters)).toThrow(errorWith('PARAMETER', '"wrong"', type));
  });

  it.each([[['a', 1]], [[1, 'a']], [[1, 2, '3']], [[true, 1]], [['true', false]]])(
    'of mixed types are refused, and the parameter is named: %j',
    (mixed) => {
      expect(() => expandWith(untyped({ n: 1, mixed }))).toThrow(errorWith('PARAMETER', '"mixed"'));
    },
  );

  it('must be at least one', () => {
    expect(() => expandWith({ n: 1, empty: [] })).toThrow(errorWith('PARAMETER', 'parameter "empty"'));
  });

  it('may not be NaN, which cannot be an argument', () => {
    expect(() => expandWith({ n: [1, Number.NaN] })).toThrow(errorWith('PARAMETER', 'NaN'));
    expect(() => expandWith({ n: [1, Number.POSITIVE_INFINITY] })).toThrow(
      errorWith('PARAMETER', 'Infinity'),
    );
    expect(() => expandWith({ n: [1] }, ['n=1e400'])).toThrow(errorWith('ARGUMENT', 'n=1e400'));
  });

  it.each(['', 'a=b', 'a\nb'])('cannot have the name %j, because an argument begins with it', (name) => {
    expect(() => expandWith({ [name]: 1 })).toThrow(errorWith('PARAMETER', 'name'));
  });

  it('are checked even if an argument replaces them or test mode does not use them', () => {
    expect(() => expandWith(untyped({ mixed: [1, 'a'] }), ['mixed=1'])).toThrow(
      errorWith('PARAMETER', '"mixed"'),
    );
    expect(() => expandWith(untyped({ mixed: [1, 'a'] }), ['--test'])).toThrow(
      errorWith('PARAMETER', '"mixed"'),
    );
  });
});

describe('groups', () => {
  const groups = {
    fast: { len: [1, 2], n: 1e6 },
    slow: { chunk: 16, n: 10 },
  } as const satisfies GroupedParameters;
  const expandAll = (argv: readonly string[], options: ExpansionOptions = {}, selected?: readonly string[]) =>
    expandGroups(groups, readArguments(argv), options, selected);

  it('are expanded separately, and a configuration has the name of its group', () => {
    expect(printed(expandAll([]))).toEqual([
      'group=fast n=1000000 len=1',
      'group=fast n=1000000 len=2',
      'group=slow n=10 chunk=16',
    ]);
  });

  it('are selected by NODE_RUN_BENCHMARK_GROUPS, in the order it names', () => {
    expect(printed(expandAll([], {}, ['slow']))).toEqual(['group=slow n=10 chunk=16']);
    expect(printed(expandAll(['len=1'], {}, ['slow', 'fast']))).toEqual([
      'group=slow n=10 chunk=16',
      'group=fast n=1000000 len=1',
    ]);
  });

  it('are selected by an argument, which wins and may repeat', () => {
    expect(printed(expandAll(['group=slow'], {}, ['fast']))).toEqual(['group=slow n=10 chunk=16']);
    expect(printed(expandAll(['group=slow', 'group=fast', 'len=1'])).length).toBe(2);
  });

  it.each([
    ['an argument', ['group=quick'], undefined],
    ['NODE_RUN_BENCHMARK_GROUPS', [], ['fast', 'quick']],
  ])('are an error that lists the known ones if they are unknown: by %s', (_by, argv, selected) => {
    expect(() => expandAll(argv, {}, selected)).toThrow(errorWith('UNKNOWN_GROUP', '"quick"', 'fast, slow'));
  });

  it.each(['constructor', 'toString', '__proto__'])(
    'are unknown if they are named %s, which every object has',
    (name) => {
      expect(() => expandAll([`group=${name}`])).toThrow(errorWith('UNKNOWN_GROUP', name));
    },
  );

  it('use the arguments of their parameters; an argument of no group is extra', () => {
    const { configurations, extra } = expandAll(['chunk=8', 'len=4', 'benchmarker=wrk']);
    expect(configurations).toEqual([
      { group: 'fast', n: 1e6, len: 4 },
      { group: 'slow', n: 10, chunk: 8 },
    ]);
    expect(extra).toEqual({ benchmarker: 'wrk' });
  });

  it('are passed to combinationFilter with their name', () => {
    const combinationFilter = ({ group, len }: AnyConfiguration) => group === 'fast' && len === 2;
    expect(printed(expandAll([], { combinationFilter }))).toEqual(['group=fast n=1000000 len=2']);
  });

  it('each get one configuration in test mode', () => {
    expect(printed(expandAll(['--test']))).toEqual(['group=fast n=1 len=1', 'group=slow n=1 chunk=1']);
  });

  it('get only the overrides of their own parameters in test mode', () => {
    expect(printed(expandAll(['--test'], { test: { len: [7, 8], n: 2 } }))).toEqual([
      'group=fast n=2 len=7',
      'group=fast n=2 len=8',
      'group=slow n=2 chunk=1',
    ]);
  });

  it('keep their names in test mode', () => {
    expect(printed(expandAll(['--test'], { test: { group: 'other' } }))).toEqual([
      'group=fast n=1 len=1',
      'group=slow n=1 chunk=1',
    ]);
  });

  it('may not have invalid parameters', () => {
    expect(() => expandGroups({ a: { n: [] } }, readArguments([]), {}, undefined)).toThrow(
      errorWith('PARAMETER', 'parameter "n"'),
    );
  });
});

describe('parameters with names of object properties', () => {
  it.each(['constructor', 'toString', 'valueOf', 'hasOwnProperty'])('can be set: %s', (name) => {
    expect(printed(expandWith({ [name]: [1, 2] }))).toEqual([`${name}=1`, `${name}=2`]);
    expect(printed(expandWith({ [name]: [1, 2] }, [`${name}=3`, `${name}=4`]))).toEqual([
      `${name}=3`,
      `${name}=4`,
    ]);
    expect(expandWith({ n: [1] }, [`${name}=3`]).extra).toEqual({ [name]: '3' });
  });

  it('are refused if objects cannot have them', () => {
    expect(() => expandWith(untyped({ ['__proto__']: [1] }))).toThrow(errorWith('PARAMETER', '__proto__'));
  });
});
