import { type Explanation, explanationsOf, renderExplanation } from '@bench-cli/report';
import {
  type Case,
  caseKey,
  parseCondition,
  resultsWhere,
  runtimeText,
  UsageError,
} from '@bench-cli/results';
import { type Recording, scheduledConfiguration } from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import { profileCases } from '@bench-cli/runner';
import { type ComparisonList, judgeResults } from '@bench-cli/stats';
import { isDifference } from '@bench-cli/stats/internal';
import { explanationFile, profileDirectory } from '../analysis/explanation-file.ts';
import { writeOutput } from '../analysis/output-file.ts';
import { readComparedResults } from '../analysis/results-file.ts';
import type { Terminal } from '../terminal.ts';
import { interruptionSignal } from './interruption.ts';
import { type ResultOutput, viewSession } from './session-view.ts';

/** Profiles the differing or named cases of a comparison, and shows the functions that differ. */
export async function showExplanation(
  file: string,
  { where = [], runs, trust, progress }: CommandSettings<'explain'>,
  terminal: Terminal,
): Promise<number> {
  const results = await readComparedResults({ files: [file] }, terminal);
  const [recording, another] = results.recordings;
  if (recording === undefined || another !== undefined) {
    const problem = `${file} ${recording === undefined ? 'is a CSV, which does not name the subjects' : 'holds several shards'}: give the results file of one session of compare`;
    throw new UsageError('ERR_BENCH_EXPLAIN', problem);
  }
  const other = recording.session.request.subjects.find(({ runtime }) => runtime.name !== 'node');
  if (other !== undefined) {
    const problem = `${file}: the subject ${other.name} is ${runtimeText(other.runtime)}, and only Node.js has the profiler: compare two subjects under Node.js`;
    throw new UsageError('ERR_BENCH_EXPLAIN', problem);
  }
  const { list } = judgeResults(resultsWhere(results, where.map(parseCondition)));
  const cases = casesToExplain(list, where.length > 0, recording);
  if (cases.length === 0) {
    terminal.notice('no case is faster or slower for certain; name those to profile with --where');
    return 0;
  }
  const directory = profileDirectory(file);
  const explanations: Explanation[] = [];
  const signal = interruptionSignal(terminal);
  const options = { directory, profiles: runs, trust, signal, env: terminal.io.env };
  const output: ResultOutput = {
    profiled: (event) => {
      const found = explanationsOf(event.case, event.profiles, results.names);
      explanations.push(...found);
      for (const each of found) terminal.result(renderExplanation(each, terminal.resultWidth));
    },
    showResult: (_, interruption) => {
      if (interruption !== undefined && explanations.length === 0) return;
      if (explanations.length > 0)
        writeOutput(explanationFile(directory), `${JSON.stringify(explanations)}\n`);
      terminal.notice(
        `the profiles are in ${directory}: open a .cpuprofile file in speedscope or in the developer tools of Chrome`,
      );
    },
  };
  return viewSession(profileCases(file, cases, options), output, terminal, { progress });
}

function casesToExplain(list: ComparisonList, all: boolean, { runs }: Recording): readonly Case[] {
  const differing = list.comparisons.filter(({ verdict }) => all || isDifference(verdict));
  const started = new Map(runs.map((run) => [caseKey(run), scheduledConfiguration(run)]));
  return Array.from(new Map(differing.map((each) => [each.key, each])).values()).map(
    ({ key, benchmark, configuration }) => ({ benchmark, configuration: started.get(key) ?? configuration }),
  );
}
