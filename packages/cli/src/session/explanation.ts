import { type Explanation, flameOf, renderPartTable, wrapped } from '@bench-cli/report';
import {
  type Case,
  caseKey,
  caseName,
  counted,
  parseCondition,
  resultsWhere,
  type SubjectNames,
  UsageError,
} from '@bench-cli/results';
import { type Recording, scheduledConfiguration } from '@bench-cli/results/recording';
import { type Profiles, profileCases } from '@bench-cli/runner';
import { type ComparisonList, judgeResults } from '@bench-cli/stats';
import {
  compareParts,
  type PartDifference,
  type PartRuns,
  withoutCommonFactor,
} from '@bench-cli/stats/internal';
import { explanationFile, profileDirectory } from '../analysis/explanation-file.ts';
import { writeOutput } from '../analysis/output-file.ts';
import { readComparedResults } from '../analysis/results-file.ts';
import type { Terminal } from '../terminal.ts';
import { notesAbout, notesInCommon } from './explanation-notes.ts';
import { interruptionSignal } from './interruption.ts';
import { viewSession } from './session-view.ts';

export interface ExplainOptions {
  readonly where?: readonly string[] | undefined;
  readonly profiles: number;
  readonly top: number;
  readonly output?: string | undefined;
  readonly trust?: boolean | undefined;
  readonly progress?: boolean | undefined;
}

/**
 * Profiles the cases of a comparison that differ, or those that are named, and shows the functions that differ.
 * @returns the exit code
 */
export async function showExplanation(
  file: string,
  { where = [], profiles, top, output, trust, progress }: ExplainOptions,
  terminal: Terminal,
): Promise<number> {
  const results = await readComparedResults(file, terminal);
  const [recording, another] = results.recordings;
  if (recording === undefined || another !== undefined) {
    throw new UsageError(
      'ERR_BENCH_EXPLAIN',
      `${file} ${recording === undefined ? 'is a CSV, which does not name the subjects' : 'holds the sessions of several machines'}: give the results file of one session of compare`,
    );
  }
  const { list } = judgeResults(resultsWhere(results, where.map(parseCondition)));
  const cases = casesToExplain(list, where.length > 0, recording);
  if (cases.length === 0) {
    terminal.notice('no configuration is faster or slower for certain; name those to profile with --where');
    return 0;
  }
  const directory = output ?? profileDirectory(file);
  const explanations: Explanation[] = [];
  const options = { directory, profiles, trust, signal: interruptionSignal() };
  return viewSession(
    profileCases(file, cases, options),
    {
      profiled: (of, profiled) => {
        const found = explanationsOf(of, profiled, results.names);
        explanations.push(...found);
        for (const each of found) terminal.result(explanationText(each, top, terminal));
      },
      end: ({ interruption }) => {
        if (interruption !== undefined && explanations.length === 0) return false;
        if (explanations.length > 0)
          writeOutput(explanationFile(directory), `${JSON.stringify(explanations)}\n`);
        terminal.notice(
          `the profiles are in ${directory}; bench-cli analyze ${file} --html report.html shows them as flame graphs`,
        );
        return false;
      },
    },
    terminal,
    { progress, bail: false },
  );
}

/** The cases as their processes were started. */
function casesToExplain(list: ComparisonList, all: boolean, { runs }: Recording): readonly Case[] {
  const differing = list.comparisons.filter(({ survives }) => all || survives);
  const started = new Map(runs.map((run) => [caseKey(run), scheduledConfiguration(run)]));
  return Array.from(new Map(differing.map((each) => [each.key, each])).values()).map(
    ({ key, benchmark, configuration }) => ({ benchmark, configuration: started.get(key) ?? configuration }),
  );
}

/** The results of the profiles of a case, for each subject after the baseline. */
function explanationsOf(
  of: Case,
  profiles: readonly Profiles[],
  names: SubjectNames,
): readonly Explanation[] {
  const [baseline = '', ...others] = [...new Set(profiles.map(({ subject }) => subject))];
  const nameOf = (subject: string) => names.get(subject) ?? subject;
  const profilesOf = (kind: Profiles['kind'], subject: string) =>
    profiles.find((each) => each.kind === kind && each.subject === subject);
  return others.flatMap((subject) => {
    const [old, new_] = [profilesOf('cpu', baseline), profilesOf('cpu', subject)];
    const [oldHeap, newHeap] = [profilesOf('heap', baseline), profilesOf('heap', subject)];
    if (!old || !new_ || !oldHeap || !newHeap) return [];
    const { runs, factors } = withoutCommonFactor({ old: old.runs, new: new_.runs });
    return {
      name: caseName(of),
      old: nameOf(baseline),
      new: nameOf(subject),
      profiles: old.runs.length,
      time: certainParts(runs),
      memory: certainParts({ old: oldHeap.runs, new: newHeap.runs }),
      notes: [
        ...notesInCommon(factors, nameOf(subject)),
        ...notesAbout(old, new_, nameOf(baseline)),
        ...notesAbout(new_, old, nameOf(subject)),
      ],
      flame: flameOf({ old: old.stacks, new: new_.stacks }),
    };
  });
}

function certainParts(runs: PartRuns): readonly PartDifference[] {
  return compareParts(runs).filter(({ adjustedP }) => adjustedP < 0.05);
}

function explanationText(
  explanation: Explanation,
  top: number,
  { resultIsTerminal, resultWidth }: Terminal,
): string {
  const width = resultIsTerminal ? resultWidth : Number.POSITIVE_INFINITY;
  const { name, profiles, time, memory, notes } = explanation;
  const parts = [
    ['own time per operation', time, 'ns'],
    ['memory that the function itself allocates per operation', memory, 'B'],
  ] as const;
  const sections = parts.map(([title, differences, unit]) => {
    const shown = differences.slice(0, top);
    const table =
      shown.length === 0
        ? 'no function differs for certain; more --profiles find smaller differences\n'
        : renderPartTable(shown, unit, explanation, width);
    const rest = differences.length > shown.length ? `and ${differences.length - shown.length} more\n` : '';
    return `${title}\n${table}${rest}`;
  });
  const method = `${counted(profiles, 'profile')} of each kind per subject; means and Yuen's intervals without the highest and lowest fifth, tests corrected by Benjamini and Hochberg`;
  const lines = [...notes, method].map((line) => `${wrapped(line, width)}\n`);
  return `${wrapped(name, width)}\n${sections.join('\n')}${lines.join('')}\n`;
}
