import { type Command, Option } from 'commander';
import {
  addExecution,
  addRuns,
  checkResume,
  type ExecutionOptions,
  examples,
  fileSuiteOption,
  filterOption,
  newValuesOption,
  nodeArgOption,
  type RunsOptions,
  runsOf,
  runtimeOption,
  samplesOption,
  setOption,
  tagOption,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

interface ScatterOptions extends ExecutionOptions, RunsOptions {
  readonly runtime?: string;
  readonly nodeArg?: string[];
}

/** `bench-cli scatter`: Node core's scatter.js. */
export function addScatterCommand(program: Command): void {
  const command = program
    .command('scatter')
    .summary('run one benchmark many times and print its parameters and rates as CSV')
    .description(
      'Runs every configuration of one benchmark many times and prints CSV with a column for each parameter. ' +
        'bench-cli analyze scatter shows from it how the rate depends on the parameters.',
    )
    .argument('[file]', 'the benchmark')
    .addOption(runtimeOption())
    .addOption(nodeArgOption())
    .addOption(fileSuiteOption())
    .addOption(filterOption())
    .addOption(setOption())
    .addOption(newValuesOption())
    .addOption(tagOption())
    .addOption(samplesOption());
  addRuns(command, 'number of runs per configuration', 30);
  addExecution(command)
    // Declared so that the runner can say why it is invalid.
    .addOption(new Option('--shard <k/n>').hideHelp())
    .addHelpText(
      'after',
      examples([
        ['scatter benchmarks/string_decoder/string-decoder.ts > scatter.csv', 'all configurations'],
        [
          'scatter --runs 5 --set encoding=ascii string_decoder/string-decoder.ts',
          'fewer runs of fewer configurations',
        ],
      ]),
    )
    .action(async (file: string | undefined, options: ScatterOptions) => {
      const words = file === undefined ? [] : [file];
      if (options.resume !== undefined) checkResume(command, words);
      else if (file === undefined) command.error('scatter requires the file of one benchmark');
      const [{ showSession }, { scatterOutput }] = await Promise.all([
        import('../session/session.ts'),
        import('../session/result-output.ts'),
      ]);
      const terminal = processTerminal();
      process.exitCode = await showSession(
        {
          command: 'scatter',
          subjects: { node: { runtime: options.runtime, flags: options.nodeArg } },
          words,
          runs: runsOf(command, options, 30),
          options,
        },
        () => scatterOutput(terminal),
        terminal,
      );
    });
}
