import { type Command, Option } from 'commander';
import {
  addExecution,
  addJobs,
  addMetrics,
  addRuns,
  addSelection,
  addSharding,
  checkResume,
  type ExecutionOptions,
  examples,
  givenBeyond,
  type MetricOptions,
  nodeArgOption,
  type RunFormat,
  type RunsOptions,
  runFormats,
  runsOf,
  runtimeOption,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

interface RunOptions extends ExecutionOptions, RunsOptions, MetricOptions {
  readonly runtime?: string;
  readonly nodeArg?: string[];
  readonly format?: RunFormat;
  readonly track?: boolean;
}

/** `bench-cli run`: Node core's run.js. */
export function addRunCommand(program: Command): void {
  const command = program
    .command('run')
    .summary('run benchmarks and print their rates')
    .description(
      'Runs every configuration of the benchmarks in its own process and prints operations per second. It does not ' +
        'judge differences: to compare two subjects, use bench-cli compare.',
    )
    .argument(
      '[group|file...]',
      'groups of the suite, files or directories; "all" for the whole suite, "test" for test mode, "coverage" to list the ' +
        'functions of Node.js that the benchmarks do not call, instead of rates',
    )
    .addOption(runtimeOption())
    .addOption(nodeArgOption());
  addRuns(command, 'number of runs per configuration', 1);
  addMetrics(addJobs(addSharding(addExecution(addSelection(command)))))
    .addOption(
      new Option(
        '--format <format>',
        'output format (default: table on a terminal, simple otherwise)',
      ).choices(runFormats),
    )
    .option('--track', 'print how long each benchmark took')
    .addHelpText(
      'after',
      examples([
        ['run assert', 'all benchmarks of a group'],
        ['run --runs 3 --filter deepequal-b assert', 'some of them, three times'],
        [
          'run --set n=1e5 --set CPUSET=0 --format csv buffers/buffer-tostring.ts',
          'one file, on one CPU, as CSV',
        ],
        ['run --runtime node@22 process', 'with another release of Node.js'],
        ['run --runs auto --margin 1% url', 'each configuration until its rate is known within 1 %'],
        [
          'run --metric alloc,gc url',
          'also how much memory an operation allocates, and what collecting it costs',
        ],
        [
          'run --runs 10 --jobs auto url',
          'several configurations at the same time, each on a core of its own',
        ],
        ['run --shard 3/8 --out rates-3.jsonl all', 'part 3 of 8; bench-cli merge joins the parts'],
        ['run coverage string_decoder', 'which functions of Node.js no benchmark of the group calls'],
        ['run all test', 'check that everything works: the shortest configuration of each benchmark'],
      ]),
    )
    .action(async (words: string[], options: RunOptions) => {
      if (options.resume !== undefined) checkResume(command, words);
      else if (words.includes('coverage')) {
        checkCoverage(command);
        const { showCoverage } = await import('../session/coverage.ts');
        const items = words.filter((word) => word !== 'coverage');
        process.exitCode = await showCoverage(items, options, processTerminal());
        return;
      }
      const [{ showSession }, { runOutput }] = await Promise.all([
        import('../session/session.ts'),
        import('../session/result-output.ts'),
      ]);
      const terminal = processTerminal();
      process.exitCode = await showSession(
        {
          command: 'run',
          subjects: { node: { runtime: options.runtime, flags: options.nodeArg } },
          words,
          runs: runsOf(command, options, 1),
          options,
        },
        () => runOutput(options.format ?? (terminal.resultIsTerminal ? 'table' : 'simple'), terminal),
        terminal,
      );
    });
}

/** Refuses options about rates. */
function checkCoverage(command: Command): void {
  const allowed = new Set([
    'suite',
    'filter',
    'exclude',
    'set',
    'allowNewValues',
    'tag',
    'runtime',
    'nodeArg',
    'timeout',
    'bail',
    'progress',
  ]);
  const given = givenBeyond(command, allowed);
  if (given !== undefined) command.error(`coverage measures no rates: remove ${given}`);
}
