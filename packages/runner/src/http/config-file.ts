import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Benchmarker, builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { z } from 'zod';
import { UsageError } from '@bench-cli/results';

/** What `bench.http()` reads of the default export of a file `bench-cli.config.ts` (or .mts, .js, .mjs). */
export interface BenchmarkerConfig {
  /** Load tools beside the built-in ones; one of the same name takes the place of a built-in. */
  readonly benchmarkers?: readonly Benchmarker[];
}

const names = ['ts', 'mts', 'js', 'mjs'].map((extension) => `bench-cli.config.${extension}`);

const shape = z.object({
  name: z.string().min(1),
  protocols: z.array(z.enum(['http', 'https', 'http2'])).min(1),
  supports: z.array(z.string()),
  available: z.function(),
  run: z.function(),
});

const benchmarkerSchema = z.custom<Benchmarker>(
  (value) => shape.safeParse(value).success,
  'is no benchmarker; make it with defineBenchmarker of @bench-cli/benchmarkers',
);

// `clients` is read by @bench-cli/cluster-server.
const configSchema = z.strictObject({
  benchmarkers: z.array(benchmarkerSchema).optional(),
  clients: z.unknown().optional(),
});

/** The config file that is nearest to a benchmark script, upwards. */
export function findConfig(script: string): string | undefined {
  return nearest(dirname(script));
}

/**
 * Loads a config file; without one, the defaults.
 * @throws UsageError that names the file and what is wrong in it
 */
export async function loadConfig(
  path: string | undefined,
): Promise<{ readonly registered: readonly Benchmarker[] }> {
  if (path === undefined) return { registered: builtInBenchmarkers };
  const module: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw new UsageError(
      'ERR_BENCH_CONFIG_FILE',
      `${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  const parsed = z.object({ default: configSchema }).safeParse(module);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw new UsageError(
      'ERR_BENCH_CONFIG_FILE',
      `${path}: ${issue?.path.slice(1).join('.') || 'the default export'}: ${issue?.message}`,
    );
  }
  return { registered: register(parsed.data.default.benchmarkers ?? []) };
}

/** One of the name of a built-in has its place, so that it is also chosen in its place. */
function register(own: readonly Benchmarker[]): readonly Benchmarker[] {
  const known = builtInBenchmarkers.map(
    (builtIn) => own.findLast(({ name }) => name === builtIn.name) ?? builtIn,
  );
  return [...known, ...own.filter((benchmarker) => !known.includes(benchmarker))];
}

function nearest(directory: string): string | undefined {
  const found = names.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (found !== undefined) return found;
  const parent = dirname(directory);
  return parent === directory ? undefined : nearest(parent);
}
