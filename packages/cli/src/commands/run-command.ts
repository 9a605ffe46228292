import { calledCommand } from '@bench-cli/results';
import { isGiven, runsOf } from '../options.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `bench-cli run`: Node core's run.js. */
export const runCommand: CommandDefinition<'run'> = {
  name: 'run',
  summary: 'run benchmarks and print their rates',
  description:
    'Runs every case of the benchmarks in its own process and prints operations per second. It does not judge ' +
    'differences: compare does.',
  operands: [
    '[group|file...]',
    'groups, files, directories, or "whole commands"; "all": the whole suite, "test": test mode',
  ],
  examples: {
    run: 'the whole suite',
    'run --runs auto --margin 1% --filter parse url':
      'until each place is clear and each rate known within 1 %',
    "run 'node -p 1' 'node --jitless -p 1'": 'which of these commands is the fastest',
    'run all test': 'check that everything works: the shortest case of each',
  },
  run: async (words, options, { command, terminal, argv }) => {
    const { subjects, format, affected, old } = options;
    // The defaults of a config file can have one for compare.
    if (isGiven(command, 'old') && !affected)
      command.error('--old requires --affected: add it, or use compare');
    const isSeveral = (subjects?.length ?? 0) > 1;
    if (isSeveral && affected) command.error('--affected requires a single --subject: remove the others');
    if (isSeveral && options.runs === 'auto') {
      const { repeatedWords } = await import('@bench-cli/results/recording');
      const fixed = { runs: ['30'], margin: [], maxRuns: [], budgetMs: [], declaredTimes: [] };
      command.error(
        `run ranks several subjects by a fixed number of runs: ${calledCommand(repeatedWords(argv, fixed))}`,
      );
    }
    const [{ affectingRun, sessionSubjects, showSession }, { runOutput }] = await Promise.all([
      import('../session/shown-session.ts'),
      import('../session/result-output.ts'),
    ]);
    const affecting = affected ? affectingRun(subjects, terminal.io, old) : undefined;
    const runs = runsOf(command, options, undefined);
    const measured = { subjects: sessionSubjects(subjects, terminal.io), affecting, runs };
    const session = { command: 'run', ...measured, words, argv, options } as const;
    return showSession(session, (request) => runOutput(format ?? 'table', request, terminal), terminal);
  },
};
