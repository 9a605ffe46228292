import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Milliseconds until perf must have answered. An answer takes about 10. */
const PATIENCE_MS = 5000;
/** A program that hangs is killed: the process handles no signal meanwhile. */
const limits = { timeout: PATIENCE_MS, killSignal: 'SIGKILL' } as const;

const permissionFile = '/proc/sys/kernel/perf_event_paranoid';

/** Why this machine cannot count some events, as the end of a sentence that begins with the events. */
export function perfProblem(events: readonly string[], path: string | undefined = process.env['PATH']) {
  const { error, stderr = '' } = spawnSync('perf', ['stat', '-x,', '-e', events.join(','), '--', 'true'], {
    ...limits,
    encoding: 'utf8',
    env: { ...process.env, PATH: path, LC_ALL: 'C' },
  });
  if (error !== undefined && Object(error).code === 'ETIMEDOUT')
    return 'require perf, which does not answer: run perf stat true to see why';
  if (error !== undefined)
    return 'require perf, which is not installed: install the package linux-perf or linux-tools; only Linux has them';
  const counts = readPerfOutput(stderr);
  const missing = events.filter((event) => typeof counts.get(event) !== 'number');
  if (missing.length === 0) return undefined;
  const unsupported = missing.filter((event) => counts.get(event) === 'not supported');
  if (unsupported.length > 0)
    return `are not available on this machine: perf stat says that ${unsupported.join(', ')} ${unsupported.length === 1 ? 'is' : 'are'} not supported, as on most virtual machines`;
  const permission = existsSync(permissionFile) ? readFileSync(permissionFile, 'utf8').trim() : 'unknown';
  return `cannot be counted by this user: perf_event_paranoid is ${permission}, and must be at most 2`;
}

/**
 * Counts events of this process with `perf stat`, from the return of this function until the call of the
 * returned one. perf attaches to the process while its counters are off, and switches them on and off by
 * commands through a fifo, so that perf counts nothing else.
 * @throws Error if perf does not answer, or does not count an event
 */
export function countEvents(events: readonly string[]): () => ReadonlyMap<string, number> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-perf-'));
  const pathOf = (name: string) => join(directory, name);
  const [control, answers, output] = [pathOf('control'), pathOf('answers'), pathOf('output')];
  execFileSync('mkfifo', [control, answers], limits);
  // Opened for reading and writing, so that opening does not wait for perf.
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
  return () => {
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
  };
}

function countOf(event: string, count: PerfCount | undefined): number {
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

type PerfCount = number | 'not supported' | 'not counted';

/**
 * Reads the output of `perf stat -x,`: a line for each event, with its count, unit and name. perf appends
 * `:u` to a name if it may only count in user mode.
 */
export function readPerfOutput(text: string): ReadonlyMap<string, PerfCount> {
  const counts = new Map<string, PerfCount>();
  for (const line of text.split('\n')) {
    const [count = '', , event = ''] = line.split(',');
    const name = event.replace(/:[a-z]+$/, '');
    if (name === '' || line.startsWith('#')) continue;
    if (count === '<not supported>') counts.set(name, 'not supported');
    else if (count === '<not counted>') counts.set(name, 'not counted');
    else if (/^\d+(\.\d+)?$/.test(count)) counts.set(name, Number(count));
  }
  return counts;
}
