import type { ParameterValue } from '@bench-cli/stats';

/** The parameters of a configuration, by name. */
export type Parameters = ReadonlyMap<string, ParameterValue>;

/** `name=`, then a text in one of the three quotes of `util.inspect`, or anything up to a blank. */
const ENTRY = /(?<=^|\s)([^\s=]+)=(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`|(\S*))/gs;

/**
 * Reads a configuration as compare.js and run.js print it, such as `n=1000 type='fast'`. What is in quotes is text;
 * anything else is a number if it looks like one.
 */
export function parseConfiguration(text: string): Parameters {
  const parameters = new Map<string, ParameterValue>();
  for (const [, name, single, double, back, plain] of text.matchAll(ENTRY)) {
    if (name === undefined) continue;
    const quoted = single ?? double ?? back;
    parameters.set(name, quoted === undefined ? numberOrText(plain ?? '') : unescaped(quoted));
  }
  return parameters;
}

/** The value of a parameter; `benchmark` is the benchmark's name unless a parameter is called so. */
export function parameterValue(
  benchmark: string,
  parameters: Parameters,
  name: string,
): ParameterValue | undefined {
  return parameters.get(name) ?? (name === 'benchmark' ? benchmark : undefined);
}

function numberOrText(text: string): ParameterValue {
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? text : number;
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-f]{2}|u[0-9a-f]{4}|.)/gis, (_, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (ESCAPED[code] ?? code),
  );
}
