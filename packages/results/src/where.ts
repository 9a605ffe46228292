import type { SamplePair } from '@bench-cli/stats';
import { type Parameters, parameterValue, parseConfiguration } from './configuration.ts';
import { StatsInputError } from '@bench-cli/stats';
import type { ParameterValue, ScatterSample } from '@bench-cli/stats';

/** A condition on a parameter, such as `encoding=ascii` or `len>=1024`. */
export interface Condition {
  /** The parameter; `benchmark` for the benchmark's name. */
  readonly name: string;
  readonly operator: '=' | '!=' | '>=' | '<=' | '>' | '<';
  readonly value: string;
}

const CONDITION = /^\s*([^\s=!<>]+)\s*(=|!=|>=|<=|>|<)\s*(.*?)\s*$/s;
const OPERATORS = ['=', '!=', '>=', '<=', '>', '<'] as const;

/**
 * Reads a condition. `=` and `!=` compare text, numbers by value (`n=1e3` is `n=1000`); the others compare numbers.
 *
 * @throws StatsInputError for anything that is no condition.
 */
export function parseCondition(text: string): Condition {
  const [, name, sign, value] = CONDITION.exec(text) ?? [];
  const operator = OPERATORS.find((it) => it === sign);
  if (name === undefined || operator === undefined || value === undefined) {
    throw new StatsInputError(
      `"${text}" is no condition: write a parameter, one of ${OPERATORS.join(' ')}, and a value, such as encoding=ascii or len>=1024`,
    );
  }
  const isOrder = operator !== '=' && operator !== '!=';
  if (isOrder && !isNumber(value)) {
    throw new StatsInputError(`"${text}" compares with "${value}", which is no number: use = or != for text`);
  }
  return { name, operator, value };
}

/**
 * The pairs whose configurations meet all conditions. A configuration without the parameter does not.
 *
 * @throws StatsInputError for a parameter that no configuration has, and when nothing is left.
 */
export function pairsWhere(
  pairs: readonly SamplePair[],
  conditions: readonly Condition[],
): readonly SamplePair[] {
  return filtered(pairs, conditions, (pair) => parseConfiguration(pair.configuration));
}

/** As `pairsWhere`, for the samples of a scatter. */
export function samplesWhere(
  samples: readonly ScatterSample[],
  conditions: readonly Condition[],
): readonly ScatterSample[] {
  return filtered(samples, conditions, (sample) => new Map(Object.entries(sample.configuration)));
}

/**
 * Makes sure that names are parameters of at least one configuration.
 *
 * @throws StatsInputError that names those there are.
 */
export function requireParameterNames(pairs: readonly SamplePair[], names: readonly string[]): void {
  requireNames(
    pairs.map((pair) => parseConfiguration(pair.configuration)),
    names,
  );
}

function filtered<Item extends { readonly benchmark: string }>(
  items: readonly Item[],
  conditions: readonly Condition[],
  parametersOf: (item: Item) => Parameters,
): readonly Item[] {
  if (conditions.length === 0) return items;
  const entries = items.map((item) => ({ item, parameters: parametersOf(item) }));
  requireNames(
    entries.map(({ parameters }) => parameters),
    conditions.map(({ name }) => name),
  );
  const kept = entries.filter(({ item, parameters }) =>
    conditions.every((condition) =>
      meets(parameterValue(item.benchmark, parameters, condition.name), condition),
    ),
  );
  if (kept.length === 0) {
    const text = conditions.map(({ name, operator, value }) => `${name}${operator}${value}`).join(' and ');
    throw new StatsInputError(`no configuration meets ${text}: leave out a condition or correct its value`);
  }
  return kept.map(({ item }) => item);
}

function requireNames(configurations: readonly Parameters[], names: readonly string[]): void {
  const known = new Set(['benchmark', ...configurations.flatMap((parameters) => [...parameters.keys()])]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new StatsInputError(
      `"${unknown}" is no parameter of any configuration: choose one of ${[...known].join(', ')}`,
    );
  }
}

function meets(actual: ParameterValue | undefined, { operator, value }: Condition): boolean {
  if (actual === undefined) return false;
  const areNumbers = isNumber(String(actual)) && isNumber(value);
  const number = Number(actual);
  const limit = Number(value);
  switch (operator) {
    case '=':
      return areNumbers ? number === limit : String(actual) === unquoted(value);
    case '!=':
      return areNumbers ? number !== limit : String(actual) !== unquoted(value);
    case '>=':
      return areNumbers && number >= limit;
    case '<=':
      return areNumbers && number <= limit;
    case '>':
      return areNumbers && number > limit;
    case '<':
      return areNumbers && number < limit;
  }
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text));
}

/** Values may be copied with the quotes in which configurations print text. */
function unquoted(value: string): string {
  return /^(['"]).*\1$/s.test(value) ? value.slice(1, -1) : value;
}
