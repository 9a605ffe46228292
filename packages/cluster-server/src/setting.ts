import { UsageError } from '@bench-cli/results';
import { z } from 'zod';

/** A whole number within bounds; it may be a text, from an environment variable or a flag. */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number, ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

/**
 * Reads settings from environment variables, which given options override, and adds defaults.
 * @param aliases further variables of a setting; the first variable that is set and not empty counts
 */
export function settingsReader<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  aliases: Readonly<Record<string, string>> = {},
) {
  const variables = Object.keys(schema.shape).map(
    (name) => [name, [variableOf(name), aliases[name] ?? []].flat()] as const,
  );
  return {
    /** The variables of all settings. */
    variables: variables.flatMap(([, names]) => names),
    /** @throws UsageError that names the first invalid variable */
    read: (
      environment: Readonly<Record<string, string | undefined>>,
      given: { readonly [Name in keyof Shape]?: unknown } = {},
    ): z.output<typeof schema> => {
      const ofEnvironment = variables.map(([setting, names]): [string, unknown] => [
        setting,
        names.map((name) => environment[name]).find((value) => value !== undefined && value !== ''),
      ]);
      const values: Readonly<Record<string, unknown>> = Object.fromEntries(
        [...ofEnvironment, ...Object.entries(given)].filter(([, value]) => value !== undefined),
      );
      const parsed = schema.safeParse(values);
      if (parsed.success) return parsed.data;
      const [issue] = parsed.error.issues;
      const setting = String(issue?.path[0] ?? '');
      const wrong = setting in values ? `, not ${JSON.stringify(values[setting])}` : '';
      throw new UsageError('ERR_BENCH_OPTION', `${variableOf(setting)} ${issue?.message}${wrong}`);
    },
  };
}

/** HEADERS_TIMEOUT for `headersTimeoutMs`: names in the style of undici's benchmarks, without units. */
function variableOf(setting: string): string {
  return setting
    .replace(/(Ms|Seconds|Path)$/, '')
    .replace(/[A-Z]/g, '_$&')
    .toUpperCase();
}
