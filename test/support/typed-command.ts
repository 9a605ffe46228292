import { delimiter } from 'node:path';
import { execa } from 'execa';
import { split } from 'shlex';
import { benchCli } from './command.ts';

export interface TypingOptions {
  readonly cwd: string;
  /** A directory of programs that come before those of the PATH; `bench-cli` must be one of them. */
  readonly programs: string;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Does what a user who types a command into a terminal does. bash executes it, except if it is nothing but bench-cli and its words:
 * then it does not start a process for it.
 * @param command one line, or several of a script
 * @returns the output without its last line end
 */
export async function typeCommand(command: string, { cwd, programs, env = {} }: TypingOptions) {
  const variables = { PATH: `${programs}${delimiter}${process.env['PATH']}`, NO_COLOR: '1', ...env };
  const words = wordsOf(command);
  const { stdout, stderr, exitCode } =
    words === undefined
      ? await execa('bash', ['--norc', '-euo', 'pipefail', '-c', command], {
          cwd,
          env: variables,
          reject: false,
          stdin: 'ignore',
        })
      : await benchCli(words, { cwd, env: variables });
  return { stdout: stdout.replace(/\n$/, ''), stderr: stderr.replace(/\n$/, ''), exitCode };
}

/** The words after `bench-cli`; undefined if a shell has more to do than to split them. */
function wordsOf(command: string): readonly string[] | undefined {
  const line = command.replaceAll(/\\\n\s*/g, ' ').trim();
  const unquoted = line.replaceAll(/'[^']*'|"[^"$`\\]*"/g, '');
  if (!line.startsWith('bench-cli ') || /[^\w\s@%+=:,./-]/.test(unquoted)) return undefined;
  return split(line).slice(1);
}
