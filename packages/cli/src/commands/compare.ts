import type { SubjectRequest } from '@bench-cli/runner';
import { type Command, Option } from 'commander';
import {
  addComparison,
  addExecution,
  addRuns,
  addSelection,
  addSharding,
  type CompareFormat,
  type ComparisonOptions,
  checkResume,
  compareFormats,
  type ExecutionOptions,
  examples,
  nodeArgOption,
  type RunsOptions,
  readCorrection,
  repeatable,
  runsOf,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

interface CompareOptions extends ExecutionOptions, RunsOptions, ComparisonOptions {
  readonly old?: string;
  readonly new?: string;
  readonly nodeArg?: string[];
  readonly oldFlags?: string;
  readonly newFlags?: string;
  readonly oldEnv?: string[];
  readonly newEnv?: string[];
  readonly oldCwd?: string;
  readonly newCwd?: string;
  readonly format?: CompareFormat;
}

/** `bench-cli compare`: Node core's compare.js and compare.R. */
export function addCompareCommand(program: Command): void {
  const command = program
    .command('compare')
    .summary('run benchmarks under two subjects and say which is faster')
    .description(
      'Runs every configuration of the benchmarks many times under an old and a new subject, alternating between ' +
        'them, and compares the rates. It prints a table to a terminal, and CSV for bench-cli analyze compare to a pipe.',
    )
    .argument(
      '[group|file...]',
      'groups of the suite, files or directories; "all" for all groups, "test" for test mode',
    )
    .option('--old <path|node@version>', 'the old runtime (required)')
    .option('--new <path|node@version>', 'the new runtime (required)')
    .addOption(nodeArgOption())
    .option('--old-flags <flags>', 'flags of the old runtime, separated by spaces')
    .option('--new-flags <flags>', 'flags of the new runtime, separated by spaces')
    .addOption(
      repeatable('--old-env <name=value>', 'environment variable of the old processes (can be repeated)'),
    )
    .addOption(
      repeatable('--new-env <name=value>', 'environment variable of the new processes (can be repeated)'),
    )
    .option(
      '--old-cwd <dir>',
      'working directory of the old processes, which can have its own copy of the benchmarks',
    )
    .option(
      '--new-cwd <dir>',
      'working directory of the new processes, which can have its own copy of the benchmarks',
    );
  addRuns(command, 'number of runs per configuration and subject', 30);
  addComparison(addSharding(addExecution(addSelection(command))))
    .addOption(
      new Option(
        '--format <format>',
        'output format (default: table on a terminal and with --columns, csv otherwise)',
      ).choices(compareFormats),
    )
    .addHelpText(
      'after',
      examples([
        ['compare --old node@22 --new node@26 string_decoder', 'two releases of Node.js, fetched if needed'],
        [
          'compare --old ./node-main --new ./node-pr string_decoder > compare-pr.csv',
          'two builds; bench-cli analyze compare reads the CSV',
        ],
        [
          'compare --runs auto --old node@22 --new node@26 string_decoder',
          'each configuration until its result is clear: about a third of the runs',
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
          'part 3 of 8; bench-cli merge joins the parts',
        ],
        [
          "compare --old ./node-main --new ./node-pr --columns chart --fail-on 'slower>=5%' string_decoder",
          'a gate for CI: exit code 1 if a configuration is slower',
        ],
        ['compare --resume results.jsonl', 'continue an interrupted comparison'],
      ]),
    )
    .action(async (given: string[], options: CompareOptions) => {
      const { correct, operands: words } = readCorrection(options.correct, given);
      if (options.resume !== undefined) checkResume(command, words);
      else if (options.old === undefined || options.new === undefined) {
        command.error('compare requires --old and --new, each a path or a release such as node@22');
      }
      const [{ showSession }, { compareOutput }] = await Promise.all([
        import('../session/session.ts'),
        import('../session/result-output.ts'),
      ]);
      const terminal = processTerminal();
      const { columns, allowMissing = false } = options;
      const format = options.format ?? (terminal.resultIsTerminal || columns ? 'table' : 'csv');
      // Most comparisons do not need these before they measure.
      if (columns) (await import('../analysis/comparison.ts')).checkView(format, options);
      const hasGates = options.failOn !== undefined || allowMissing;
      const gates = hasGates ? (await import('../analysis/gate.ts')).gatesOf(options) : [];
      const view = { format, columns, correct, gates, allowMissing };
      const runs = runsOf(command, options, 30);
      process.exitCode = await showSession(
        {
          command: 'compare',
          subjects: {
            old: subjectOf(
              command,
              options.old,
              flagsOf(options, 'oldFlags'),
              options.oldEnv,
              options.oldCwd,
            ),
            new: subjectOf(
              command,
              options.new,
              flagsOf(options, 'newFlags'),
              options.newEnv,
              options.newCwd,
            ),
          },
          words,
          runs: typeof runs === 'number' ? runs : { ...runs, limits: gates.map(({ limit }) => limit) },
          options,
        },
        (request) => compareOutput(view, request, terminal),
        terminal,
      );
    });
}

/** The flags of both subjects, then those of one. */
function flagsOf({ nodeArg = [], ...options }: CompareOptions, own: 'oldFlags' | 'newFlags'): string[] {
  return [...nodeArg, ...(options[own]?.split(/\s+/).filter((flag) => flag !== '') ?? [])];
}

function subjectOf(
  command: Command,
  runtime: string | undefined,
  flags: readonly string[],
  variables: readonly string[] = [],
  cwd: string | undefined,
): SubjectRequest {
  const env = variables.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1)
      command.error(
        `"${pair}" is not an environment variable: write name=value, such as NODE_ENV=production`,
      );
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return {
    runtime,
    flags,
    env: Object.fromEntries(env),
    cwd,
  };
}
