import { UsageError } from '@bench-cli/results';
import { z } from 'zod';

/** A whole number within bounds, also as the text that an environment variable or a flag holds. */
export function wholeNumber(least: number, most?: number) {
  const error = `takes a whole number, ${most === undefined ? `${least} or above` : `${least} to ${most}`}`;
  const above = z.coerce.number({ error }).int({ error }).min(least, { error });
  return most === undefined ? above : above.max(most, { error });
}

/**
 * Validates settings.
 *
 * @param nameOf what the user calls a setting
 * @throws UsageError that names the first wrong setting, what it takes, and what it was given
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
  const given = setting in values ? `, not ${JSON.stringify(values[setting])}` : '';
  throw new UsageError('ERR_BENCH_OPTION', `${nameOf(setting)} ${issue?.message ?? 'is wrong'}${given}`);
}

/** The values of variables, each setting's first that is set and not empty. */
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

/** The entries whose values are set. */
export function givenOnly(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
