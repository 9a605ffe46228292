import { inspect } from 'node:util';

export type Callback = (this: undefined, context: unknown) => unknown;

/** Errors of `node:bench` with the types and codes of Node.js, and checks of what a file passes. */

export function invalidState(message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_INVALID_STATE' });
}

export const invalidType = wrongValue(TypeError, 'ERR_INVALID_ARG_TYPE');
export const invalidValue = wrongValue(TypeError, 'ERR_INVALID_ARG_VALUE');
export const outOfRange = wrongValue(RangeError, 'ERR_OUT_OF_RANGE');

function wrongValue(Type: ErrorConstructor, code: string) {
  return (what: string, expected: string, value: unknown): Error => {
    const shown = typeof value === 'string' ? `"${value}"` : inspect(value, { depth: 0 });
    return Object.assign(new Type(`${what} must be ${expected}, not ${shown}`), { code });
  };
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
