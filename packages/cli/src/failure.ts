import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { calledCommand, UsageError } from '@bench-cli/results';
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
    show(
      `the operating system refused an operation: ${error.message}; check the path, its permissions, free space and limits`,
      'ERR_BENCH_SYSTEM',
      terminal,
    );
    return 2;
  }
  terminal.notice(`internal error in bench-cli; please report it:\n${inspect(error)}`);
  return 70;
}

export function showWriteError({ message }: Error, terminal: Terminal): void {
  show(
    `cannot write to the standard output: ${message}; redirect it to another place`,
    'ERR_BENCH_WRITE',
    terminal,
  );
}

/** A file without a command is one of results, or of a benchmark; a URL is that of a server to load. */
function meantBy(argv: readonly string[], { code }: CommanderError, cwd: string): string | undefined {
  const [file, url] = argv;
  if (code === 'commander.unknownCommand' && file === 'http' && /^https?:/.test(url ?? ''))
    return `did you mean: ${calledCommand(['http', 'load', ...argv.slice(1)])}`;
  if (code !== 'commander.unknownCommand' || file === undefined || !existsSync(locatedFile(file, cwd)))
    return undefined;
  return `did you mean: ${calledCommand([/\.(jsonl|csv)$/.test(file) ? 'analyze' : 'run', ...argv])}`;
}

function show(message: string, code: string, { notice, paint }: Terminal): void {
  const separator = message.includes('\n') ? '\n' : ' ';
  notice(`${paint('red', 'error:', 'stderr')} ${message}${separator}${paint('dim', `[${code}]`, 'stderr')}`);
}
