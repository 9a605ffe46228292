import { type Command, Option } from 'commander';
import type { HistoryOptions } from '../history/history.ts';
import { examples, readPercent } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli history`: the results of many commits. */
export function addHistoryCommand(program: Command): void {
  program
    .command('history')
    .summary('keep the results of many commits, and find the commits that changed them')
    .description(
      'Adds results files to a history, a file that lives in a branch or a cache, and shows at which commits the results ' +
        'have changed. Only results of one machine are compared with each other.',
    )
    .argument('[file...]', 'results files (.jsonl) to add')
    .requiredOption('--file <history>', 'the file of the history (JSON Lines)')
    .option('--commit <id>', 'the commit that was measured (default: GITHUB_SHA or CI_COMMIT_SHA)')
    .option(
      '--machine <name>',
      'the machine, or the kind of machine if all of a kind are equal (default: the CPU and the number of CPUs)',
    )
    .option('--margin <percent>', 'the smallest change to show (default: any)', readPercent)
    .addOption(
      new Option('--format <format>', 'output format; json has all values (default: table)').choices([
        'table',
        'json',
      ]),
    )
    .option('--html <file>', 'also write one HTML page with a chart of each configuration')
    .addHelpText(
      'after',
      examples([
        [
          'history --file history.jsonl --commit "$(git rev-parse HEAD)" results.jsonl',
          'adds a session, and shows the changes',
        ],
        ['history --file history.jsonl --margin 2%', 'only shows the changes'],
        ['history --file history.jsonl --html history.html', 'draws the values of all commits'],
      ]),
    )
    .action(async (files: string[], options: HistoryOptions) => {
      const { showHistory } = await import('../history/history.ts');
      await showHistory(files, options, processTerminal());
    });
}
