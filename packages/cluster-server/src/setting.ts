import { UsageError } from '@bench-cli/results';
import { z } from 'zod';

/** A whole number within bounds; it may be a text, from an environment variable or a flag. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number, ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

/**
 * Makes a function that reads settings from environment variables, which given options override, and adds defaults.
 *
 * @param variables the variables of each setting; the first one that is set and not empty counts
 */
export function settingsReader<Schema extends z.ZodType>(
  schema: Schema,
  variables: Readonly<Record<string, readonly string[]>>,
) {
  return (
    environment: Readonly<Record<string, string | undefined>>,
    options: object = {},
  ): z.output<Schema> => {
    const ofEnvironment = Object.entries(variables).map(([setting, names]): [string, unknown] => [
      setting,
      names.map((name) => environment[name]).find((value) => value !== undefined && value !== ''),
    ]);
    const values: Readonly<Record<string, unknown>> = Object.fromEntries(
      [...ofEnvironment, ...Object.entries(options)].filter(([, value]) => value !== undefined),
    );
    const parsed = schema.safeParse(values);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const setting = String(issue?.path[0] ?? '');
    const name = variables[setting]?.[0] ?? setting;
    const given = setting in values ? `, not ${JSON.stringify(values[setting])}` : '';
    throw new UsageError('ERR_BENCH_OPTION', `${name} ${issue?.message}${given}`);
  };
}
