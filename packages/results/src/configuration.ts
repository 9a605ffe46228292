import { inspect } from 'node:util';
import type { AnyConfiguration, ParameterValue } from '@bench-cli/core';
import { shownIn } from './foreign-text.ts';

export type { ParameterValue };

/** One value of each parameter, in the printed order. */
export type Configuration = AnyConfiguration;

/** The own value of a record for a foreign name: all objects have `constructor`, for example. */
export function ownValue<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** `name=value` of each parameter, as arguments of scripts: `['n=1000', 'type=fast']`. */
export function argumentsOf(
  configuration: Configuration,
  textOf: (value: ParameterValue) => string = String,
): string[] {
  return Object.entries(configuration).map(([name, value]) => `${name}=${textOf(value)}`);
}

/** `name=value` of each parameter for people. The task of a group has no name. */
export function shownArguments(configuration: Configuration): string {
  return Object.entries(configuration)
    .map(([name, value]) => {
      const text = String(value);
      return name === '' ? shownIn('name', text) : `${shownIn('name', name)}=${shownIn('value', text)}`;
    })
    .join(' ');
}

/** The text in tables and in Node core's compare.js, with values by `util.inspect`: `n=1000 type='fast'`. */
export function configurationText(configuration: Configuration): string {
  return argumentsOf(configuration, inspect).join(' ');
}

/** `name=`, then a text in one of the three quotes of `util.inspect`, or anything up to a blank. */
const ENTRY = /(?<=^|\s)([^\s=]+)=(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(\S*))/gs;

/**
 * Reads a configuration from a CSV of compare.js or run.js. Quoted values are text; other values are booleans
 * or numbers if they look like one.
 */
export function parseConfiguration(text: string): Configuration {
  const values = Array.from(text.matchAll(ENTRY), ([, name = '', single, double, back, plain = '']) => {
    const quoted = single ?? double ?? back;
    return [name, quoted === undefined ? plainValue(plain) : unescaped(quoted)] as const;
  });
  return Object.fromEntries(values);
}

function plainValue(text: string): ParameterValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? text : number;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|.)/gis, (_, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPED[code] ?? code),
  );
}
