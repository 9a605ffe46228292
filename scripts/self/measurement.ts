import { execa } from 'execa';

/** A measured figure and its limit. */
export interface Budget {
  readonly name: string;
  readonly ours: string;
  readonly theirs: string;
  /** One per round; the median must not exceed the limit. */
  readonly ratios: readonly number[];
  readonly limit: number;
}

/** A command whose wall time is measured. */
export interface Contender {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The file for standard input. */
  readonly inputFile?: string;
}

/** Runs the contenders in turn, so that the load of the machine affects all of them. Returns wall times in milliseconds. */
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

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[half - 1] ?? upper)) / 2;
}

/** One ratio per round, of two times that were measured side by side. */
export function ratios(ours: readonly number[], theirs: readonly number[]): number[] {
  return ours.map((time, round) => time / (theirs[round] ?? Number.NaN));
}
