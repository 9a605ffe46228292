import { type Command, Option } from 'commander';
import {
  addExecution,
  addRuns,
  addSelection,
  addSharding,
  checkResume,
  type ExecutionOptions,
  examples,
  type RunsOptions,
  repeatable,
  runsOf,
} from '../options.ts';
import { type CompareFormat, compareFormats } from '../output/formats.ts';
import { processTerminal } from '../terminal.ts';

interface CompareOptions extends ExecutionOptions, RunsOptions {
  readonly old?: string;
  readonly new?: string;
  readonly oldFlags?: string;
  readonly newFlags?: string;
  readonly oldEnv?: string[];
  readonly newEnv?: string[];
  readonly oldCwd?: string;
  readonly newCwd?: string;
  readonly format?: CompareFormat;
}

/** `bench-cli compare`: what Node core's compare.js and compare.R do. */
export function addCompareCommand(program: Command): void {
  const command = program
    .command('compare')
    .summary('run benchmarks under two subjects and tell which is faster')
    .description(
      'Runs every configuration of the benchmarks many times under an old and a new subject, turn by turn, and ' +
        'compares the rates. A terminal gets a table, a pipe gets CSV for bench-cli analyze compare.',
    )
    .argument(
      '[group|file...]',
      'groups of the suite, files or directories; "all" for all groups, "test" for test mode',
    )
    .option('--old <path|node@version>', 'the old runtime (required)')
    .option('--new <path|node@version>', 'the new runtime (required)')
    .option('--old-flags <flags>', 'flags for the old runtime, separated by spaces')
    .option('--new-flags <flags>', 'flags for the new runtime, separated by spaces')
    .addOption(repeatable('--old-env <name=value>', 'a variable for the old processes (can be repeated)'))
    .addOption(repeatable('--new-env <name=value>', 'a variable for the new processes (can be repeated)'))
    .option('--old-cwd <dir>', 'where the old processes run, with their own copy of the benchmarks')
    .option('--new-cwd <dir>', 'where the new processes run, with their own copy of the benchmarks');
  addRuns(command, 'how many times each configuration runs under each subject', 30);
  addSharding(addExecution(addSelection(command)))
    .addOption(
      new Option(
        '--format <format>',
        'how results are printed (default: table on a terminal, else csv)',
      ).choices(compareFormats),
    )
    .addHelpText(
      'after',
      examples([
        ['compare --old node@22 --new node@26 string_decoder', 'two releases of Node.js, fetched if need be'],
        [
          'compare --old ./node-main --new ./node-pr string_decoder > compare-pr.csv',
          'two builds; analyze compare reads the CSV',
        ],
        [
          'compare --runs auto --old node@22 --new node@26 string_decoder',
          'each configuration only until it is clear: about a third of the runs',
        ],
        [
          'compare --old node --new node --new-flags --no-opt --runs 5 url',
          'one runtime with and without a flag',
        ],
        [
          'compare --old node --old-cwd ../main --new node benchmarks/url/parse.ts',
          'two checkouts of a library',
        ],
        [
          'compare --old node@22 --new node@26 --shard 3/8 --out shard-3.jsonl string_decoder url',
          'the third of eight parts; bench-cli merge joins them',
        ],
        ['compare --resume results.jsonl', 'go on with what an interrupted command recorded'],
      ]),
    )
    .action(async (words: string[], options: CompareOptions) => {
      const resuming = options.resume !== undefined;
      if (resuming) checkResume(command, words);
      else if (options.old === undefined || options.new === undefined) {
        command.error('error: compare needs --old and --new, each a path or a release such as node@22');
      }
      const [{ showSession }, { compareOutput }] = await Promise.all([
        import('../session/session.ts'),
        import('../output/compare-output.ts'),
      ]);
      const terminal = processTerminal();
      const format = options.format ?? (terminal.resultIsTerminal ? 'table' : 'csv');
      process.exitCode = await showSession(
        {
          command: 'compare',
          subjects: {
            old: subjectOf(command, options.old, options.oldFlags, options.oldEnv, options.oldCwd),
            new: subjectOf(command, options.new, options.newFlags, options.newEnv, options.newCwd),
          },
          words,
          runs: runsOf(command, options, 30),
          options,
        },
        () => compareOutput(format, terminal),
        terminal,
      );
    });
}

function subjectOf(
  command: Command,
  runtime: string | undefined,
  flags: string | undefined,
  variables: readonly string[] | undefined,
  cwd: string | undefined,
) {
  const env = (variables ?? []).map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) command.error(`error: ${pair} is no variable; it takes the form name=value`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return {
    runtime,
    flags: flags?.split(/\s+/).filter((flag) => flag !== ''),
    env: Object.fromEntries(env),
    cwd,
  };
}
