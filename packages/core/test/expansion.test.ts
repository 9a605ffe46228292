import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

it.each(observed.cases)('expansion as in Node core: $name', ({ configs, argv, options, expected, extra }) => {
  const expansion = expandWith(configs, argv, options);
  expect(expansion.configurations.map((configuration) => Object.entries(configuration))).toEqual(expected);
  expect(expansion.extra).toEqual(extra);
});

it('the order is that of declaration, whatever that of arguments, which do not change the declared parameters', () => {
  const parameters = { a: [1, 2], b: ['x', 'y'] };
  expect(printed(expandWith(parameters, ['b=z', 'a=9', 'b=w']))).toEqual(['b=z a=9', 'b=w a=9']);
  expect(parameters).toEqual({ a: [1, 2], b: ['x', 'y'] });
});

/** Expects one error with a code, whose message contains the values. */
const expectRefused = (
  parameters: Parameters,
  argv: readonly string[],
  code: string,
  ...values: readonly string[]
) => expect(() => expandWith(parameters, argv)).toThrow(errorWith(code, ...values));

describe('arguments', () => {
  it.each<[what: string, parameters: Parameters, argv: string[], configurations: AnyConfiguration[]]>([
    ['have the type of the declared values', { a: '1', b: 1 }, ['a=2', 'b=2'], [{ a: '2', b: 2 }]],
    ['may contain line breaks and equals signs', { path: 'a' }, ['path=b\n=c'], [{ path: 'b\n=c' }]],
    ['for a boolean are true and false', { a: [true] }, ['a=false', 'a=true'], [{ a: false }, { a: true }]],
    ['may be negative or have exponents', { n: 1 }, ['n=-2', 'n=1e-3'], [{ n: -2 }, { n: 0.001 }]],
  ])('%s', (_, parameters, argv, configurations) => {
    expect(expandWith(parameters, argv).configurations).toEqual(configurations);
  });

  it('are extra if they are not parameters; the last of a name wins', () => {
    const names = ['constructor', 'toString', 'hasOwnProperty'];
    const argv = ['benchmarker=wrk', 'n=2', 'benchmarker=h2load', ...names.map((name) => `${name}=x`)];
    const { configurations, extra } = expandWith({ n: 1 }, argv);
    expect(configurations).toEqual([{ n: 2 }]);
    expect(Object.entries(extra)).toEqual([['benchmarker', 'h2load'], ...names.map((name) => [name, 'x'])]);
  });

  it.each(['len', '--len', '=5', '', '--tests'])('are not %j', (argument) => {
    expect(() => readArguments(['n=1', argument])).toThrow(errorWith('ARGUMENT', argument));
  });

  it.each([
    ...['n=many', 'n=', 'n=  ', 'n=NaN', 'n=5s', 'n=1e400'].map((text) => [text, { n: [1, 2] }] as const),
    ...['copy=1', 'copy=yes', 'copy=TRUE', 'copy='].map((text) => [text, { copy: [true] }] as const),
  ])('refuse %j for a number or boolean', (argument, parameters) => {
    expectRefused(parameters, [argument], 'ARGUMENT', argument);
  });
});

describe('test mode', () => {
  it.each<
    [what: string, parameters: Parameters, argv: string[], test: ExpansionOptions['test'], expected: object[]]
  >([
    [
      'uses the first values, and limits counts to 1 and durations to 0.05',
      { type: ['slow', 'fast'], zero: [0, 9], half: 0.5, n: [1e6], dur: 5, duration: [10, 20] },
      ['--test'],
      undefined,
      [{ type: 'slow', zero: 0, half: 0.5, n: 1, dur: 0.05, duration: 0.05 }],
    ],
    [
      'may be at any place among the arguments, which override it',
      { len: [64, 128], n: 1e6 },
      ['n=7', '--test'],
      undefined,
      [{ len: 1, n: 7 }],
    ],
    ['is required for overrides', { n: [5] }, [], { n: 2 }, [{ n: 5 }]],
  ])('%s', (_, parameters, argv, test, expected) => {
    expect(expandWith(parameters, argv, { ...(test && { test }) }).configurations).toEqual(expected);
  });

  it('checks overrides like parameters', () => {
    expect(() => expandWith({ n: 1 }, ['--test'], { test: { n: [] } })).toThrow(
      errorWith('PARAMETER', 'parameter "n"'),
    );
  });
});

