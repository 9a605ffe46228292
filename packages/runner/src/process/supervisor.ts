import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { type Order, orderVariable } from '@bench-cli/agent';
import {
  type Activity,
  type Failure,
  LINE_LIMIT_BYTES,
  lineReader,
  type SucceededRun,
} from '@bench-cli/results/recording';
import { orElse, platform, setCoredumpFilter, visibleProcesses } from '@bench-cli/system';
import { outputHead, outputTail } from './kept-output.ts';
import { type ReceivedMessage, readMessage } from './messages.ts';
import { type NamedPipe, namedPipes } from './named-pipes.ts';
import {
  chooseFilter,
  findLeft,
  groupMembers,
  killMarked,
  type Marks,
  markVariable,
} from './process-tree.ts';
import { startReaper } from './reaper.ts';
import { sleepWatch } from './sleep.ts';
import { type Slices, Turn, Turns } from './turns.ts';

export interface ProcessRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables in addition to the variables of the session; undefined removes one. */
  readonly env: NodeJS.ProcessEnv;
  /** The order for the files of bench-cli that the process loads. */
  readonly order?: Order | undefined;
  readonly cwd?: string | undefined;
  /**
   * The transport of messages: a pipe to which `@bench-cli/core` writes, or Node's IPC, for older runtimes
   * (`ipc`) and for scripts without `@bench-cli/core` (`node`). At this end it is always a plain pipe, so
   * garbage on it cannot break the runner.
   */
  readonly channel: 'pipe' | 'ipc' | 'node';
  /** Time limit, milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Whether it may open its standard output and error by name. Default false, since it takes time. */
  readonly opensOutput?: boolean;
}

export interface ProcessOutcome {
  /** All valid messages in order, including those before a failure. */
  readonly messages: readonly ReceivedMessage[];
  readonly failure: Failure | undefined;
  /** Milliseconds from the start of its program to its end. */
  readonly durationMs: number;
  /** What the process wrote to the file of its order. */
  readonly activity?: Activity | undefined;
  readonly endSignal: NodeJS.Signals | null;
  /** Milliseconds in which bench-cli did not run meanwhile, so that neither time nor result is valid. */
  readonly sleptMs: number;
  /** Null if a signal ended it, or if it could not be started. */
  readonly exitCode: number | null;
  readonly printed: () => string;
  /** The beginning of the output, and of standard error, where Node.js and `console.warn` write warnings. */
  readonly kept: () => NonNullable<SucceededRun['printed']>;
}

/**
 * Executes requests in place of processes, so that tests control rates, durations and activity.
 * @param start starts the process of a request
 */
export type ScriptedExecutor = (
  request: ProcessRequest,
  start: (request: ProcessRequest) => Promise<ProcessOutcome>,
) => Promise<ProcessOutcome>;

type Listener = (message: ReceivedMessage, answer: (message: object) => void) => void;

/** All messages of a process together. A process that sends more would exhaust the memory of the session. */
const channelLimitBytes = 2 * LINE_LIMIT_BYTES;
const messageLimit = 100_000;
/** Recorded characters of a failure or a place, and bytes of the output of a successful run. */
const textLimit = 4000;
const outputLimitBytes = 16 << 10;
/** Time for child processes of a benchmark to end after it, milliseconds. */
const graceMs = 200;
/** A process that ends by SIGINT this early, without a message, is started a second time, milliseconds. */
const soonMs = 1000;

/** Descriptor 3 is the channel of a process, as its order says, or a variable of Node.js. */
const orderedChannels = { pipe: 3, ipc: 'ipc', node: undefined } as const;
const nodeChannel = { NODE_CHANNEL_FD: '3', NODE_CHANNEL_SERIALIZATION_MODE: 'json' } as const;

/** A process without free descriptors can only remove a directory that is empty. */
function removeDirectory(directory: string): void {
  rmSync(join(directory, 'groups'), { force: true });
  orElse(() => rmdirSync(directory), undefined);
  rmSync(directory, { recursive: true, force: true });
}

/**
 * Runs the processes of one session, each in its own group and with a pipe for messages. No process outlives
 * its run, its time limit or the session.
 */
export class Supervisor {
  /** A directory for files of this session. It is removed at the end, even if the session crashes. */
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #scripted: ScriptedExecutor;
  /** Processes that ran at the end of the last run. */
  #seen: ReadonlySet<number> = new Set(visibleProcesses().ids);
  readonly #marks: Marks = { mark: randomBytes(4).toString('hex'), filter: chooseFilter(this.#seen) };
  readonly #reaper: ReturnType<typeof startReaper>;
  readonly #sleep = sleepWatch();
  readonly #takePipe: ReturnType<typeof namedPipes>;
  #started = 0;

