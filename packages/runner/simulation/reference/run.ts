import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Nanoseconds of each candidate for a reference. */
export type References = Readonly<Record<string, number>>;

/** A run of a benchmark of Node core's suite with references. */
export interface ReferenceRun {
  /** Operations per second. */
  readonly rate: number;
  readonly before: References;
  readonly after: References;
  /** Milliseconds of the process that were not measured. */
  readonly overheadMs: number;
  /** Milliseconds of the measured part. */
  readonly measuredMs: number;
}

interface Reported {
  readonly type?: string;
  readonly rate?: number;
  readonly time?: string;
  readonly before?: References;
  readonly after?: References;
}

const probe = fileURLToPath(new URL('probe.cjs', import.meta.url));

/** @throws Error if the benchmark fails */
export async function runWithReferences(
  executable: string,
  script: string,
  args: readonly string[],
): Promise<ReferenceRun> {
  const startedAt = performance.now();
  const child = fork(script, args, {
    execPath: executable,
    execArgv: ['--require', probe],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_RUN_BENCHMARK_FN: '' },
  });
  let reported: Reported = {};
  child.on('message', (message: Reported) => {
    reported = { ...reported, ...message };
  });
  await new Promise((resolve) => child.once('close', resolve));
  const { rate, time, before, after } = reported;
  if (rate === undefined || before === undefined || after === undefined)
    throw new Error(`${script} ${args.join(' ')} has no result`);
  const measuredMs = Number(time) * 1000;
  return { rate, before, after, measuredMs, overheadMs: performance.now() - startedAt - measuredMs };
}
