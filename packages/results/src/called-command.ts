import { quote } from 'shlex';
import type { SessionRequest } from './recording/line.ts';

/** A placeholder for the user, which is not quoted in a command. */
export interface Placeholder {
  readonly placeholder: string;
}

/** An option of this program with its value, quoted for a POSIX shell. */
export function optionWords(option: string, value: string): string {
  return `--${option} ${quote(value)}`;
}

/** A command of this program for a POSIX shell. @param words the command and its arguments */
export function calledCommand(words: readonly (string | Placeholder)[]): string {
  return [
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
