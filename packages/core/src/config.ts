import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Benchmarker, builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { z } from 'zod';
import { BenchmarkError } from './error.ts';

/** What the default export of a file `bench-cli.config.ts` (or .mts, .js, .mjs) may hold. */
export interface Config {
  /** Load tools beside the built-in ones; one of the same name takes the place of a built-in. */
  readonly benchmarkers?: readonly Benchmarker[];
}

const names = ['ts', 'mts', 'js', 'mjs'].map((extension) => `bench-cli.config.${extension}`);

const benchmarkerSchema = z.custom<Benchmarker>(
  (value) =>
    typeof value === 'object' &&
    value !== null &&
    'name' in value &&
    'protocols' in value &&
    'run' in value &&
    typeof value.run === 'function',
  'is no benchmarker; make it with defineBenchmarker of @bench-cli/benchmarkers',
);

const configSchema = z.strictObject({ benchmarkers: z.array(benchmarkerSchema).optional() });

/**
 * Reads the config file that is nearest to a benchmark script, upwards; without one, the defaults.
 * @throws BenchmarkError that names the file and what is wrong in it
 */
export async function loadConfig(script: string): Promise<{ readonly registered: readonly Benchmarker[] }> {
  const path = findConfig(dirname(script));
  if (path === undefined) return { registered: builtInBenchmarkers };
  const module: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new BenchmarkError(
      `${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  const parsed = z.object({ default: configSchema }).safeParse(module);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new BenchmarkError(
      `${path}: ${issue?.path.slice(1).join('.') || 'the default export'}: ${issue?.message}`,
    );
  }
  return { registered: [...builtInBenchmarkers, ...(parsed.data.default.benchmarkers ?? [])] };
}

function findConfig(directory: string): string | undefined {
  const found = names.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const parent = dirname(directory);
  return parent === directory ? undefined : findConfig(parent);
}