  constructor(
    env: NodeJS.ProcessEnv = process.env,
    scripted: ScriptedExecutor = (request, start) => start(request),
  ) {
    this.env = env;
    this.#scripted = scripted;
    this.directory = mkdtempSync(join(tmpdir(), 'bench-cli-'));
    try {
      this.#reaper = startReaper(this.#marks, this.directory);
      this.#takePipe = namedPipes(this.directory);
    } catch (error) {
      removeDirectory(this.directory);
      throw error;
    }
  }

  /** @throws the reason of `signal` if it aborts; the process has ended by then */
  run(
    request: ProcessRequest,
    signal: AbortSignal | undefined,
    listener?: Listener,
  ): Promise<ProcessOutcome> {
    return this.#scripted(request, async (started) => {
      for (let starts = 1; ; starts++) {
        const outcome = await this.#execute(started, signal, listener);
        const { endSignal, durationMs, messages } = outcome;
        // Until it has left the group of this process, Ctrl-C in a terminal ends it, too.
        const isInterrupted = endSignal === 'SIGINT' && durationMs < soonMs && messages.length === 0;
        if (!isInterrupted || starts === 2) return outcome;
      }
    });
  }

  /** Runs processes that load `turnsProbe`: one runs while the others are stopped, which does not count. */
  async runInTurns(
    requests: readonly ProcessRequest[],
    signal: AbortSignal,
    slices?: Slices,
  ): Promise<readonly ProcessOutcome[]> {
    const turns = new Turns(requests.length, slices);
    const outcomes = requests.map((request, at) => {
      const file = join(this.directory, `turn-${at}`);
      return this.#scripted({ ...request, order: { ...request.order, turns: file } }, (started) =>
        this.#execute(started, signal, undefined, { turns, turn: new Turn(file) }),
      );
    });
    await Promise.allSettled(outcomes);
    signal.throwIfAborted();
    return Promise.all(outcomes);
  }

  async #execute(
    request: ProcessRequest,
    signal: AbortSignal | undefined,
    listener: Listener | undefined,
    inTurns?: { readonly turns: Turns; readonly turn: Turn },
  ): Promise<ProcessOutcome> {
    signal?.throwIfAborted();
    // The length is fixed, because the size of the environment shifts the stack, and thereby the measurement.
    const mark = `${this.#marks.mark}-${String(++this.#started).padStart(9, '0')}`;
    const marks = { ...this.#marks, mark };
    const before = this.#seen;
    await this.#reaper.ready;
    const pipes = request.opensOutput ? [this.#takePipe(), this.#takePipe()] : [];
    const started = await start(request, this.env, marks, pipes);
    if (typeof started === 'string') {
      inTurns?.turns.began();
      inTurns?.turn.close();
      return notStarted(request, started);
    }
    const { pid, stdout, stderr, channel, exited, closed } = started;
    inTurns?.turns.add(inTurns.turn, pid);
    this.#reaper.watch(pid);

    let killedFor: 'timeout' | 'bad message' | 'abort' | undefined;
    const kill = (reason: typeof killedFor) => {
      killedFor ??= reason;
      platform.killGroup(pid);
    };
    const abort = () => kill('abort');
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const unwatch = this.#sleep.watch();
    const awakeMs = this.#sleep.sleptMs;
    const sleptMs = () => this.#sleep.sleptMs - awakeMs;
    let timer: NodeJS.Timeout | undefined;
    /** The time limit does not count time in which this process did not run. */
    const limit = (timeoutMs: number, countedMs = 0) => {
      timer = setTimeout(() => {
        const slept = sleptMs();
        if (slept > countedMs) limit(slept - countedMs, slept);
        else kill('timeout');
      }, timeoutMs);
    };
    // The wall time of all that take turns is the limit of each, because they share it.
    if (request.timeoutMs > 0) limit(request.timeoutMs * (inTurns?.turns.size ?? 1));

    const output = outputTail(outputLimitBytes);
    const [head, warnings] = [outputHead(textLimit), outputHead(textLimit)];
    for (const push of [output.push, head.push])
      for (const stream of [stdout, stderr]) stream.on('data', push);
    stderr.on('data', warnings.push);
    const messages: ReceivedMessage[] = [];
    let problem: string | undefined;
    const refuse = (what: string) => {
      problem ??= what;
      kill('bad message');
    };
    const answer = (message: object) => channel.write(`${JSON.stringify(message)}\n`);
    const lines = lineReader(
      LINE_LIMIT_BYTES,
      (line) => {
        if (problem !== undefined) return;
        const received = readMessage(line);
        if (typeof received === 'string') refuse(received);
        else if (received !== undefined) {
          messages.push(received);
          if (messages.length > messageLimit) refuse(`more than ${messageLimit} messages`);
          listener?.(received, answer);
        }
      },
      () => refuse(`more than ${LINE_LIMIT_BYTES} bytes without a line end`),
    );
    let receivedBytes = 0;
    channel.on('data', (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > channelLimitBytes) refuse(`more than ${channelLimitBytes} bytes in all`);
      else lines.push(chunk);
    });

    const [code, endSignal, wallMs] = await exited;
    inTurns?.turns.end(inTurns.turn);
    const durationMs = wallMs - (inTurns?.turn.stoppedMs ?? 0);
    clearTimeout(timer);
    const slept = sleptMs();
    unwatch();
    signal?.removeEventListener('abort', abort);
    const isClosed = killedFor === undefined && (await inGraceTime(closed));
    // A process that has said that it leaves ends itself by a signal.
    const endedWell = killedFor === undefined && (code === 0 || messages.some(({ type }) => type === 'left'));
    const left = await this.#clearUp(started, marks, before, isClosed, !endedWell);
    for (const stream of [stdout, stderr, channel]) stream.destroy();
    lines.end();
    this.#reaper.release(pid);
    const activity = request.order?.activity && takeActivity(request.order.activity.file);
    if (killedFor === 'abort') signal?.throwIfAborted();

    const ended = {
      ...{ messages, durationMs, activity, endSignal, sleptMs: slept, exitCode: code },
      ...{ printed: output.text, kept: () => ({ output: head.text(), warnings: warnings.text() }) },
    };
    const failed = (kind: Failure['kind'], message: string, place?: string): ProcessOutcome => ({
      ...ended,
      failure: { kind, message: cut(message), place: place && cut(place), output: output.text() },
    });
    if (killedFor === undefined && inTurns?.turn.ranWhileStopped) {
      const message =
        'ran while it was stopped, in the turns of the other subjects: something sent it SIGCONT; a benchmark must not continue processes';
      return failed('did not stop', message);
    }
    const thrown = messages.find((message) => message.type === 'error');
    if (killedFor === 'timeout') {
      const message = `exceeded the time limit of ${request.timeoutMs / 1000} s and was killed; raise the limit with --timeout`;
      return failed('timeout', message);
    }
    if (problem !== undefined) return failed('bad message', `sent an invalid message: ${problem}`);
    if (thrown !== undefined) return failed('threw', thrown.message, thrown.place);
    if (!endedWell) {
      return endSignal === null
        ? failed('exit', `exited with code ${code}`)
        : failed('signal', `was killed by ${endSignal}`);
    }
    // A child process that kept a run alive is named. One that a file opens while it is planned disturbs
    // nothing.
    const isNamed = messages.some(
      (each) =>
        (each.type === 'kept open' && each.kinds.includes('ProcessWrap')) ||
        (each.type === 'opened' && each.handles.some(({ kind }) => kind === 'PROCESSWRAP')),
    );
    if (left.length > 0 && !isNamed) {
      const message = `left child processes running (${left.join(', ')}); they were killed, because they would disturb the next run: end them before the benchmark reports its last result`;
      return failed('left processes', message);
    }
    return { ...ended, failure: undefined };
  }

  async close(): Promise<void> {
    killMarked(this.#marks);
    // Closing the reaper frees descriptors.
    await this.#reaper.close();
    removeDirectory(this.directory);
  }

  /** Waits until no process is left, or kills the rest and waits for the pipes; returns their names. */
  async #clearUp(
    { pid: groupId, closed }: { readonly pid: number; readonly closed: Promise<void> },
    marks: Marks,
    before: ReadonlySet<number>,
    isClosed: boolean,
    certainly: boolean,
  ): Promise<readonly string[]> {
    const lives = () => {
      const { live, running } = findLeft(marks, groupId, before);
      this.#seen = running;
      return live;
    };
    let living = certainly || lives();
    for (let waitedMs = 0; living && !certainly && waitedMs < graceMs; waitedMs += 10) {
      await delay(10);
      living = lives();
    }
    if (!living && isClosed) return [];
    const members = groupMembers(groupId);
    platform.killGroup(groupId);
    const others = killMarked(marks, groupId, before);
    await inGraceTime(closed);
    this.#seen = new Set(visibleProcesses().ids);
    return [...members, ...others];
  }
}

