import { type Command, Option } from 'commander';
import {
  addExecution,
  addRuns,
  checkResume,
  type ExecutionOptions,
  examples,
  type RunsOptions,
  runsOf,
  setOption,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

interface ScatterOptions extends ExecutionOptions, RunsOptions {
  readonly runtime?: string;
}

/** `bench-cli scatter`: what Node core's scatter.js does. */
export function addScatterCommand(program: Command): void {
  const command = program
    .command('scatter')
    .summary('run one benchmark many times and print its parameters with the rates, as CSV')
    .description(
      'Runs every configuration of one benchmark many times and prints CSV with a column for each parameter, to see ' +
        'how the rate depends on them: bench-cli analyze scatter reads it.',
    )
    .argument('[file]', 'the benchmark')
    .option('--runtime <path|node@version>', 'the runtime to use (default: the one that runs bench-cli)')
    .option(
      '--suite <dir>',
      'directory that the name of the benchmark is relative to (default: ./benchmarks, ./benchmark, or .)',
    )
    .addOption(setOption());
  addRuns(command, 'how many times each configuration runs', 30);
  addExecution(command)
    // Known so that the error can say why not.
    .addOption(new Option('--shard <k/n>').hideHelp())
    .addHelpText(
      'after',
      examples([
        ['scatter benchmarks/string_decoder/string-decoder.ts > scatter.csv', 'the usual first step'],
        [
          'scatter --runs 5 --set encoding=ascii string_decoder/string-decoder.ts',
          'fewer runs of fewer configurations',
        ],
      ]),
    )
    .action(async (file: string | undefined, options: ScatterOptions) => {
      if (options.resume !== undefined) checkResume(command, file === undefined ? [] : [file]);
      else if (file === undefined) command.error('error: scatter needs the file of one benchmark');
      const [{ showSession }, { scatterOutput }] = await Promise.all([
        import('../session/session.ts'),
        import('../output/scatter-output.ts'),
      ]);
      const terminal = processTerminal();
      process.exitCode = await showSession(
        {
          command: 'scatter',
          subjects: { node: { runtime: options.runtime } },
          words: file === undefined ? [] : [file],
          runs: runsOf(command, options, 30),
          options,
        },
        () => scatterOutput(terminal),
        terminal,
      );
    });
}
