import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
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
 * Does what a user who types a command into a terminal does. bash executes it, except if it is nothing but `bench-cli words` or
 * `bench-cli words > file`: these share a process, as `benchCli` does it.
 * @param command one line, or several of a script
 * @returns the output without its last line end
 */
export async function typeCommand(command: string, { cwd, programs, env = {} }: TypingOptions) {
  const variables = { PATH: `${programs}${delimiter}${process.env['PATH']}`, NO_COLOR: '1', ...env };
  const plain = plainCommand(command);
  if (plain === undefined) {
    const bash = ['--norc', '-euo', 'pipefail', '-c', command];
    const { stdout, stderr, exitCode } = await execa('bash', bash, {
      cwd,
      env: variables,
      reject: false,
      stdin: 'ignore',
    });
    return { stdout, stderr, exitCode };
  }
  const { stdout, stderr, exitCode } = await benchCli(plain.words, { cwd, env: variables });
  if (plain.file !== undefined) writeFileSync(join(cwd, plain.file), stdout);
  const shown = plain.file === undefined ? stdout : '';
  return { stdout: shown.replace(/\n$/, ''), stderr: stderr.replace(/\n$/, ''), exitCode };
}

/**
 * The words after `bench-cli`, and the file to which its output goes; undefined if a shell has more to do.
 */
function plainCommand(command: string) {
  const line = command.replaceAll(/\\\n\s*/g, ' ').trim();
  const [, call, file] = /^(?:npx )?bench-cli (.*?)(?: > ([\w.-]+))?$/.exec(line) ?? [];
  if (call === undefined) return undefined;
  const unquoted = call.replaceAll(/'[^']*'|"[^"$`\\]*"/g, '');
  return /[^\w @%+=:,./-]/.test(unquoted) ? undefined : { words: split(call), file };
}
