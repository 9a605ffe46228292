import { renderPartTable } from '@bench-cli/report';
import { type Case, caseKey, caseName, nameCase, parseCondition, UsageError } from '@bench-cli/results';
import { type Recording, scheduledConfiguration } from '@bench-cli/results/recording';
import { type Profiles, profileCases } from '@bench-cli/runner';
import { type ComparisonList, compareParts } from '@bench-cli/stats';
import { judgeResults, resultsWhere } from '../analysis/compared-results.ts';
import { counted } from '../analysis/recording-text.ts';
import { readComparedResults } from '../analysis/results-file.ts';
import type { Terminal } from '../terminal.ts';
import { Interruption, interruptionSignal } from './interruption.ts';

export interface ExplainOptions {
  readonly where?: readonly string[];
  readonly profiles: number;
  readonly top: number;
  readonly output?: string;
  readonly trust?: boolean;
}

/**
 * Profiles the cases of a comparison that differ, or those that are named, and shows the functions that differ.
 * @returns the exit code
 */
export async function showExplanation(
  file: string,
  { where = [], profiles, top, output, trust }: ExplainOptions,
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
  const selected = resultsWhere(results, where.map(parseCondition));
  const cases = casesToExplain(judgeResults(selected), where.length > 0, recording);
  if (cases.length === 0) {
    terminal.notice('no configuration is faster or slower for certain; name those to profile with --where');
    return 0;
  }
  const directory = output ?? `${file.replace(/\.jsonl$/, '')}.profiles`;
  const options = { directory, profiles, trust, signal: interruptionSignal() };
  let failures = 0;
  try {
    for await (const event of profileCases(file, cases, options)) {
      if (event.type === 'start') {
        terminal.status(`profiling ${event.done + 1}/${event.count}: ${caseName(nameCase(event.case))}`);
      } else if (event.type === 'failure') {
        failures++;
        terminal.notice(
          `${terminal.paint('red', 'failed:', 'stderr')} ${event.benchmark}: ${event.failure.message}`,
        );
      } else {
        terminal.result(explanationText(event.case, event.profiles, top));
      }
    }
  } catch (error) {
    if (!(error instanceof Interruption)) throw error;
    return error.exitCode;
  } finally {
    terminal.status(undefined);
  }
  terminal.notice(`the profiles are in ${directory}`);
  return failures > 0 ? 1 : 0;
}

/** The cases as their processes were started. */
function casesToExplain(list: ComparisonList, all: boolean, { runs }: Recording): readonly Case[] {
  const differing = list.comparisons.filter(({ survives }) => all || survives);
  const started = new Map(runs.map((run) => [caseKey(run), scheduledConfiguration(run)]));
  return Array.from(new Map(differing.map((each) => [each.key, each])).values()).map(
    ({ key, benchmark, configuration }) => ({ benchmark, configuration: started.get(key) ?? configuration }),
  );
}

const units = {
  cpu: { unit: 'ns', title: 'own time per operation' },
  heap: { unit: 'B', title: 'memory that the function itself allocates per operation' },
} as const;

function explanationText(of: Case, profiles: readonly Profiles[], top: number): string {
  const [baseline, ...others] = [...new Set(profiles.map(({ subject }) => subject))];
  const sections = others.flatMap((subject) =>
    (['cpu', 'heap'] as const).map((kind) => {
      const [old, new_] = [baseline, subject].map((name) =>
        profiles.find((each) => each.kind === kind && each.subject === name),
      );
      return old && new_ ? kindText(old, new_, top) : '';
    }),
  );
  return `${caseName(nameCase(of))}\n${sections.join('\n')}\n`;
}

function kindText(old: Profiles, new_: Profiles, top: number): string {
  const { unit, title } = units[old.kind];
  const parts = compareParts({ old: old.runs, new: new_.runs });
  const certain = parts.filter(({ adjustedP }) => adjustedP < 0.05);
  const shown = certain.slice(0, top);
  const table =
    shown.length === 0
      ? `no function differs for certain; more --profiles find smaller differences\n`
      : renderPartTable(shown, unit, { old: old.subject, new: new_.subject });
  const rest = certain.length > shown.length ? `and ${certain.length - shown.length} more\n` : '';
  const note = `${counted(old.runs.length, 'profile')} per subject, ${counted(parts.length, 'function')}; Welch's intervals, tests corrected by Benjamini and Hochberg\n`;
  return `${title}\n${table}${rest}${note}${deoptimisedText(old, new_)}`;
}

/** What V8 deoptimised in at least half of the profiles of one subject, and in none of the other. */
function deoptimisedText(old: Profiles, new_: Profiles): string {
  return [
    [old, new_],
    [new_, old],
  ]
    .flatMap(([one, other]) => {
      if (one === undefined || other === undefined) return [];
      const counts = new Map<string, number>();
      for (const text of one.deoptimised.flatMap((each) => [...each]))
        counts.set(text, (counts.get(text) ?? 0) + 1);
      return Array.from(counts)
        .filter(
          ([text, count]) =>
            count * 2 >= one.runs.length && !other.deoptimised.some((each) => each.has(text)),
        )
        .map(([text]) => `deoptimised only under ${one.subject}: ${text}\n`);
    })
    .join('');
}
