import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../packages', import.meta.url));

/** A directory of benchmark files, which `using` removes. */
export interface TemporarySuite extends Disposable {
  readonly directory: string;
  /** The absolute path of a file in it. */
  path(name: string): string;
}

/** Writes files to a temporary directory in which `@bench-cli/core` and bench-node can be imported. */
export function temporarySuite(files: Readonly<Record<string, string>>): TemporarySuite {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-suite-'));
  const path = (name: string) => join(directory, name);
  mkdirSync(path('node_modules/@bench-cli'), { recursive: true });
  symlinkSync(join(packages, 'core'), path('node_modules/@bench-cli/core'));
  symlinkSync(join(packages, 'agent/node_modules/bench-node'), path('node_modules/bench-node'));
  writeFileSync(path('package.json'), '{ "type": "module" }\n');
  writeFiles(directory, files);
  return { directory, path, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

/** Writes files to a directory. What begins with `#!` can be executed. */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [name, source] of Object.entries(files)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, source);
    if (source.startsWith('#!')) chmodSync(path, 0o755);
  }
}

/**
 * Makes the directory `cache` of a suite the cache of bench-cli for its commands. It shares what takes long to make: compiled code, and
 * the digests of runtimes.
 */
export function privateCache({ path }: Pick<TemporarySuite, 'path'>): string {
  const cache = path('cache');
  mkdirSync(cache, { mode: 0o700 });
  for (const name of ['compiled', 'digests']) {
    const shared = join(process.env['BENCH_CLI_CACHE'] ?? '', name);
    mkdirSync(shared, { recursive: true, mode: 0o700 });
    symlinkSync(shared, join(cache, name));
  }
  return cache;
}

/**
 * The source of a module for `--require`: in its process, the clock goes on by 50 ns whenever it is read. What is read twice in a row is too
 * short to measure, whatever else the machine does.
 */
export const steppingClock = 'let now = 0n; process.hrtime.bigint = () => (now += 50n);';

/** Long enough for the clock. */
export const shortOperation =
  'bench.start(); for (const from = performance.now(); performance.now() - from < 0.3; ); bench.end(1);';

/** The source of a benchmark with these parameters. `main` is the body of its function, with `conf` and `bench`. */
export function benchmark(
  parameters: string,
  main = shortOperation,
  { options = '', head = '' }: { readonly options?: string; readonly head?: string } = {},
): string {
  return `import { createBenchmark } from '@bench-cli/core';\n${head}\ncreateBenchmark(async (conf, bench) => { ${main} }, ${parameters}${options && `, ${options}`});\n`;
}
