import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ScriptedExecutor } from '@bench-cli/runner';
import { execa } from 'execa';
import { RoundInterruption } from '../../packages/cli/src/session/interruption.ts';
import type { CommandIo } from '../../packages/cli/src/terminal.ts';

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
  /** Takes the place of the processes of the command's session. */
  readonly scripted?: ScriptedExecutor | undefined;
  /** The width of its terminal. Default: its outputs are no terminal. */
  readonly columns?: number;
}

/** The commands of the examples in a help, each on one line. */
export function examplesIn(help: string): string[] {
  const lines = help.replaceAll(/ \\\n +/g, ' ').matchAll(/^ {2}\$ (.+)$/gm);
  return Array.from(lines, ([, command = '']) => command);
}

/** Starts bench-cli with this Node.js, for tests of processes. The promise never rejects: the result says how the command ended. */
export function startBenchCli(
  args: readonly string[],
  { cwd = root, env = {}, input = '', signal }: CommandOptions = {},
) {
  return execa(process.execPath, [bin, ...args], {
    cwd,
    env: { NO_COLOR: '1', ...env },
    input,
    reject: false,
    stripFinalNewline: false,
    ...(signal && { cancelSignal: signal }),
  });
}

interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

// The built command, as users have it.
const built = new URL('../../packages/cli/lib/main.js', import.meta.url).href;

/** What is read from the environment of the process: by the cache, by npm, and to find programs. */
const readByProcess = ['BENCH_CLI_CACHE', 'npm_config_registry', 'npm_config_fetch_retries', 'PATH'];

/** Carries out a command in this process. Commands that have such variables must not run at the same time. */
export async function benchCli(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const { run }: typeof import('../../packages/cli/src/main.ts') = await import(built);
  const { columns } = options;
  const { io, stdout, stderr } = commandIo(options, columns === undefined ? undefined : { columns });
  const before = process.env;
  const own = Object.entries(options.env ?? {}).filter(([name]) => readByProcess.includes(name));
  if (own.length > 0) process.env = { ...before, ...Object.fromEntries(own) };
  const env = { ...before, NO_COLOR: '1', ...options.env };
  const exitCode = await run(args, { ...io, env });
  if (own.length > 0) process.env = before;
  // Files are named as in a process of the same directory. Tests must not depend on what else the machine does.
  const named = (text: string) => text.replaceAll(join(io.cwd, '/'), '').replace(loadWarning, '');
  return { stdout: named(stdout()), stderr: named(stderr()), exitCode };
}

const loadWarning = /^warning: the machine is loaded.*\n/gm;

/** What a command has of a process whose output is text, of a terminal or not. */
export function commandIo(
  { cwd = root, env = {}, input = '', signal = new AbortController().signal, scripted }: CommandOptions = {},
  size?: { readonly columns: number },
) {
  const texts = { stdout: '', stderr: '' };
  const streamOf = (name: keyof typeof texts) => {
    const stream = new Writable({
      decodeStrings: false,
      write: (chunk: string | Buffer, _, done) => {
        texts[name] += chunk;
        done();
      },
    });
    return size === undefined ? stream : Object.assign(stream, { isTTY: true, ...size });
  };
  const streams = { stdin: Readable.from([Buffer.from(input)]), stdout: streamOf('stdout') };
  const io: CommandIo = {
    ...{ ...streams, stderr: streamOf('stderr'), cwd, env, signal },
    rounds: new RoundInterruption(),
    ...(scripted && { scripted }),
  };
  return { io, stdout: () => texts.stdout, stderr: () => texts.stderr };
}
