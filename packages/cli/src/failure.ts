import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { calledCommand, UsageError } from '@bench-cli/results';
import { allSettings, optionOf, settingCommands } from '@bench-cli/results/settings';
import { CommanderError } from 'commander';
import { locatedFile } from './options.ts';
import { Interruption } from './session/interruption.ts';
import type { Terminal } from './terminal.ts';

/** @returns the exit code: 2 for what the user can fix, 70 for an internal error */
export function showError(error: unknown, argv: readonly string[], opened: () => Terminal): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  // Without a command, the help is shown, and there is no message.
  if (error instanceof CommanderError && error.code === 'commander.help') return 2;
  const terminal = opened();
  if (error instanceof Interruption) {
    terminal.notice(error.message);
    return error.exitCode;
  }
  if (error instanceof CommanderError) {
    show(error.message.replace(/^error: /, '').replaceAll('\n', ' '), 'ERR_BENCH_USAGE', terminal);
    terminal.notice(meantBy(argv, error, terminal.io.cwd) ?? '(add --help for the options)');
    return 2;
  }
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_BENCH_')) {
    const source = error instanceof UsageError ? error.source : undefined;
    const origin = source === undefined ? '' : ` (a default of ${source})`;
    show(`${error.message}${origin}`, String(error.code), terminal);
    return 2;
  }
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    const problem = `the operating system refused an operation: ${error.message}; check the path, its permissions, free space and limits`;
    show(problem, 'ERR_BENCH_SYSTEM', terminal);
    return 2;
  }
  terminal.notice(`internal error in bench-cli; please report it:\n${inspect(error)}`);
  return 70;
}

export function showWriteError({ message }: Error, terminal: Terminal): void {
  const problem = `cannot write to the standard output: ${message}; redirect it to another place`;
  show(problem, 'ERR_BENCH_WRITE', terminal);
}

/** The commands that have an unknown option, or that begin with such a URL, program, file or benchmark. */
function meantBy(
  argv: readonly string[],
  { code, message }: CommanderError,
  cwd: string,
): string | undefined {
  const [, option] = /^error: unknown option '(--[\w-]+)/.exec(message) ?? [];
  const setting = Object.values(allSettings).find((each) => optionOf(each) === option);
  if (setting !== undefined) return `(${option} is an option of ${settingCommands(setting).join(', ')})`;
  if (code !== 'commander.unknownCommand') return undefined;
  const words = argv[0] === 'http' ? argv.slice(1) : argv;
  const [first = ''] = words;
  const meant = (...command: string[]) => `did you mean: ${calledCommand([...command, ...words])}`;
  if (/^https?:/.test(first)) return meant('http', 'load');
  if (/^(load|clients|server)$/.test(first)) return meant('http');
  if (/^(report|merge|join)$/.test(first))
    return `did you mean: ${calledCommand(['analyze', ...words.slice(1)])}`;
  if (/^(node|bun|deno)$/.test(first)) return `did you mean: ${calledCommand(['run', words.join(' ')])}`;
  if (/\.(jsonl|csv)$/.test(first)) return meant('analyze');
  return first.includes(' ') || existsSync(locatedFile(first, cwd)) ? meant('run') : undefined;
}

function show(message: string, code: string, { notice, paint }: Terminal): void {
  const separator = message.includes('\n') ? '\n' : ' ';
  notice(`${paint('red', 'error:', 'stderr')} ${message}${separator}${paint('dim', `[${code}]`, 'stderr')}`);
}
