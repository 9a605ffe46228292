import { type Command, Option } from 'commander';
import { examples, readCount, whereOption } from '../options.ts';
import type { ExplainOptions } from '../session/explanation.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli explain`: the functions behind a difference. */
export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .summary('show which functions made a comparison faster or slower')
    .description(
      'Profiles the configurations of a comparison that differ, under each subject several times, and prints the ' +
        'functions whose own time, or allocated memory, per operation differs. The benchmarks and the runtimes must be ' +
        'those of the comparison.',
    )
    .argument('<file>', 'results file (.jsonl) of compare')
    .addOption(whereOption())
    .addOption(
      new Option('--profiles <n>', 'profiles of each kind per configuration and subject')
        .argParser(readCount)
        .default(10),
    )
    .option('--top <n>', 'the most functions to show for each configuration', readCount, 10)
    .option(
      '-o, --output <dir>',
      'the directory for the profiles, which speedscope and the developer tools of Chrome open (default: the file with the ' +
        'extension .profiles)',
    )
    .option('--trust', 'run the programs that the file names, although you did not begin its session here')
    .option('--no-progress', 'hide the progress line')
    .addHelpText(
      'after',
      examples([
        ['explain results.jsonl', 'all configurations that are faster or slower'],
        [
          'explain results.jsonl --where encoding=ascii --profiles 30',
          'some configurations, also those without a difference, more precisely',
        ],
      ]),
    )
    .action(async (file: string, options: ExplainOptions) => {
      const { showExplanation } = await import('../session/explanation.ts');
      process.exitCode = await showExplanation(file, options, processTerminal());
    });
}
