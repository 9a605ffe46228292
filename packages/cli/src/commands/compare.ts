import type * as Runner from '@bench-cli/runner';
import type { SubjectRequest, SubjectRequests } from '@bench-cli/runner';
import { type Command, Option } from 'commander';
import {
  addComparison,
  addExecution,
  addJobs,
  addMetrics,
  addPreparation,
  addRuns,
  addSelection,
  addSharding,
  type CompareFormat,
  type ComparisonOptions,
  checkResume,
  compareFormats,
  type ExecutionOptions,
  examples,
  type MetricOptions,
  nodeArgOption,
  type PreparationOptions,
  type RunsOptions,
  readCorrection,
  repeatable,
  runsOf,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

interface CompareOptions
  extends ExecutionOptions,
    RunsOptions,
    MetricOptions,
    ComparisonOptions,
    PreparationOptions {
  readonly old?: string;
  readonly new?: string;
  readonly subject?: string[];
  readonly nodeArg?: string[];
  readonly oldFlags?: string;
  readonly newFlags?: string;
  readonly oldEnv?: string[];
  readonly newEnv?: string[];
  readonly oldCwd?: string;
  readonly newCwd?: string;
  readonly format?: CompareFormat;
  readonly benchmarksFrom?: 'current' | 'subject';
  readonly allowSame?: boolean;
  readonly explain?: boolean;
  readonly startUp?: 'found' | 'all' | 'none';
}

/** `bench-cli compare`: Node core's compare.js and compare.R. */
export function addCompareCommand(program: Command): void {
  const command = program
    .command('compare')
    .summary('run benchmarks under two or more subjects and say which is faster')
    .description(
      'Runs every configuration of the benchmarks many times under an old and a new subject, in turns and in ' +
        'random order, and compares the rates. With --subject there can be more than two. It prints a table to a terminal, and CSV for bench-cli analyze compare to a pipe.',
    )
    .argument(
      '[group|file...]',
      'groups of the suite, files or directories; "all" for the whole suite, "test" for test mode',
    )
    .option(
      '--old <subject>',
      'the old subject (required without --subject): a runtime (a path, node@22, bun@1, deno@2), npm:NAME@VERSION, git:REF, a ' +
        'directory, or several of these separated by commas',
    )
    .option('--new <subject>', 'the new subject (required without --subject)')
    .addOption(
      repeatable(
        '--subject <subject>',
        'two or more subjects in place of --old and --new, each as it is or as name=subject,flags=--flag,env=NAME=VALUE; ' +
          'the others are compared with the first (can be repeated)',
      ),
    )
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
  addPreparation(command)
    .addOption(
      new Option(
        '--benchmarks-from <place>',
        'with git:REF or a directory: run the benchmarks of the current files, or those of each subject (default: current)',
      ).choices(['current', 'subject']),
    )
    .option(
      '--allow-same',
      'compare even if both subjects are the same code, to see how much equal code differs',
    );
  addRuns(command, 'number of runs per configuration and subject', 30);
  addComparison(addJobs(addSharding(addMetrics(addExecution(addSelection(command))))))
    .addOption(
      new Option(
        '--format <format>',
        'output format (default: rates on a terminal, table with --columns, csv otherwise)',
      ).choices(compareFormats),
    )
    .addOption(
      new Option(
        '--start-up <comparisons>',
        'then measure how much of a difference is start-up, with 4 times n: found (of the differences, in at most 15 % of the time), ' +
          'all (of every comparison), none (default: found; none with --format csv and a fixed number of runs)',
      ).choices(['found', 'all', 'none']),
    )
    .option(
      '--explain',
      'then profile the configurations that differ, and show which functions changed, as bench-cli explain does',
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
          'compare --runs auto --jobs auto --old node@22 --new node@26 string_decoder',
          'several configurations at the same time, each on a core of its own',
        ],
        [
          'compare --old node --new node --new-flags --no-opt --runs 5 url',
          'one runtime with and without a flag',
        ],
        [
          'compare --old git:main --new . benchmarks/url/parse.ts',
          'the files as they are, with those of main',
        ],
        [
          'compare --old npm:qs@6.9 --new npm:qs@6.14 benchmarks/url/parse.ts',
          'two versions of a package that the benchmark imports',
        ],
        ['compare --old node@26 --new bun@1 string_decoder', 'two runtimes'],
        [
          'compare --old ../main --new . --benchmarks-from subject benchmarks/url/parse.ts',
          'two checkouts of a library, each with its own benchmarks',
        ],
        [
          'compare --old node@22 --new node@26 --shard 3/8 --out shard-3.jsonl string_decoder url',
          'part 3 of 8; bench-cli merge joins the parts',
        ],
        [
          "compare --old ./node-main --new ./node-pr --columns chart --fail-on 'slower>=5%' string_decoder",
          'a gate for CI: exit code 1 if a configuration is slower',
        ],
        [
          "compare --old ./node-main --new ./node-pr --metric alloc --fail-on 'alloc>5%' string_decoder",
          'a gate for memory: alloc needs few runs, because it hardly varies',
        ],
        [
          'compare --old npm:qs@6.9 --new npm:qs@6.14 --runs auto --explain --format table benchmarks/url/parse.ts',
          'also which functions made the difference',
        ],
        [
          'compare --subject node@22 --subject node@24 --subject node@26 buffers',
          'three releases; the first is the baseline',
        ],
        ['compare --resume results.jsonl', 'continue an interrupted comparison'],
      ]),
    )
    .action(async (given: string[], options: CompareOptions) => {
      const { correct, operands: words } = readCorrection(options.correct, given);
      if (options.resume !== undefined) checkResume(command, words);
      else checkSubjects(command, options);
      const [runner, { showSession }, { compareOutput }] = await Promise.all([
        import('@bench-cli/runner'),
        import('../session/session.ts'),
        import('../session/result-output.ts'),
      ]);
      const terminal = processTerminal();
      const { columns, allowMissing = false, explain = false } = options;
      const format = options.format ?? (columns ? 'table' : terminal.resultIsTerminal ? 'rates' : 'csv');
      if (explain && format !== 'rates' && format !== 'table') {
        command.error(
          `--explain prints text, and --format ${format} has no place for it: add --format table`,
        );
      }
      // Most comparisons do not need these before they measure.
      if (columns) (await import('../analysis/comparison.ts')).checkView(format, options);
      const hasGates = options.failOn !== undefined || allowMissing;
      const gating = hasGates ? await import('../analysis/gate.ts') : undefined;
      const gates = gating?.gatesOf(options) ?? [];
      const checkPlannedGates = gating && (await import('@bench-cli/stats')).checkPlannedGates;
      const view = { format, columns, correct, gates, allowMissing, explain, progress: options.progress };
      const runs = runsOf(command, options, 30);
      const isPlain = format === 'csv' && typeof runs === 'number';
      process.exitCode = await showSession(
        {
          command: 'compare',
          subjects: subjectsOf(runner, options),
          words,
          runs:
            typeof runs === 'number'
              ? runs
              : {
                  ...runs,
                  limits: gates.flatMap(({ metric, limit }) => (metric === undefined ? [limit] : [])),
                },
          // The CSV of Node core's compare.js has no place for it.
          options: { ...options, startUp: options.startUp ?? (isPlain ? 'none' : 'found') },
        },
        (request) => {
          checkPlannedGates?.(gates, request);
          return compareOutput(view, request, terminal);
        },
        terminal,
      );
    });
}

