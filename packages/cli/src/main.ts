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

const manifest: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
);

const program = new Command('bench-cli')
  .description('Benchmarks of JavaScript and TypeScript runtimes and libraries: run, compare, analyse.')
  .version(manifest.version)
  .showHelpAfterError('(add --help for what is possible)')
  .exitOverride();

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

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCodeOf(error);
}

/** 2 for invalid input. Any other error is internal, and shown as such. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_BENCH_')) {
    console.error(`error: ${error.message}`);
    return 2;
  }
  console.error('internal error of bench-cli; please report it:\n', error);
  return 70;
}
