import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quote } from 'shlex';
import type { SessionRequest } from './recording/line.ts';

/** An option of this program with its value, quoted for a POSIX shell. */
export function optionWords(option: string, value: string): string {
  return `--${option} ${quote(value)}`;
}

/** What a user types before `bench-cli`: only package managers add programs of a project to the PATH. */
function userStart({ npm_config_user_agent: manager, PATH = '' }: NodeJS.ProcessEnv): string {
  const isOnPath = PATH.split(delimiter).some((directory) => existsSync(join(directory, 'bench-cli')));
  return manager === undefined && isOnPath ? '' : 'npx';
}

/**
 * A command of this program for a POSIX shell.
 * @param words the command and its arguments; a placeholder for the user is not quoted
 * @param start what precedes it, such as `npx`
 */
export function calledCommand(
  words: readonly (string | { readonly placeholder: string })[],
  start: string = userStart(process.env),
): string {
  return [
    ...(start === '' ? [] : [start]),
    'bench-cli',
    ...words.map((word) => (typeof word === 'string' ? quote(word) : word.placeholder)),
  ].join(' ');
}

/** The shell command that continues a session. @param words what extends it */
export function resumeCommand(
  { command, commandLine }: Pick<SessionRequest, 'command' | 'commandLine'>,
  file: string,
  ...words: readonly string[]
): string {
  const name = commandLine?.[0] === 'http' ? commandLine.slice(0, 2) : [command];
  return calledCommand([...name, '--resume', file, ...words]);
}
