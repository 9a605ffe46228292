import { UsageError } from '@bench-cli/results';
import { z } from 'zod';

/** A whole number within bounds; it may be a text, from an environment variable or a flag. */
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
 * Makes the function that completes options: those that are given, then those of environment variables, then defaults. Nothing else reads
 * the variables or converts texts.
 *
 * @param variables those of undici's benchmarks, and further ones; of two for one option, the first that is set counts
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
    const set = variables.flatMap(([variable, option, read = String]) => {
      const text = environment[variable];
      return text === undefined || text === '' ? [] : [{ option, text, value: read(text) }];
    });
    const values = new Map<PropertyKey, unknown>(
      set.toReversed().map(({ option, value }) => [option, value]),
    );
    for (const [option, value] of Object.entries(given)) if (value !== undefined) values.set(option, value);
    const parsed = schema.safeParse(Object.fromEntries(values));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const wrong = issue?.path[0] ?? '';
    const [name = wrong] = variables.find(([, option]) => option === wrong) ?? [];
    const { text = values.get(wrong) } =
      set.find(({ option, value }) => option === wrong && value === values.get(wrong)) ?? {};
    const found = values.has(wrong) ? `, not ${JSON.stringify(text)}` : '';
    throw new UsageError('ERR_BENCH_OPTION', `${String(name)} ${issue?.message}${found}`);
  };
}
