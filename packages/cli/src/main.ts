import { existsSync, readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { Command, CommanderError } from 'commander';
import { quote } from 'shlex';
import { analyzeCommand } from './commands/analyze-command.ts';
import { bisectCommand } from './commands/bisect-command.ts';
import { checkCommand } from './commands/check-command.ts';
import { addCommand } from './commands/command-definition.ts';
import { compareCommand } from './commands/compare-command.ts';
import { completionCommand } from './commands/completion-command.ts';
import { explainCommand } from './commands/explain-command.ts';
import { fetchCommand } from './commands/fetch-command.ts';
import { historyCommand } from './commands/history-command.ts';
import { machineCommand } from './commands/machine-command.ts';
import { runCommand } from './commands/run-command.ts';
import { scatterCommand } from './commands/scatter-command.ts';
import { httpClientsCommand, httpLoadCommand, httpServerCommand } from './http/http-commands.ts';
import { calledAs } from './invocation.ts';
import { closedOutputCode, Interruption } from './session/interruption.ts';
import { processTerminal } from './terminal.ts';

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

const program = new Command(calledAs())
  .description('Runs, compares and analyzes benchmarks of JavaScript and TypeScript runtimes and libraries.')
  .version(manifest.version)
  .exitOverride()
  // `showError` shows all errors in one form.
  .configureOutput({ outputError: () => {} });

addCommand(program, runCommand);
addCommand(program, compareCommand);
addCommand(program, scatterCommand);
addCommand(program, analyzeCommand);
addCommand(program, bisectCommand);
addCommand(program, explainCommand);
addCommand(program, checkCommand);
addCommand(program, historyCommand);
addCommand(program, fetchCommand);
addCommand(program, machineCommand);
addCommand(program, completionCommand);
const http = program.command('http').summary('load a server, compare HTTP clients, or run a test server');
addCommand(http, httpLoadCommand);
addCommand(http, httpClientsCommand);
addCommand(http, httpServerCommand);

// The script of a shell calls it.
program
  .command('complete', { hidden: true })
  .argument('[words...]')
  .action(async (words: readonly string[]) => {
    const { completions } = await import('./completion.ts');
    process.stdout.write(completions(program, words));
  });

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') {
    // A reader such as `head` can close the output early. A failure of the command is reported nevertheless.
    process.once('exit', (code) => {
      if (code === 0) process.exitCode = closedOutputCode;
    });
    return;
  }
  show(
    `cannot write to the standard output: ${error.message}; redirect it to another place`,
    'ERR_BENCH_WRITE',
  );
  process.once('exit', () => {
    process.exitCode = 2;
  });
});
// Only a command that runs, and an error, may write there: opening the stream takes time.
const guardMessages = () => {
  // Without a place for messages, the exit code remains.
  process.stderr.on('error', () => {});
};
program.hook('preAction', guardMessages);

try {
  await program.parseAsync();
} catch (error) {
  guardMessages();
  process.exitCode = await showError(error);
}

/** @returns the exit code: 2 for what the user can fix, 70 for an internal error */
async function showError(error: unknown): Promise<number> {
  if (error instanceof Interruption) {
    processTerminal().notice(error.message);
    return error.exitCode;
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a command, the help is shown, and there is no message.
    if (error.code === 'commander.help') return 2;
    show(error.message.replace(/^error: /, '').replaceAll('\n', ' '), 'ERR_BENCH_USAGE');
    processTerminal().notice(meantBy(process.argv.slice(2), error) ?? '(add --help for the options)');
    return 2;
  }
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_BENCH_')) {
    show(error.message, String(error.code));
    return 2;
  }
  if (error instanceof Error && 'syscall' in error && 'code' in error) {
    show(
      `the operating system refused an operation: ${error.message}; check the path, its permissions, free space and limits`,
      'ERR_BENCH_SYSTEM',
    );
    return 2;
  }
  processTerminal().notice(`internal error in bench-cli; please report it:\n${inspect(error)}`);
  return 70;
}

/** A file without a command is one of results, or of a benchmark. */
function meantBy(words: readonly string[], { code }: CommanderError): string | undefined {
  const [file] = words;
  if (code !== 'commander.unknownCommand' || file === undefined || !existsSync(file)) return undefined;
  return `did you mean: ${calledAs()} ${/\.(jsonl|csv)$/.test(file) ? 'analyze' : 'run'} ${words.map(quote).join(' ')}`;
}

function show(message: string, code: string): void {
  const { notice, paint } = processTerminal();
  const separator = message.includes('\n') ? '\n' : ' ';
  notice(`${paint('red', 'error:', 'stderr')} ${message}${separator}${paint('dim', `[${code}]`, 'stderr')}`);
}
