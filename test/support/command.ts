import { fileURLToPath } from 'node:url';
import { execa } from 'execa';

/** The command, as users start it. */
export const bin: string = fileURLToPath(new URL('../../packages/cli/bin/bench-cli.js', import.meta.url));

/** The root of this repository. */
export const root: string = fileURLToPath(new URL('../..', import.meta.url));

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

/** Starts bench-cli with this Node.js. The promise never rejects: the result says how the command ended. */
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

/** Runs bench-cli to its end. */
export async function benchCli(args: readonly string[], options?: CommandOptions) {
  const { stdout, stderr, exitCode } = await startBenchCli(args, options);
  return { stdout, stderr, exitCode };
}
