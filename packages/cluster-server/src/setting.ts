import { UsageError } from '@bench-cli/results';
import { z } from 'zod';

/** A whole number within bounds; it may be a text, from an environment variable or a flag. */
export function wholeNumber(least: number, most?: number) {
  const error = `must be a whole number, ${most === undefined ? `at least ${least}` : `${least} to ${most}`}`;
  const above = z.coerce.number({ error }).int({ error }).min(least, { error });
  return most === undefined ? above : above.max(most, { error });
}

/**
 * Validates settings and adds defaults.
 *
 * @param nameOf the name that the user knows a setting by
 * @throws UsageError that names the first invalid setting, its value, and the valid values
 */
export function parseSettings<Schema extends z.ZodType>(
  schema: Schema,
  values: Readonly<Record<string, unknown>>,
  nameOf: (setting: string) => string,
): z.output<Schema> {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const setting = String(issue?.path[0] ?? '');
  const name = setting === '' ? '' : `${nameOf(setting)} `;
  const given = setting in values ? `, not ${JSON.stringify(values[setting])}` : '';
  throw new UsageError('ERR_BENCH_OPTION', `${name}${issue?.message}${given}`);
}

/** The values of environment variables: for each setting the first variable that is set and not empty. */
export function fromEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  variables: Readonly<Record<string, readonly string[]>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([setting, names]) => {
      const value = names.map((name) => environment[name]).find((it) => it !== undefined && it !== '');
      return value === undefined ? [] : [[setting, value]];
    }),
  );
}

/** The entries whose values are not undefined. */
export function givenOnly(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
