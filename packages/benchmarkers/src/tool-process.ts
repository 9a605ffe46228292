import { randomBytes } from 'node:crypto';
import { LoadError } from './load-error.ts';
import { killMarked } from './marked-processes.ts';
import { findProgram } from './program.ts';
import { toolEnvironment } from './tool-environment.ts';

export interface ToolProcess {
  readonly benchmarker: string;
  readonly command: readonly [string, ...string[]];
  readonly cpuSet: string | undefined;
  readonly limitSeconds: number;
  readonly signal: AbortSignal | undefined;
}

export interface ToolOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** A result has a few kilobytes; a tool that prints more than this has run wild. */
const outputLimitCharacters = 1 << 20;
const shownCharacters = 2_000;
/** How long pipes may stay open after the tool has ended. */
const pipeGraceMs = 250;

/**
 * Runs a load tool to its end, in the process group of this process, so that what ends a benchmark ends it too.
 * @throws LoadError unless it exits with code 0; the reason of the signal when that aborts
 */
export async function runTool({
  benchmarker,
  command,
  cpuSet,
  limitSeconds,
  signal,
}: ToolProcess): Promise<ToolOutput> {
  const { execa } = await import('execa');
  signal?.throwIfAborted();
  const mark = randomBytes(8).toString('hex');
  const [file, ...args] = [...pinned(benchmarker, cpuSet), ...tied(), ...command] as [string, ...string[]];
  const subprocess = execa(file, args, {
    env: toolEnvironment(process.env, mark),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    stripFinalNewline: false,
    maxBuffer: outputLimitCharacters,
    killSignal: 'SIGKILL',
  });

  let killedFor: 'timeout' | 'abort' | undefined;
  const kill = (reason: NonNullable<typeof killedFor>) => {
    killedFor ??= reason;
    subprocess.kill('SIGKILL');
    killMarked(mark);
  };
  const abort = () => kill('abort');
  signal?.addEventListener('abort', abort, { once: true });
  const timer = setTimeout(() => kill('timeout'), limitSeconds * 1000);
  let grace: NodeJS.Timeout | undefined;
  subprocess.nodeChildProcess.once('exit', () => {
    clearTimeout(timer);
    grace = setTimeout(() => {
      subprocess.stdout.destroy();
      subprocess.stderr.destroy();
    }, pipeGraceMs);
  });
  try {
    const ended = await subprocess;
    signal?.throwIfAborted();
    const { stdout = '', stderr = '' } = ended;
    const failed = (kind: 'timeout' | 'signal' | 'exit' | 'output' | 'unavailable', what: string) =>
      new LoadError(kind, `${benchmarker} ${what}`, {
        benchmarker,
        command,
        output: lastOutput({ stdout, stderr }),
      });
    if (killedFor === 'timeout') {
      throw failed('timeout', `still ran after ${limitSeconds} s and was killed`);
    }
    if (ended.isMaxBuffer) {
      throw failed('output', `printed more than ${outputLimitCharacters} characters and was killed`);
    }
    if (ended.signal !== undefined) throw failed('signal', `was killed by ${ended.signal}`);
    if (ended.exitCode === undefined) {
      throw failed(
        'unavailable',
        `could not be started: ${ended.originalMessage ?? 'for an unknown reason'}`,
      );
    }
    if (ended.exitCode !== 0) throw failed('exit', `exited with code ${ended.exitCode}`);
    return { stdout, stderr };
  } finally {
    clearTimeout(timer);
    clearTimeout(grace);
    signal?.removeEventListener('abort', abort);
    killMarked(mark);
  }
}

/** The end of what a tool printed, on both its streams. */
export function lastOutput({ stdout, stderr }: ToolOutput): string {
  const text = [stderr.trim(), stdout.trim()].filter((part) => part !== '').join('\n');
  return text.length > shownCharacters ? `...${text.slice(-shownCharacters)}` : text;
}

function pinned(benchmarker: string, cpuSet: string | undefined): readonly string[] {
  if (cpuSet === undefined) return [];
  const taskset = process.platform === 'linux' ? findProgram('taskset') : undefined;
  if (taskset?.found !== 'executable') {
    throw new LoadError(
      'options',
      `${benchmarker} cannot be kept to the CPUs ${cpuSet}: that takes Linux and taskset (Debian: apt-get install util-linux)`,
      { benchmarker },
    );
  }
  return [taskset.path, '-c', cpuSet];
}

/** Where the system can do it, a tool dies with this process, even if that is killed by SIGKILL. */
function tied(): readonly string[] {
  const setpriv = process.platform === 'linux' ? findProgram('setpriv') : undefined;
  return setpriv?.found === 'executable' ? [setpriv.path, '--pdeathsig', 'KILL', '--'] : [];
}
