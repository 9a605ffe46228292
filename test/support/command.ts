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

/** Runs bench-cli to its end. */
export async function benchCli(args: readonly string[], options?: CommandOptions) {
  const { stdout, stderr, exitCode } = await startBenchCli(args, options);
  return { stdout, stderr, exitCode };
}
