import { BenchmarkError } from './error.ts';
import type { AnyConfiguration, GroupedParameters, Parameters, ParameterValue } from './parameters.ts';

/** The arguments of a benchmark script, before they are applied to its parameters. */
export type ScriptArguments = Readonly<ReturnType<typeof readArguments>>;

/** The result of applying arguments to parameters. */
export type Expansion = Readonly<ReturnType<typeof expand>>;

/** The options of `createBenchmark` that affect the expansion. */
export interface ExpansionOptions {
  readonly combinationFilter?: (configuration: never) => boolean;
  readonly test?: Overrides;
}

/** Values that replace the defaults of test mode. */
type Overrides = Readonly<Record<string, Parameters[string] | undefined>>;

type Values = readonly ParameterValue[];

/** @throws BenchmarkError for an argument that is neither `--test` nor `key=value` */
export function readArguments(argv: readonly string[]) {
  const pairs: [string, string][] = [];
  let test = false;
  for (const argument of argv) {
    // A regular expression would cost every run a tenth of a millisecond. A name has at least one character.
    const end = argument.indexOf('=', 1);
    if (argument === '--test') test = true;
    else if (end > 0) pairs.push([argument.slice(0, end), argument.slice(end + 1)]);
    else {
      const problem = `invalid argument ${argument}: write name=value or --test`;
      throw new BenchmarkError('ERR_BENCH_ARGUMENT', problem);
    }
  }
  return { test, pairs };
}

/**
 * Expands parameters into configurations as Node core's `benchmark/common.js` does: the first parameter
 * varies slowest, and a configuration has its parameters in reverse order of declaration.
 * @throws BenchmarkError that names the invalid parameter
 */
export function expand(parameters: Parameters, given: ScriptArguments, options: ExpansionOptions = {}) {
  const values = valuesOf(parameters, given, options.test);
  const extra = given.pairs.filter(([key]) => !values.has(key));
  return {
    /** All configurations, in the order in which they run. */
    configurations: combine(values, options.combinationFilter),
    /** Arguments that are not parameters; the processes of configurations get them too. */
    extra: Object.fromEntries(extra),
  };
}

/**
 * Expands each group separately. A configuration has the name of its group as the parameter `group`, and a
 * `group=name` argument selects groups as NODE_RUN_BENCHMARK_GROUPS does.
 * @param selected names from NODE_RUN_BENCHMARK_GROUPS, or undefined for all groups
 * @throws BenchmarkError for an unknown group or an invalid parameter
 */
export function expandGroups(
  groups: GroupedParameters,
  given: ScriptArguments,
  options: ExpansionOptions,
  selected: readonly string[] | undefined,
): Expansion {
  const named = given.pairs.filter(([key]) => key === 'group').map(([, value]) => value);
  const names = named.length > 0 ? named : (selected ?? Object.keys(groups));
  const others: ScriptArguments = { test: given.test, pairs: given.pairs.filter(([key]) => key !== 'group') };
  const expansions = names.map((name) => {
    const parameters = Object.hasOwn(groups, name) ? groups[name] : undefined;
    if (parameters === undefined) {
      const problem = `unknown group "${name}": choose one of ${Object.keys(groups).join(', ')}`;
      throw new BenchmarkError('ERR_BENCH_UNKNOWN_GROUP', problem);
    }
    // Only the overrides of parameters of the group. The name of the group cannot be overridden.
    const test: Overrides = Object.fromEntries(
      Object.entries(options.test ?? {}).filter(([name]) => Object.hasOwn(parameters, name)),
    );
    return expand({ ...parameters, group: name }, others, { ...options, test });
  });
  // An argument that is a parameter of one group is not extra.
  const extra = Object.entries(expansions[0]?.extra ?? {}).filter(([key]) =>
    expansions.every((expansion) => Object.hasOwn(expansion.extra, key)),
  );
  return {
    configurations: expansions.flatMap(({ configurations }) => configurations),
    extra: Object.fromEntries(extra),
  };
}

