import type { CommandSettings } from '@bench-cli/results/settings';
import type { SubjectRequests } from '@bench-cli/runner';
import type { Command } from 'commander';
import { quote } from 'shlex';
import { isGiven, runsOf } from '../options.ts';
import type { CommandIo } from '../terminal.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `bench-cli compare`: Node core's compare.js and compare.R. */
export const compareCommand: CommandDefinition<'compare'> = {
  name: 'compare',
  summary: 'run benchmarks under two or more subjects and say which is faster',
  description:
    'Runs benchmarks under an old and a new subject, in turns and in random order, until each verdict is clear.',
  operands: ['[group|file...]', 'groups, files or directories (default: the whole suite); "test": test mode'],
  examples: {
    'compare --old git:main': 'the working tree with main',
    'compare --old node@22 --new node@26 string_decoder': 'two releases of Node.js',
    'compare --old npm:qs@6.9 --new npm:qs@6.14 benchmarks/url/parse.ts': 'versions of a package',
    'compare --old ./node-main --new ./node-pr --runs 30 --format csv buffers > pr.csv':
      'as compare.js of Node core',
  },
  run: async (words, options, { command, terminal, argv }) => {
    const { resume } = options;
    if (resume === undefined) checkSubjects(command, options, words);
    const [runner, { showSession }, { compareOutput }] = await Promise.all([
      import('@bench-cli/runner'),
      import('../session/shown-session.ts'),
      import('../session/result-output.ts'),
    ]);
    const { format = 'rates' } = options;
    const hasGates = options.failOn !== undefined || options.allowMissing || resume !== undefined;
    const gating = hasGates ? await import('../analysis/gate-output.ts') : undefined;
    const gatesOf = (given: Options) => gating?.gatesOf(given) ?? [];
    const newGates = resume === undefined ? gatesOf(options) : [];
    const internal = hasGates ? await import('@bench-cli/stats/internal') : undefined;
    const rule = runsOf(command, options, 'auto');
    const runs = typeof rule === 'number' ? rule : { ...rule, limits: internal?.rateLimits(newGates) ?? [] };
    const subjects = resume === undefined ? subjectsOf(runner, options, terminal.io) : {};
    return showSession(
      { command: 'compare', subjects, words, argv, runs, options },
      (request) => {
        const shown = { ...options, ...gating?.gateOptions(options, [request]) };
        const gates = gatesOf(shown);
        internal?.checkPlannedGates(gates, request);
        return compareOutput(format, shown, gates, request, terminal);
      },
      terminal,
    );
  },
};

type Options = CommandSettings<'compare'>;

/** Either `--old` and `--new`, or `--subject` at least twice. */
function checkSubjects(command: Command, { subjects, old }: Options, words: readonly string[]): void {
  if (subjects === undefined) {
    if (old !== undefined) return;
    const [meant = 'git:main', other] = words.filter((word) => /^(git:|npm:|(node|bun|deno)@)/.test(word));
    const example = [`--old ${quote(meant)}`, ...(other === undefined ? [] : [`--new ${quote(other)}`])].join(
      ' ',
    );
    command.error(`compare requires --old, such as ${example}, or --subject twice`);
  }
  const other = ['old', 'new'].find((name) => isGiven(command, name));
  if (other !== undefined)
    command.error(`--subject and --${other} cannot be combined: write --${other} as a --subject`);
  if (subjects.length === 1)
    command.error(`--subject ${subjects[0]} is the only subject: add another --subject to compare with it`);
}

function subjectsOf(
  { readSubject }: typeof import('@bench-cli/runner'),
  options: Options,
  io: CommandIo,
): SubjectRequests {
  const { subjects, old = '', new: new_ = '.' } = options;
  const named = (text: string) => readSubject(text, io);
  return subjects?.map(named) ?? { old: named(old).request, new: named(new_).request };
}
