import { type ChildProcess, fork } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** The command, as users start it. */
export const bin: string = fileURLToPath(new URL('../../packages/cli/bin/bench-cli.js', import.meta.url));

/** The root of this repository. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

/** The options of `compare` that compare this Node.js with itself. */
export const sameSubjects: readonly string[] = [
  ...['--old', process.execPath, '--new', process.execPath],
  '--allow-same',
];

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
}

/** The commands of the examples in a help, each on one line. */
export function examplesIn(help: string): string[] {
  const lines = help.replaceAll(/ \\\n +/g, ' ').matchAll(/^ {2}\$ (.+)$/gm);
  return Array.from(lines, ([, command = '']) => command);
}

/** What starts the tests must not change how hints name the command. */
const asOnPath = {
  npm_config_user_agent: '',
  PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env['PATH']}`,
};

/** Starts bench-cli with this Node.js. The promise never rejects: the result says how the command ended. */
export function startBenchCli(
  args: readonly string[],
  { cwd = root, env = {}, input = '', signal }: CommandOptions = {},
) {
  return execa(process.execPath, [bin, ...args], {
    cwd,
    env: { ...asOnPath, NO_COLOR: '1', ...env },
    input,
    reject: false,
    stripFinalNewline: false,
    ...(signal && { cancelSignal: signal }),
  });
}

/** Whether a command ends by itself, whatever others do. */
const ends = (args: readonly string[]) => args[0] !== 'cluster-server' || args.at(-1) === '--help';

/**
 * Runs bench-cli to its end. The commands of a test worker share one process, one after the other, because loading their modules
 * takes most of their time. `startBenchCli` starts a process of its own, for tests of processes and signals.
 */
export async function benchCli(args: readonly string[], options: CommandOptions = {}): Promise<HostedResult> {
  const result = await resultOf(args, options);
  return { ...result, stderr: result.stderr.replace(loadWarning, '') };
}

/** Tests must not depend on what else the machine does. */
const loadWarning = /^warning: the machine is loaded.*\n/gm;

async function resultOf(args: readonly string[], options: CommandOptions): Promise<HostedResult> {
  if (ends(args) && options.signal === undefined) {
    const { cwd = root, env = {}, input = '' } = options;
    return await runHosted({ args, cwd, env: { ...process.env, ...asOnPath, NO_COLOR: '1', ...env }, input });
  }
  const { stdout, stderr, exitCode = 1 } = await startBenchCli(args, options);
  return { stdout, stderr, exitCode };
}

/** What `command-host.ts` receives and sends. */
export interface HostedCommand {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: string;
}

export interface HostedResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

/** The process of the commands that share one. It ends with this one. */
let host: ChildProcess | undefined;
let lastHosted: Promise<unknown> = Promise.resolve();

/** Carries out a command after those before. */
async function runHosted(command: HostedCommand): Promise<HostedResult> {
  const before = lastHosted;
  const turn = Promise.withResolvers<void>();
  lastHosted = turn.promise;
  await before;
  try {
    host ??= fork(fileURLToPath(new URL('command-host.ts', import.meta.url)), [], {
      execArgv: [],
      // Not a terminal, whatever started the tests. What ends the process is told there.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const { promise, resolve, reject } = Promise.withResolvers<HostedResult>();
    const ended = () => reject(new Error(`the process of bench-cli ${command.args.join(' ')} has ended`));
    host.once('message', (result: HostedResult) => resolve(result)).once('exit', ended);
    host.send(command);
    const result = await promise;
    host.off('exit', ended);
    return result;
  } catch (error) {
    host = undefined;
    throw error;
  } finally {
    turn.resolve();
  }
}