function valuesOf(parameters: Parameters, given: ScriptArguments, overrides: Overrides | undefined) {
  const values = new Map<string, Values>();
  for (const [name, declared] of Object.entries(parameters)) {
    const list = checkValues(name, declared);
    values.set(name, given.test ? [testValue(name, list[0] ?? '')] : list);
  }
  for (const [name, override] of Object.entries(given.test ? (overrides ?? {}) : {}))
    if (override !== undefined) values.set(name, checkValues(name, override));
  const replaced = new Map<string, ParameterValue[]>();
  for (const [name, text] of given.pairs) {
    const declared = values.get(name);
    if (declared === undefined) continue;
    replaced.set(name, [...(replaced.get(name) ?? []), readValue(name, text, declared[0])]);
  }
  return new Map([...values, ...replaced]);
}

/** The value for the shortest run that still works: the first one, with limited counts and durations. */
function testValue(name: string, value: ParameterValue): ParameterValue {
  if (typeof value !== 'number') return value;
  if (name === 'dur' || name === 'duration') return 0.05;
  return value > 1 ? 1 : value;
}

/** Reads an argument as a value of the type of the declared values. */
function readValue(name: string, text: string, declared: ParameterValue | undefined): ParameterValue {
  const type = typeof declared;
  if (type !== 'number' && type !== 'boolean') return text;
  if (type === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const problem = `${name}=${text} is invalid: parameter "${name}" takes ${type === 'number' ? 'finite numbers' : 'true and false'}`;
  throw new BenchmarkError('ERR_BENCH_ARGUMENT', problem);
}

function checkValues(name: string, declared: unknown): Values {
  if (name === '__proto__') throw invalidParameter(name, 'a reserved name: choose another one');
  // The name is the beginning of an argument.
  if (name === '' || ['=', '\n', '\r'].some((character) => name.includes(character)))
    throw invalidParameter(name, 'a name that is empty, or has "=" or a line break');
  const list: readonly unknown[] = Array.isArray(declared) ? declared : [declared];
  const values: ParameterValue[] = [];
  for (const value of list) {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      const type = value === null ? 'null' : typeof value;
      throw invalidParameter(name, `a value of type ${type}: use strings, numbers or booleans`);
    }
    if (values.length > 0 && typeof value !== typeof values[0])
      throw invalidParameter(name, 'values of mixed types: use values of one type');
    if (typeof value === 'number' && !Number.isFinite(value))
      throw invalidParameter(name, `the value ${value}, which cannot be an argument: leave it out`);
    values.push(value);
  }
  if (values.length === 0) throw invalidParameter(name, 'no values: add at least one');
  return values;
}

function invalidParameter(name: string, problem: string): BenchmarkError {
  return new BenchmarkError('ERR_BENCH_PARAMETER', `parameter "${name}" has ${problem}`);
}

function combine(values: ReadonlyMap<string, Values>, filter: ExpansionOptions['combinationFilter']) {
  const lists = [...values];
  const configurations: AnyConfiguration[] = [];
  const walk = (depth: number, outer: AnyConfiguration): void => {
    const [name, list = []] = lists[depth] ?? [];
    if (name === undefined) {
      if (passes(filter, outer)) configurations.push(outer);
      return;
    }
    for (const value of list) walk(depth + 1, { [name]: value, ...outer });
  };
  walk(0, {});
  return configurations;
}

function passes(filter: ExpansionOptions['combinationFilter'], configuration: AnyConfiguration): boolean {
  if (filter === undefined) return true;
  // The filter gets a copy, because it may change it.
  const allowed: unknown = Reflect.apply(filter, undefined, [{ ...configuration }]);
  if (typeof allowed !== 'boolean') {
    const problem = `combinationFilter returned ${String(allowed)}: it must return true or false`;
    throw new BenchmarkError('ERR_BENCH_FILTER', problem);
  }
  return allowed;
}
