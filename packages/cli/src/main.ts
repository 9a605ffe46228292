import { readFileSync } from 'node:fs';
import { calledCommand } from '@bench-cli/results';
import { Command } from 'commander';
import { analyzeCommand } from './commands/analyze-command.ts';
import { bisectCommand } from './commands/bisect-command.ts';
import { checkCommand } from './commands/check-command.ts';
import { addCommand, type CommandLine } from './commands/command-definition.ts';
import { compareCommand } from './commands/compare-command.ts';
import { completionCommand } from './commands/completion-command.ts';
import { explainCommand } from './commands/explain-command.ts';
import { fetchCommand } from './commands/fetch-command.ts';
import { historyCommand } from './commands/history-command.ts';
import { initCommand } from './commands/init-command.ts';
import { machineCommand } from './commands/machine-command.ts';
import { runCommand } from './commands/run-command.ts';
import { scatterCommand } from './commands/scatter-command.ts';
import { showError, showWriteError } from './failure.ts';
import { httpClientsCommand, httpLoadCommand, httpServerCommand } from './http/http-commands.ts';
import { type Interruption, outputInterruption } from './session/interruption.ts';
import { type CommandIo, createTerminal, type Terminal } from './terminal.ts';

/**
 * Carries out a command. It uses nothing else of the process, so several can run at the same time.
 * @param argv the words after the program
 * @returns 0, 1 for a failed benchmark or gate, 2 for what the user can fix, 70 for an internal error
 */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  let exitCode = 0;
  let opened: Terminal | undefined;
  // Help needs none, and opening the stream of messages takes time.
  const terminal = () => {
    // Without a place for messages, the exit code remains.
    if (opened === undefined) io.stderr.on('error', () => {});
    opened ??= createTerminal(io);
    return opened;
  };
  let outputEnd: Interruption | undefined;
  io.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (outputEnd !== undefined) return;
    outputEnd = outputInterruption(error, io.stdout);
    // A reader such as `head` can close the output early.
    if (outputEnd.by === 'full output') showWriteError(error, terminal());
  });
  const ended = (code: number) => {
    exitCode = code;
  };
  try {
    await programOf({ argv, io, terminal, ended }).parseAsync(argv, { from: 'user' });
  } catch (error) {
    exitCode = showError(error, argv, terminal);
  }
  await new Promise<void>((resolve) => {
    io.stdout.write('', () => resolve());
  });
  if (outputEnd === undefined) return exitCode;
  // A failure of the command counts, even if its output has no reader.
  return outputEnd.by === 'full output' ? outputEnd.exitCode : exitCode || outputEnd.exitCode;
}

function programOf(line: CommandLine): Command {
  const { stdout } = line.io;
  const program = new Command('bench-cli')
    .description(
      'Runs, compares and analyzes benchmarks of JavaScript and TypeScript runtimes and libraries.',
    )
    .addHelpText(
      'after',
      () =>
        `\nFirst steps:\n  # write a first benchmark of your package, then compare your changes with main\n  $ ${calledCommand(['init'])}\n  $ ${calledCommand(['compare'])}\n  # which command is the fastest\n  $ ${calledCommand(['run', 'node a.js', 'node b.js'])}\n\n${calledCommand(['run', '--help'])}: the options of a command`,
    )
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void line.terminal().io.stderr.write(text),
      getOutHelpWidth: () => (stdout.isTTY ? stdout.columns || 80 : 80),
      getErrHelpWidth: () => 80,
      // `showError` shows all errors in one form.
      outputError: () => {},
    });
  addCommand(program, initCommand, line);
  addCommand(program, runCommand, line);
  addCommand(program, compareCommand, line);
  addCommand(program, scatterCommand, line);
  addCommand(program, analyzeCommand, line);
  addCommand(program, bisectCommand, line);
  addCommand(program, explainCommand, line);
  addCommand(program, checkCommand, line);
  addCommand(program, historyCommand, line);
  addCommand(program, fetchCommand, line);
  addCommand(program, machineCommand, line);
  addCommand(program, completionCommand, line);
  const http = program.command('http').summary('load a server, compare HTTP clients, or run a test server');
  addCommand(http, httpLoadCommand, line);
  addCommand(http, httpClientsCommand, line);
  addCommand(http, httpServerCommand, line);
  // The script of a shell calls it.
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: readonly string[]) => {
      const { completions } = await import('./completion.ts');
      stdout.write(await completions(program, words, line.io.cwd));
    });
  return program;
}

function readVersion(): string {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return manifest.version;
}
