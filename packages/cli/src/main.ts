import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { addAnalyzeCommand } from './commands/analyze.ts';
import { addCalibrateCommand } from './commands/calibrate.ts';
import { addClientsCommand } from './commands/clients.ts';
import { addClusterServerCommand } from './commands/cluster-server.ts';
import { addCompareCommand } from './commands/compare.ts';
import { addCpuCommand } from './commands/cpu.ts';
import { addMergeCommand } from './commands/merge.ts';
import { addReportCommand } from './commands/report.ts';
import { addRunCommand } from './commands/run.ts';
import { addScatterCommand } from './commands/scatter.ts';
import { processTerminal } from './terminal.ts';

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

const program = new Command('bench-cli')
  .description('Runs, compares and analyzes benchmarks of JavaScript and TypeScript runtimes and libraries.')
  .version(manifest.version)
  .exitOverride()
  // `showError` shows all errors in one form.
  .configureOutput({ outputError: () => {} });

addRunCommand(program);
addCompareCommand(program);
addScatterCommand(program);
addAnalyzeCommand(program);
addMergeCommand(program);
addReportCommand(program);
addCpuCommand(program);
addCalibrateCommand(program);
addClusterServerCommand(program);
addClientsCommand(program);

// A reader such as `head` can close the output early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = showError(error);
}

/** @returns the exit code: 2 for what the user can fix, 70 for an internal error */
function showError(error: unknown): number {
  const { notice, paint } = processTerminal();
  const show = (message: string, code: string) => {
    const separator = message.includes('\n') ? '\n' : ' ';
    notice(
      `${paint('red', 'error:', 'stderr')} ${message}${separator}${paint('dim', `[${code}]`, 'stderr')}`,
    );
  };
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a command, the help is shown, and there is no message.
    if (error.code === 'commander.help') return 2;
    show(error.message.replace(/^error: /, '').replaceAll('\n', ' '), 'ERR_BENCH_USAGE');
    notice('(add --help for all options)');
    return 2;
  }
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_BENCH_')) {
    show(error.message, String(error.code));
    return 2;
  }
  console.error('internal error in bench-cli; please report it:\n', error);
  return 70;
}