describe('combinationFilter', () => {
  it('keeps the combinations for which it returns true, or none', () => {
    const combinationFilter = ({ a, b }: AnyConfiguration) => a !== b;
    const parameters = { a: [1, 2], b: [1, 2] };
    expect(printed(expandWith(parameters, [], { combinationFilter }))).toEqual(['b=2 a=1', 'b=1 a=2']);
    expect(printed(expandWith(parameters, ['a=7', 'b=7'], { combinationFilter }))).toEqual([]);
  });

  it('gets a copy that it may change', () => {
    const combinationFilter = (copy: Record<string, unknown>) => {
      copy['a'] = 'changed';
      delete copy['n'];
      return true;
    };
    const { configurations } = expandWith({ a: 'x', n: 1 }, [], { combinationFilter });
    expect(configurations).toEqual([{ a: 'x', n: 1 }]);
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
  it.each<[value: unknown, ...named: string[]]>([
    [{ nested: 1 }, 'object'],
    [[1, [2]], 'object'],
    [null, 'null'],
    [['a', null], 'null'],
    [['a', 1]],
    [[1, 'a']],
    [[1, 2, '3']],
    [[true, 1]],
    [['true', false]],
    [[]],
  ])('%j are refused, even if an argument replaces them or test mode ignores them', (wrong, ...named) => {
    for (const argv of [[], ['wrong=1'], ['--test']])
      expectRefused(untyped({ n: 1, wrong }), argv, 'PARAMETER', '"wrong"', ...named);
  });

  it.each(['undefined', 'bigint', 'function', 'symbol'])('of type %s are refused', (type) => {
    const value = { undefined, bigint: 1n, function: () => 1, symbol: Symbol('s') }[type];
    const parameters = Object.defineProperty({}, 'wrong', { value, enumerable: true });
    expectRefused(parameters, [], 'PARAMETER', '"wrong"', type);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('may not be %d, which cannot be an argument', (value) => {
    expectRefused({ n: [1, value] }, [], 'PARAMETER', String(value));
  });

  it.each(['', 'a=b', 'a\nb'])('cannot have the name %j, because an argument begins with it', (name) => {
    expectRefused({ [name]: 1 }, [], 'PARAMETER', 'name');
  });
});

describe('groups', () => {
  const groups = {
    fast: { len: [1, 2], n: 1e6 },
    slow: { chunk: 16, n: 10 },
  } as const satisfies GroupedParameters;
  const expandAll = (argv: readonly string[], options: ExpansionOptions = {}, selected?: readonly string[]) =>
    expandGroups(groups, readArguments(argv), options, selected);

  const [one, two] = ['group=fast n=1000000 len=1', 'group=fast n=1000000 len=2'];
  const slow = 'group=slow n=10 chunk=16';
  const shortest = ['group=fast n=1 len=1', 'group=slow n=1 chunk=1'];
  const combinationFilter = ({ group, len }: AnyConfiguration) => group === 'fast' && len === 2;
  it.each<
    [what: string, argv: string[], options: ExpansionOptions, selected: string[] | undefined, string[]]
  >([
    ['are expanded separately, each with its name', [], {}, undefined, [one, two, slow]],
    ['are selected by NODE_RUN_BENCHMARK_GROUPS', [], {}, ['slow'], [slow]],
    ['are in the order of NODE_RUN_BENCHMARK_GROUPS', ['len=1'], {}, ['slow', 'fast'], [slow, one]],
    ['are selected by an argument, which wins', ['group=slow'], {}, ['fast'], [slow]],
    ['are selected by several arguments', ['group=slow', 'group=fast', 'len=1'], {}, undefined, [slow, one]],
    ['are passed to combinationFilter with their name', [], { combinationFilter }, undefined, [two]],
    ['get one configuration each in test mode', ['--test'], {}, undefined, shortest],
    [
      'get only the overrides of their own parameters in test mode, and keep their names',
      ['--test'],
      { test: { len: [7, 8], n: 2, group: 'other' } },
      undefined,
      ['group=fast n=2 len=7', 'group=fast n=2 len=8', 'group=slow n=2 chunk=1'],
    ],
  ])('%s', (_, argv, options, selected, expected) => {
    expect(printed(expandAll(argv, options, selected))).toEqual(expected);
  });

  it('are an error that lists the known ones if NODE_RUN_BENCHMARK_GROUPS has an unknown one', () => {
    expect(() => expandAll([], {}, ['fast', 'quick'])).toThrow(
      errorWith('UNKNOWN_GROUP', '"quick"', 'fast, slow'),
    );
  });

  it.each(['quick', 'constructor', 'toString', '__proto__'])('are unknown if an argument has %s', (name) => {
    expect(() => expandAll([`group=${name}`])).toThrow(errorWith('UNKNOWN_GROUP', name, 'fast, slow'));
  });

  it('use the arguments of their parameters; an argument of no group is extra', () => {
    const { configurations, extra } = expandAll(['chunk=8', 'len=4', 'benchmarker=wrk']);
    expect(configurations).toEqual([
      { group: 'fast', n: 1e6, len: 4 },
      { group: 'slow', n: 10, chunk: 8 },
    ]);
    expect(extra).toEqual({ benchmarker: 'wrk' });
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
    expect(printed(expandWith({ [name]: [1, 2] }, [`${name}=3`]))).toEqual([`${name}=3`]);
    expect(expandWith({ n: [1] }, [`${name}=3`]).extra).toEqual({ [name]: '3' });
  });

  it('are refused if objects cannot have them', () => {
    expectRefused(untyped({ ['__proto__']: [1] }), [], 'PARAMETER', '__proto__');
  });
});
