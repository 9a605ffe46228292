import { type Failure, LineReader } from '@bench-cli/results/recording';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex, type Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type ReceivedMessage, readMessage } from './messages.ts';
import { OutputTail } from './output-tail.ts';
import { groupLives, groupMembers, killGroup, killMarked, markVariable } from './process-tree.ts';
import { Reaper } from './reaper.ts';

/** A process to run to its end. */
export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment, but for the variables of the protocol. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string | undefined;
  /**
   * How messages come: by a pipe that scripts of this package write to, or by Node's IPC, for older runtimes (`ipc`) and
   * for scripts that know nothing of this package (`node`). In any case it is a pipe at this end, so that garbage on it
   * cannot break the runner.
   */
  readonly channel: 'pipe' | 'ipc' | 'node';
  /** Milliseconds until it is killed; 0 for never. */
  readonly timeoutMs: number;
}

/** How a process ended, and what it told. */
export interface ProcessOutcome {
  /** Every valid message, in order, also when the process failed later. */
  readonly messages: readonly ReceivedMessage[];
  readonly failure: Failure | undefined;
  /** Milliseconds from start to end. */
  readonly durationMs: number;
  /** The end of what it printed. */
  readonly printed: () => string;
}

/** A plan of 100,000 configurations has about 15 MB; a line beyond this is garbage. */
const messageLimitBytes = 256 << 20;
const outputLimitBytes = 16 << 10;
/** How long processes that were started by a benchmark may take to end after it. */
const graceMs = 200;

/** What tells a process that its descriptor 3 is the channel. */
const node = { NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: 'json' } as const;
const channelVariables = {
  pipe: { BENCH_CLI_CHANNEL: '3' },
  ipc: { BENCH_CLI_CHANNEL: 'ipc', ...node },
  node,
} as const;

/** Hears messages as they come, and may answer over Node's IPC. */
export type Listener = (message: ReceivedMessage, answer: (message: object) => void) => void;

/**
 * Runs the processes of one session, one at a time or several: each in a process group of its own, with a pipe for its
 * messages, and none outlives its run, its time limit, or the session.
 */
export class Supervisor {
  /** A directory for files of this session; it goes when the session ends, however that is. */
  readonly directory: string;
  readonly #mark = randomBytes(4).toString('hex');
  readonly #reaper: Reaper;
  #started = 0;

  constructor() {
    this.directory = mkdtempSync(join(tmpdir(), 'bench-cli-'));
    this.#reaper = new Reaper(this.#mark, this.directory);
  }

  /**
   * Runs a process to its end.
   * @throws the reason of `signal` when that aborts; the process is gone by then
   */
  async run(
    request: ProcessRequest,
    signal: AbortSignal | undefined,
    listener?: Listener,
  ): Promise<ProcessOutcome> {
    signal?.throwIfAborted();
    // Always of the same length: the size of the environment moves the stack, and with it the measurement.
    const mark = `${this.#mark}-${String(++this.#started).padStart(9, '0')}`;
    const startedAtMs = performance.now();
    const started = await start(request, mark);
    if (typeof started === 'string') return notStarted(request, started, performance.now() - startedAtMs);
    const { pid, stdout, stderr, channel, exited, closed } = started;
    this.#reaper.watch(pid);

    let killedFor: 'timeout' | 'bad message' | 'abort' | undefined;
    const kill = (reason: typeof killedFor) => {
      killedFor ??= reason;
      killGroup(pid);
    };
    const abort = () => kill('abort');
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const timer = request.timeoutMs > 0 ? setTimeout(() => kill('timeout'), request.timeoutMs) : undefined;

    const output = new OutputTail(outputLimitBytes);
    stdout.on('data', (chunk: Buffer) => output.push(chunk));
    stderr.on('data', (chunk: Buffer) => output.push(chunk));
    const messages: ReceivedMessage[] = [];
    let problem: string | undefined;
    const refuse = (what: string) => {
      problem ??= what;
      kill('bad message');
    };
    const answer = (message: object) => channel.write(`${JSON.stringify(message)}\n`);
    const lines = new LineReader(
      messageLimitBytes,
      (line) => {
        const received = readMessage(line);
        if (!received.ok) refuse(received.problem);
        else if (received.message !== undefined) {
          messages.push(received.message);
          listener?.(received.message, answer);
        }
      },
      () => refuse('a message without an end'),
    );
    channel.on('data', (chunk: Buffer) => lines.push(chunk));

    const { code, signal: endSignal } = await exited;
    const durationMs = performance.now() - startedAtMs;
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    const left = await this.#clearUp(pid, mark, closed, killedFor !== undefined || code !== 0);
    for (const stream of [stdout, stderr, channel]) stream.destroy();
    lines.end();
    this.#reaper.release(pid);
    if (killedFor === 'abort') signal?.throwIfAborted();

    const printed = () => output.toString();
    const failed = (kind: Failure['kind'], message: string, place?: string): ProcessOutcome => ({
      messages,
      failure: { kind, message, place, output: printed() },
      durationMs,
      printed,
    });
    const thrown = messages.find((message) => message.type === 'error');
    if (killedFor === 'timeout') {
      return failed(
        'timeout',
        `still ran after ${request.timeoutMs / 1000} s and was killed; allow more with --timeout`,
      );
    }
    if (problem !== undefined) {
      return failed('bad message', `sent a bad message on its channel: ${problem}`);
    }
    if (thrown !== undefined) return failed('threw', thrown.message, thrown.place);
    if (endSignal !== null) return failed('signal', `was killed by ${endSignal}`);
    if (code !== 0) return failed('exit', `exited with code ${code}`);
    if (left.length > 0) {
      return failed(
        'left processes',
        `left ${left.length === 1 ? 'a process' : `${left.length} processes`} running (${left.join(', ')}), which would disturb what runs next; ${left.length === 1 ? 'it was' : 'they were'} killed. End what the benchmark starts before its last result`,
      );
    }
    return { messages, failure: undefined, durationMs, printed };
  }

