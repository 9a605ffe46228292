import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPerfOutput } from './perf-output.ts';

/** Milliseconds until perf must have answered. It takes about 10. */
const PATIENCE_MS = 5000;

/**
 * Counts events of this process with `perf stat`, from the return of this function until `end`. perf attaches to the process
 * while its counters are off, and switches them on and off by commands through a fifo, so that only what lies between is counted.
 * @throws Error if perf does not answer, or does not count an event
 */
export function countEvents(events: readonly string[]): { end(): ReadonlyMap<string, number> } {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-perf-'));
  const [control, answers, output] = ['control', 'answers', 'output'].map((name) => join(directory, name));
  if (control === undefined || answers === undefined || output === undefined) throw new RangeError();
  execFileSync('mkfifo', [control, answers]);
  // Opened for both, so that neither waits for perf.
  const flags = constants.O_RDWR | constants.O_NONBLOCK;
  const [toPerf, fromPerf] = [openSync(control, flags), openSync(answers, flags)];
  const perf = spawn(
    'perf',
    [
      ...['stat', '-x,', '-o', output, '-e', events.join(','), '-D', '-1'],
      ...[`--control=fifo:${control},${answers}`, '-p', String(process.pid)],
    ],
    { stdio: 'ignore', env: { ...process.env, LC_ALL: 'C' } },
  );
  perf.unref();
  perf.on('error', () => {});
  const command = (name: 'enable' | 'disable') => {
    writeSync(toPerf, `${name}\n`);
    waitFor(() => readIfAny(fromPerf).includes('ack'), `perf stat did not ${name} its counters`);
  };
  command('enable');
  return {
    end() {
      try {
        command('disable');
        perf.kill('SIGINT');
        let counts = readPerfOutput('');
        waitFor(() => {
          counts = readPerfOutput(readFileSync(output, 'utf8'));
          return events.every((event) => counts.has(event));
        }, 'perf stat wrote no counts');
        return new Map(events.map((event) => [event, countOf(event, counts.get(event))]));
      } finally {
        closeSync(toPerf);
        closeSync(fromPerf);
        rmSync(directory, { recursive: true, force: true });
      }
    },
  };
}

function countOf(event: string, count: ReturnType<ReturnType<typeof readPerfOutput>['get']>): number {
  if (typeof count === 'number') return count;
  throw new Error(`perf stat: ${event} is ${count ?? 'missing'}`);
}

function readIfAny(descriptor: number): string {
  const buffer = Buffer.alloc(64);
  try {
    return buffer.toString('latin1', 0, readSync(descriptor, buffer));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return '';
    throw error;
  }
}

/** Blocks the thread, because `start()` and `end()` are synchronous. */
function waitFor(isDone: () => boolean, problem: string): void {
  const lock = new Int32Array(new SharedArrayBuffer(4));
  const latest = performance.now() + PATIENCE_MS;
  while (!isDone()) {
    if (performance.now() > latest) throw new Error(problem);
    Atomics.wait(lock, 0, 0, 1);
  }
}
