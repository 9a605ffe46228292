import { inspect } from 'node:util';

export type Callback = (this: undefined, context: unknown) => unknown;

/** Errors of `node:bench` with the types and codes of Node.js, and checks of what a file passes. */

export function invalidState(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_INVALID_STATE' });
}

export function invalidType(what: string, expected: string, value: unknown): TypeError {
  const message = `${what} must be ${expected}, not ${typeof value === 'string' ? `"${value}"` : shown(value)}`;
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

export function invalidValue(what: string, expected: string, value: string): TypeError {
  const message = `${what} must be ${expected}, not "${value}"`;
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_VALUE' });
}

export function outOfRange(what: string, expected: string, value: unknown): RangeError {
  const message = `${what} must be ${expected}, not ${shown(value)}`;
  return Object.assign(new RangeError(message), { code: 'ERR_OUT_OF_RANGE' });
}

function shown(value: unknown): string {
  return inspect(value, { depth: 0 });
}

export function checkFunction(value: unknown, what: string): Callback {
  if (typeof value !== 'function') throw invalidType(what, 'a function', value);
  return (context) => Reflect.apply(value, undefined, [context]);
}

export function checkObject(value: unknown, what: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw invalidType(what, 'an object', value);
}

export function checkInteger(value: unknown, what: string, least: number, most: number): number {
  if (typeof value !== 'number') throw invalidType(what, 'a number', value);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw outOfRange(what, `an integer from ${least} to ${most}`, value);
}
