import { type Command, Option } from 'commander';
import {
  examples,
  filterOption,
  newValuesOption,
  nodeArgOption,
  runtimeOption,
  setOption,
  suiteOption,
} from '../options.ts';
import type { CheckOptions } from '../session/check.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli check`: does a benchmark measure what it claims? */
export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .summary('find benchmarks that do not measure what they claim')
    .description(
      'Runs every configuration of the benchmarks with its number of operations and with twice that, and more where needed. ' +
        'It prints what is wrong, such as a loop that the compiler removed, with the figures that show it, and exits with 1 if it ' +
        'finds something.',
    )
    .argument('<group|file...>', 'groups of the suite, files or directories; "all" for the whole suite')
    .option('--parameter <name>', 'the parameter that counts operations', 'n')
    .addOption(suiteOption())
    .addOption(filterOption())
    .addOption(setOption())
    .addOption(newValuesOption())
    .addOption(runtimeOption())
    .addOption(nodeArgOption())
    .addOption(
      new Option('--format <format>', 'output format; json has the figures of all runs')
        .choices(['text', 'json'])
        .default('text'),
    )
    .option('--no-progress', 'hide the progress line')
    .addHelpText(
      'after',
      examples([
        ['check benchmarks/string_decoder/string-decoder.ts', 'one file'],
        ['check --set n=1e5 url', 'a group, with another number of operations'],
      ]),
    )
    .action(async (items: string[], options: CheckOptions) => {
      const { showCheck } = await import('../session/check.ts');
      process.exitCode = await showCheck(items, options, processTerminal());
    });
}
