import { type Case, parameterOf } from './case.ts';
import type { ParameterValue } from './configuration.ts';
import { nameOrder } from './name-order.ts';
import { UsageError } from './usage-error.ts';

const OPERATORS = ['=', '!=', '>=', '<=', '>', '<'] as const;

export interface Condition {
  /** The parameter; `benchmark` for the benchmark's name. */
  readonly name: string;
  readonly operator: (typeof OPERATORS)[number];
  readonly value: string;
}

const CONDITION = /^\s*([^\s=!<>]+)\s*(=|!=|>=|<=|>|<)\s*(.*?)\s*$/s;

/**
 * Reads a condition. `=` and `!=` compare text, or numbers by value (`n=1e3` is `n=1000`); others compare
 * numbers.
 * @throws UsageError for an invalid condition
 */
export function parseCondition(text: string): Condition {
  const [, name, sign, value] = CONDITION.exec(text) ?? [];
  const operator = OPERATORS.find((it) => it === sign);
  if (name === undefined || operator === undefined || value === undefined) {
    const problem = `"${text}" is not a valid condition: write a parameter, one of ${OPERATORS.join(' ')}, and a value, such as encoding=ascii or len>=1024`;
    throw new UsageError('ERR_BENCH_CONDITION', problem);
  }
  const isOrder = operator !== '=' && operator !== '!=';
  if (isOrder && !isNumber(value)) {
    const problem = `"${text}" compares with "${value}", which is not a number: use = or != for text`;
    throw new UsageError('ERR_BENCH_CONDITION', problem);
  }
  return { name, operator, value };
}

/** A case without the parameter fails a condition. @throws UsageError if no case is left */
export function casesWhere<Item extends Case>(
  cases: readonly Item[],
  conditions: readonly Condition[],
): readonly Item[] {
  if (conditions.length === 0) return cases;
  const names = conditions.map(({ name }) => name);
  requireParameters(cases, names);
  const kept = cases.filter((item) => meetsAll(item, conditions));
  if (kept.length > 0) return kept;
  const text = conditions.map(({ name, operator, value }) => `${name}${operator}${value}`).join(' and ');
  const problem = `no case meets ${text}: leave out a condition or correct its value`;
  throw new UsageError('ERR_BENCH_NO_MATCH', problem);
}

export function meetsAll(item: Case, conditions: readonly Condition[]): boolean {
  return conditions.every((condition) => meets(parameterOf(item, condition.name), condition));
}

/** @throws UsageError that lists the parameters, for a name that no case has */
export function requireParameters(cases: readonly Case[], names: readonly string[]): void {
  const known = new Set(['benchmark', ...cases.flatMap(({ configuration }) => Object.keys(configuration))]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return;
  const problem = `unknown parameter "${unknown}": no case has it; choose one of ${[...known].join(', ')}`;
  throw new UsageError('ERR_BENCH_UNKNOWN_PARAMETER', problem);
}

export interface CaseGroup<Item> {
  /** The values in the order of the names; `-` for a parameter that the cases lack. */
  readonly values: Readonly<Record<string, string>>;
  readonly members: readonly Item[];
}

/** Groups cases by values of parameters, in their order. `benchmark` is the benchmark's name. */
export function groupCases<Item extends Case>(
  cases: readonly Item[],
  names: readonly string[],
): readonly CaseGroup<Item>[] {
  const valueIn = (item: Item | undefined, name: string) => (item && parameterOf(item, name)) ?? '-';
  const groups = Map.groupBy(cases, (item) => JSON.stringify(names.map((name) => valueIn(item, name))));
  const order = valueOrder();
  return [...groups.values()]
    .sort(([a], [b]) => {
      const orders = names.map((name) => order(valueIn(a, name), valueIn(b, name)));
      return orders.find((result) => result !== 0) ?? 0;
    })
    .map((members) => ({
      values: Object.fromEntries(names.map((name) => [name, String(valueIn(members[0], name))])),
      members,
    }));
}

/** Numbers by value, text by name. */
export function valueOrder(): (a: ParameterValue, b: ParameterValue) => number {
  const order = nameOrder();
  return (a, b) => (typeof a === 'number' && typeof b === 'number' ? a - b : order(String(a), String(b)));
}

function meets(actual: ParameterValue | undefined, { operator, value }: Condition): boolean {
  if (actual === undefined) return false;
  const text = String(actual);
  if (isNumber(text) && isNumber(value)) return holds(Number(text), operator, Number(value));
  // Users copy values with the quotes of printed configurations.
  const unquoted = value.replace(/^(['"])(.*)\1$/s, '$2');
  return (operator === '=' || operator === '!=') && holds(text, operator, unquoted);
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && !Number.isNaN(Number(text));
}

/** The signs of the difference for which each operator holds. */
const signs = { '=': [0], '!=': [-1, 1], '>=': [0, 1], '<=': [-1, 0], '>': [1], '<': [-1] };

function holds<Value extends string | number>(a: Value, operator: Condition['operator'], b: Value): boolean {
  return signs[operator].includes(a < b ? -1 : Number(a > b));
}
