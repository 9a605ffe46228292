import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram, killProcesses, platform } from '@bench-cli/system';
import { LoadError, type LoadErrorCode } from './load-error.ts';

export interface ToolProcess {
  readonly benchmarker: string;
  readonly command: readonly [string, ...string[]];
  readonly cpuSet: string | undefined;
  readonly limitSeconds: number;
  readonly signal: AbortSignal | undefined;
  /** Gets the id of its process. */
  readonly started?: (pid: number) => void;
}

export interface ToolOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** A result has a few kilobytes; a tool that prints more than this is out of control. */
const outputLimitCharacters = 1 << 20;
const shownCharacters = 2_000;
/** How long pipes stay open after the tool has ended: in many short waits, a busy process reads them too. */
const pipeGrace = { waits: 25, waitMs: 10 } as const;

/** The variable that marks a load tool and its descendants. */
const markVariable = 'BENCH_CLI_LOAD_TOOL';
/** The variable by which `@bench-cli/runner` finds the processes that a run has left. */
const runMarkVariable = 'BENCH_CLI_RUN';

/**
 * Runs a load tool to its end, in the process group of this process: what ends a benchmark ends the tool too.
 * @throws LoadError unless it exits with code 0; the reason of the signal if that aborts
 */
export async function runTool(tool: ToolProcess): Promise<ToolOutput> {
  const { benchmarker, command, cpuSet, limitSeconds, signal, started } = tool;
  const { execa } = await import('execa');
  const tie = await found(platform.tie);
  const prefix = [...(await pinned(benchmarker, cpuSet)), ...(tie ?? [])];
  signal?.throwIfAborted();
  const mark = randomBytes(8).toString('hex');
  const [file = '', ...args] = [...prefix, ...command];
  const subprocess = execa(file, args, {
    ...toolOptions(mark),
    stripFinalNewline: false,
    maxBuffer: outputLimitCharacters,
    timeout: limitSeconds * 1000,
    ...(signal && { cancelSignal: signal }),
  });
  if (subprocess.pid !== undefined) started?.(subprocess.pid);
  // A tool may be a wrapper around another one, which can have left its process group.
  const killOthers = () => killProcesses((_, environment) => environment.includes(`${markVariable}=${mark}`));
  let isRead = false;
  subprocess.nodeChildProcess.once('exit', async (_, killedBy) => {
    if (killedBy !== null) killOthers();
    for (let left = pipeGrace.waits; left > 0 && !isRead; left--) await wait(pipeGrace.waitMs);
    subprocess.stdout.destroy();
    subprocess.stderr.destroy();
  });
  try {
    const ended = await subprocess;
    signal?.throwIfAborted();
    const { stdout = '', stderr = '' } = ended;
    const failed = (code: LoadErrorCode, what: string) => {
      const output = lastOutput({ stdout, stderr });
      return new LoadError(code, `${benchmarker} ${what}`, { benchmarker, command, output });
    };
    if (ended.timedOut) {
      throw failed('ERR_BENCH_LOAD_TIMEOUT', `still ran after ${limitSeconds} s and was killed`);
    }
    if (ended.isMaxBuffer) {
      const what = `printed more than ${outputLimitCharacters} characters and was killed`;
      throw failed('ERR_BENCH_LOAD_OUTPUT', what);
    }
    if (ended.signal !== undefined) throw failed('ERR_BENCH_LOAD_SIGNAL', `was killed by ${ended.signal}`);
    if (ended.exitCode === undefined) {
      const why = ended.originalMessage ?? 'unknown reason';
      throw failed('ERR_BENCH_LOAD_UNAVAILABLE', `could not be started: ${why}`);
    }
    if (ended.exitCode !== 0) throw failed('ERR_BENCH_LOAD_EXIT', `exited with code ${ended.exitCode}`);
    return { stdout, stderr };
  } finally {
    isRead = true;
    killOthers();
  }
}

/** The end of the output of a tool, stderr first, without long lists of numbers, such as latencies of wrk. */
export function lastOutput({ stdout, stderr }: ToolOutput): string {
  const parts = [stderr.trim(), stdout.trim()].filter((part) => part !== '');
  const text = parts.join('\n').replaceAll(/[\d,[\]]{200,}/g, '...');
  return text.length > shownCharacters ? `...${text.slice(-shownCharacters)}` : text;
}

/**
 * How a load tool is started. Its environment must not depend on that of the benchmark: a tool on Node.js
 * would read NODE_OPTIONS, and autocannon reads PORT.
 */
export function toolOptions(mark: string) {
  const kept = Object.entries(process.env).filter(
    ([name]) => name === runMarkVariable || !/^(NODE_|BENCH_CLI_|PORT$|LC_|LANG$)/.test(name),
  );
  const env: NodeJS.ProcessEnv = { ...Object.fromEntries(kept), LC_ALL: 'C', [markVariable]: mark };
  return { env, extendEnv: false, stdin: 'ignore', reject: false, killSignal: 'SIGKILL' } as const;
}

/** The command that restricts a load tool to a set of CPUs. */
async function pinned(benchmarker: string, cpuSet: string | undefined): Promise<readonly string[]> {
  if (cpuSet === undefined) return [];
  const bind = await found(platform.bind?.(cpuSet));
  if (bind === undefined) {
    const problem = `${benchmarker} cannot be restricted to the CPUs ${cpuSet}: cpuSet requires Linux and taskset (Debian: apt-get install util-linux)`;
    throw new LoadError('ERR_BENCH_LOAD_UNSUPPORTED', problem, { benchmarker });
  }
  return bind;
}

/** The words before a command, with the path of their program; undefined if this machine does not have it. */
async function found([program, ...args]: readonly string[] = []): Promise<readonly string[] | undefined> {
  const tool = program === undefined ? undefined : await findProgram(program);
  return tool?.executable ? [tool.path, ...args] : undefined;
}