/** Either `--old` and `--new`, or `--subject` at least twice. */
function checkSubjects(command: Command, { subject = [], ...options }: CompareOptions): void {
  if (subject.length === 0) {
    if (options.old !== undefined && options.new !== undefined) return;
    command.error(
      'compare requires --old and --new, or --subject twice, each a path or a release such as node@22',
    );
  }
  const given = command.options.find(
    (option) =>
      /^--(?:old|new)\b/.test(option.long ?? '') &&
      command.getOptionValueSource(option.attributeName()) === 'cli',
  );
  if (given !== undefined) {
    command.error(
      `--subject and ${given.long} cannot be combined: write ${given.long} as a --subject, such as --subject name=node@22,flags=--no-opt`,
    );
  }
  if (subject.length === 1) {
    command.error(`--subject ${subject[0]} is the only subject: add another --subject to compare with it`);
  }
}

function subjectsOf(runner: typeof Runner, options: CompareOptions): SubjectRequests {
  const { subject, nodeArg = [] } = options;
  if (subject === undefined) {
    return { old: subjectOf(runner, options, 'old'), new: subjectOf(runner, options, 'new') };
  }
  return subject.map(runner.readSubject).map(({ request, ...named }) => ({
    ...named,
    request: { ...request, flags: [...nodeArg, ...(request.flags ?? [])] },
  }));
}

/** The subject of an option, with its further options; `--node-arg` is for both. */
function subjectOf(
  { readSubject, readVariable }: typeof Runner,
  { nodeArg = [], ...options }: CompareOptions,
  role: 'old' | 'new',
): SubjectRequest {
  const text = options[role];
  const { flags = [], env = {}, ...request } = text === undefined ? {} : readSubject(text).request;
  const own = options[`${role}Flags`]?.split(/\s+/).filter((flag) => flag !== '') ?? [];
  return {
    ...request,
    flags: [...flags, ...nodeArg, ...own],
    env: Object.assign({ ...env }, ...(options[`${role}Env`] ?? []).map(readVariable)),
    cwd: options[`${role}Cwd`],
  };
}
