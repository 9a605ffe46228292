import { UsageError } from '@bench-cli/results';
import { z } from 'zod';

/** A whole number within bounds; it may be a text, from an environment variable or a flag. @internal */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number, ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

/** An environment variable that sets an option. `read` converts its unit, if the option has another one. */
export type OptionVariable<Option> = readonly [
  variable: string,
  option: Option,
  read?: (text: string) => number,
];

/**
 * Makes the function that completes options: given ones, then environment variables, then defaults. Nothing
 * else reads the variables or converts texts.
 *
 * @param variables those of undici's benchmarks, and further ones; the first that is set counts
 * @internal
 */
export function optionsReader<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  variables: readonly OptionVariable<keyof Shape>[],
) {
  /** @throws UsageError that names the variable of the first invalid option */
  return (
    given: { readonly [Option in keyof Shape]?: unknown } = {},
    environment: Readonly<Record<string, string | undefined>> = {},
  ): z.output<typeof schema> => {
    const values: Partial<Record<keyof Shape, unknown>> = {};
    const set: Partial<Record<keyof Shape, { readonly variable: string; readonly text: string }>> = {};
    for (const [variable, option, read = String] of variables.toReversed()) {
      const text = environment[variable];
      if (text === undefined || text === '') continue;
      values[option] = read(text);
      set[option] = { variable, text };
    }
    const defined = Object.entries(given).filter(([, value]) => value !== undefined);
    const all = { ...values, ...Object.fromEntries(defined) };
    const parsed = schema.safeParse(all);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const wrong = String(issue?.path[0] ?? '');
    const [usual = wrong] = variables.find(([, option]) => option === wrong) ?? [];
    const { variable: name = usual, text } = (given[wrong] === undefined && set[wrong]) || {};
    const value = given[wrong] ?? text;
    const found = value === undefined ? '' : `, not ${JSON.stringify(value)}`;
    throw new UsageError('ERR_BENCH_OPTION', `${name} ${issue?.message}${found}`);
  };
}