/** execa would take 1 ms more per process, and 50 ms to load. @returns the reason if it cannot be started */
async function start(
  request: ProcessRequest,
  session: NodeJS.ProcessEnv,
  { mark, filter }: Marks,
  pipes: readonly (NamedPipe | undefined)[],
) {
  const [out, warnings] = pipes;
  const { NODE_CHANNEL_FD: _, ...env } = { ...session, ...request.env };
  const { channel: transport, order } = request;
  const ordered = orderVariable({ ...order, channel: orderedChannels[transport] });
  let child: ChildProcess;
  let startedAtMs: number;
  try {
    child = spawn(request.command, request.args, {
      env: { ...env, [markVariable]: mark, ...ordered, ...(transport !== 'pipe' && nodeChannel) },
      cwd: request.cwd,
      stdio: ['ignore', out?.writeEnd ?? 'pipe', warnings?.writeEnd ?? 'pipe', 'pipe'],
      // Without job objects, it leads a group.
      detached: platform.jobKeeper === undefined,
      windowsHide: true,
    });
    // The call returns when the program has started. Before that, to copy this process takes milliseconds.
    startedAtMs = performance.now();
    if (child.pid === undefined) await once(child, 'spawn');
    // This process must never have the filter: another session with the same one would kill it.
    else if (filter !== undefined) setCoredumpFilter(child.pid, filter);
  } catch (error) {
    for (const pipe of pipes) pipe?.stream.destroy();
    if (!(error instanceof Error)) return String(error);
    const isMissing = 'code' in error && error.code === 'ENOENT';
    return isMissing ? `no such program or directory (${error.message})` : error.message;
  } finally {
    for (const pipe of pipes) if (pipe !== undefined) closeSync(pipe.writeEnd);
  }
  const { pid, stdio } = child;
  const [stdout, stderr] = [out?.stream ?? child.stdout, warnings?.stream ?? child.stderr];
  const channel = stdio[3];
  if (pid === undefined || stdout === null || stderr === null || !(channel instanceof Duplex))
    throw new TypeError('a process was started without its pipes');
  // An error of a pipe only means that the process has ended.
  for (const stream of [stdout, stderr, channel]) stream.on('error', () => {});
  const exited = new Promise<
    readonly [code: number | null, signal: NodeJS.Signals | null, durationMs: number]
  >((resolve) => {
    child.once('exit', (code, signal) => resolve([code, signal, performance.now() - startedAtMs]));
  });
  /** Resolves when the process has ended and its pipes are read to the end. */
  const closed = Promise.all(
    [child, stdout, stderr].map((each) => new Promise<void>((resolve) => each.once('close', resolve))),
  ).then(() => {});
  return { pid, stdout, stderr, channel, exited, closed };
}