  /** Ends the session: nothing that carries its mark runs on, and its directory goes. */
  async close(): Promise<void> {
    if (await this.#reaper.close()) return;
    killMarked(this.#mark);
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Waits until the pipes close and the group is empty, or kills what keeps them open; gives the names of those. */
  async #clearUp(
    groupId: number,
    mark: string,
    closed: Promise<void>,
    certainly: boolean,
  ): Promise<readonly string[]> {
    if (!certainly && (await inGraceTime(closed)) && !groupLives(groupId)) return [];
    for (let waitedMs = 0; !certainly && waitedMs < graceMs && groupLives(groupId); waitedMs += 10)
      await delay(10);
    const members = groupLives(groupId) ? groupMembers(groupId) : [];
    killGroup(groupId);
    const others = killMarked(mark, groupId);
    await inGraceTime(closed);
    return [...members, ...others];
  }
}

/** A process that runs, with its pipes. */
interface StartedProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly channel: Duplex;
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** It has ended, and so has everything that it wrote. */
  readonly closed: Promise<void>;
}

/**
 * Starts a process in a group of its own; gives the reason where that is not possible. It is Node's own way of starting
 * one, since this is on the way of every run: execa takes a millisecond more for each, and 50 to load.
 */
async function start(request: ProcessRequest, mark: string): Promise<StartedProcess | string> {
  const { NODE_CHANNEL_FD: _, ...env } = request.env;
  let child: ChildProcess;
  try {
    child = spawn(request.command, request.args, {
      env: { ...env, [markVariable]: mark, ...channelVariables[request.channel] },
      cwd: request.cwd,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    if (child.pid === undefined) await once(child, 'spawn');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  const { pid, stdout, stderr, stdio } = child;
  const channel = stdio[3];
  if (pid === undefined || stdout === null || stderr === null || !(channel instanceof Duplex)) {
    throw new TypeError('a process was started without its pipes');
  }
  // A broken pipe is one that has ended.
  for (const stream of [stdout, stderr, channel]) stream.on('error', () => {});
  return {
    pid,
    stdout,
    stderr,
    channel,
    exited: new Promise((resolve) => {
      child.once('exit', (code, signal) => resolve({ code, signal }));
    }),
    closed: new Promise((resolve) => {
      child.once('close', () => resolve());
    }),
  };
}

/** Whether it comes about within the grace time. No timer stays, which would fire beside a later run. */
async function inGraceTime(event: Promise<void>): Promise<boolean> {
  const { promise: passed, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, graceMs, false);
  const inTime = await Promise.race([event.then(() => true), passed]);
  clearTimeout(timer);
  return inTime;
}

function notStarted({ command }: ProcessRequest, why: string, durationMs: number): ProcessOutcome {
  const failure: Failure = {
    kind: 'not started',
    message: `${command} could not be started: ${why}`,
    output: '',
  };
  return { messages: [], failure, durationMs, printed: () => '' };
}
