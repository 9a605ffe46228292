import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

const packages = new URL('../../packages/', import.meta.url);

/** The command, as users start it. */
export const bin: string = fileURLToPath(new URL('cli/bin/bench-cli.js', packages));

/** What benchmark scripts import. */
export const coreEntry: string = fileURLToPath(import.meta.resolve('@bench-cli/core'));

/** A measured figure and the limit that it must keep. */
export interface Budget {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
  /** One for each round; their median must keep the limit. */
  readonly ratios: readonly number[];
  readonly limit: number;
}

/** A command whose wall time is measured. */
export interface Contender {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** A file for standard input. */
  readonly inputFile?: string;
}

/** Runs the contenders turn by turn, so that the load of the machine hits them alike; wall times in milliseconds. */
export async function timeSideBySide(contenders: readonly Contender[], rounds: number): Promise<number[][]> {
  const times: number[][] = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) times[index]?.push(await timeOf(contender));
  }
  return times;
}

async function timeOf({ command, args, inputFile }: Contender): Promise<number> {
  const startedAtMs = performance.now();
  await execa(command, args, {
    stdout: 'ignore',
    ...(inputFile === undefined ? { stdin: 'ignore' as const } : { inputFile }),
  });
  return performance.now() - startedAtMs;
}

/** The middle of a list of numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}

/** The ratios of the rounds: each compares what ran side by side. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((time, round) => time / (theirs[round] ?? Number.NaN));
}

/** Makes a suite of the given files in a temporary directory where `@bench-cli/core` can be imported. */
export async function withSuite<T>(
  files: Readonly<Record<string, string>>,
  use: (suite: string) => Promise<T>,
): Promise<T> {
  const suite = mkdtempSync(join(tmpdir(), 'bench-cli-suite-'));
  try {
    mkdirSync(join(suite, 'node_modules/@bench-cli'), { recursive: true });
    symlinkSync(fileURLToPath(new URL('core', packages)), join(suite, 'node_modules/@bench-cli/core'));
    writeFileSync(join(suite, 'package.json'), '{ "type": "module" }\n');
    for (const [name, source] of Object.entries(files)) {
      mkdirSync(dirname(join(suite, name)), { recursive: true });
      writeFileSync(join(suite, name), source);
    }
    return await use(suite);
  } finally {
    rmSync(suite, { recursive: true });
  }
}
