import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** Options for starting a script. */
export interface Start {
  readonly arguments?: readonly string[];
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The exit code and output of a script. */
export interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary suite of scripts, which can import `@bench-cli/core`. */
export class Suite {
  readonly directory = realpathSync(mkdtempSync(join(tmpdir(), 'bench-cli-script-')));
  readonly #started: ChildProcess[] = [];

  constructor() {
    const core = fileURLToPath(new URL('../../packages/core', import.meta.url));
    mkdirSync(join(this.directory, 'node_modules', '@bench-cli'), { recursive: true });
    symlinkSync(core, join(this.directory, 'node_modules', '@bench-cli', 'core'), 'dir');
  }

  /** Writes a script, and returns its path. */
  write(name: string, source: string): string {
    const file = join(this.directory, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${source.trim()}\n`);
    return file;
  }

  /** Writes a script that imports `createBenchmark`, and returns its path. */
  benchmark(name: string, source: string): string {
    return this.write(name, `import { createBenchmark } from '@bench-cli/core';\n${source.trim()}`);
  }

  /** Starts a script. The caller reads its output. */
  start(file: string, { arguments: values = [], flags = [], environment = {} }: Start = {}) {
    const child = spawn(process.execPath, [...flags, file, ...values], {
      env: { ...cleanEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#started.push(child);
    return child;
  }

  /** Runs a script to its end, as `node file.ts` in a terminal does. */
  async run(file: string, start: Start = {}): Promise<Ending> {
    const child = this.start(file, start);
    const [code, stdout, stderr] = await Promise.all([
      new Promise<number | null>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', resolve);
      }),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stdout, stderr };
  }

  /** Ends processes that a failed test has left, and removes the files. */
  remove(): void {
    for (const child of this.#started) child.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  }
}

/** The environment of this process without variables that change what a script does. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  const meant = ([name]: [string, unknown]): boolean =>
    /^(NODE_RUN_BENCHMARK_|NODE_BENCHMARK_FLAGS|NODEJS_BENCHMARK_|BENCH_CLI_|NODE_OPTIONS)/.test(name);
  return Object.fromEntries(Object.entries(process.env).filter((entry) => !meant(entry)));
}

/** The lines of an output. */
export function linesOf(output: string): string[] {
  return output.split('\n').filter((line) => line !== '');
}
