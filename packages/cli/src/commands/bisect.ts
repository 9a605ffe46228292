import { type Command, Option } from 'commander';
import {
  addAdaptiveRuns,
  addExecution,
  addPreparation,
  addSelection,
  checkResume,
  type ExecutionOptions,
  examples,
  nodeArgOption,
  type PreparationOptions,
  type RunsOptions,
  runsOf,
  type SearchFormat,
  searchFormats,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

interface BisectOptions extends ExecutionOptions, PreparationOptions, Omit<RunsOptions, 'runs'> {
  readonly good?: string;
  readonly bad?: string;
  readonly nodeArg?: string[];
  readonly format?: SearchFormat;
}

/** `bench-cli bisect`: the first version that is slower, or faster. */
export function addBisectCommand(program: Command): void {
  const command = program
    .command('bisect')
    .summary('find the version that made a benchmark slower or faster')
    .description(
      'Compares the bad end with the good one and, if they differ, searches the versions between them for the first ' +
        'that is like the bad end. Each version runs in turn with the good end until its side is clear. Versions that ' +
        'do not work are skipped. It prints the first bad version and the evidence.',
    )
    .argument('[file]', 'the benchmark; --set chooses one of its configurations')
    .option(
      '--good <subject>',
      'the version before the change (required), such as node@22.0.0, npm:yaml@2.0.0 or git:v1.0',
    )
    .option(
      '--bad <subject>',
      'the version after the change (required), such as node@22.19.0, npm:yaml@2.8.0, git:main or "."',
    )
    .addOption(nodeArgOption());
  addAdaptiveRuns(addPreparation(command));
  addExecution(addSelection(command))
    .addOption(new Option('--format <format>', 'output format').choices(searchFormats).default('table'))
    .addHelpText(
      'after',
      examples([
        [
          'bisect --good node@22.0.0 --bad node@22.19.0 --set inLen=1024 --set chunkLen=64 --set encoding=utf8 string_decoder/string-decoder.ts',
          'the release of Node.js that changed a configuration',
        ],
        ['bisect --good npm:yaml@2.0.0 --bad npm:yaml@2.8.0 benchmarks/parse.ts', 'the version of a package'],
        [
          'bisect --good git:v1.0 --bad git:main --prepare "npm ci && npm run build" benchmarks/parse.ts',
          'the commit of a branch; merged branches count as one commit',
        ],
        ['bisect --resume results.jsonl', 'continue an interrupted search'],
      ]),
    )
    .action(async (file: string | undefined, { good, bad, nodeArg = [], ...options }: BisectOptions) => {
      const words = file === undefined ? [] : [file];
      if (options.resume !== undefined) checkResume(command, words);
      else if (good === undefined || bad === undefined || file === undefined) {
        command.error('bisect requires --good and --bad, each a version such as node@22.0.0, and a file');
      }
      const [{ readSubject }, { showSession }, { bisectOutput }] = await Promise.all([
        import('@bench-cli/runner'),
        import('../session/session.ts'),
        import('../session/bisect-output.ts'),
      ]);
      const terminal = processTerminal();
      const subjectOf = (text: string | undefined) => {
        const { flags = [], ...request } = text === undefined ? {} : readSubject(text).request;
        return { ...request, flags: [...flags, ...nodeArg] };
      };
      process.exitCode = await showSession(
        {
          command: 'bisect',
          subjects: { good: subjectOf(good), bad: subjectOf(bad) },
          words,
          runs: runsOf(command, { ...options, runs: 'auto' }, 0),
          options,
        },
        () => bisectOutput(options.format ?? 'table', terminal),
        terminal,
      );
    });
}