/** Reads and removes the file of a process. One that crashed has left none. */
function takeActivity(file: string): Activity | undefined {
  const activity = orElse<Activity | undefined>(() => JSON.parse(readFileSync(file, 'utf8')), undefined);
  rmSync(file, { force: true });
  return activity;
}

function cut(text: string): string {
  return text.length <= textLimit
    ? text
    : `${text.slice(0, textLimit)}... (${text.length - textLimit} more characters)`;
}

/** Whether the event happens within the grace time. The timer must not fire during a later run. */
async function inGraceTime(event: Promise<void>): Promise<boolean> {
  const { promise: passed, resolve } = Promise.withResolvers<boolean>();
  // A busy process first reads what has arrived by then.
  const timer = setTimeout(() => setImmediate(resolve, false), graceMs);
  const inTime = await Promise.race([event.then(() => true), passed]);
  clearTimeout(timer);
  return inTime;
}

/** A failure of which a process has printed nothing. */
export function failureOf(kind: Failure['kind'], message: string): Failure {
  return { kind, message, output: '' };
}

/** The error that a process printed in place of a result, without its stack. */
export function thrownIn({ output }: Failure): string | undefined {
  const line = /^\s*(?:error: )?(?:Uncaught )?(?:\(in promise\) )?(\w*Error\b.*: .+)$/m;
  return line.exec(output)?.[1];
}

function notStarted({ command }: ProcessRequest, why: string): ProcessOutcome {
  const failure = failureOf('not started', `${command} could not be started: ${why}`);
  const ended = { durationMs: 0, endSignal: null, sleptMs: 0, exitCode: null };
  return { messages: [], failure, ...ended, printed: () => '', kept: () => ({ output: '', warnings: '' }) };
}
