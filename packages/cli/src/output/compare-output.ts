import type { SessionRecord, SucceededRun } from '@bench-cli/core/runner';
import {
  COMPARE_CSV_HEADER,
  type ComparisonList,
  compareAll,
  compareConfiguration,
  compareCsvRow,
  renderCompareMarkdown,
  renderCompareTable,
  type SamplePair,
  summarize,
  type Verdict,
} from '@bench-cli/stats';
import type { ResultOutput } from '../session-view.ts';
import type { Terminal } from '../terminal.ts';

export const comparisonFormats = ['table', 'json', 'markdown'] as const;
export type ComparisonFormat = (typeof comparisonFormats)[number];
export const compareFormats = ['csv', ...comparisonFormats] as const;
export type CompareFormat = (typeof compareFormats)[number];

/** The forms in which `compare` shows results; CSV, that of Node core's compare.js, comes run by run. */
export function compareOutput(format: CompareFormat, terminal: Terminal): ResultOutput {
  if (format === 'csv') {
    terminal.result(`${COMPARE_CSV_HEADER}\n`);
    return {
      run: ({ subject, benchmark: name, configuration, rate, time }) =>
        terminal.result(`${compareCsvRow({ binary: roleOf(subject), name, configuration, rate, time })}\n`),
    };
  }
  return {
    end: ({ session, runs }) => {
      if (runs.length > 0) showComparisons(samplePairs(runs), namesOf(session), format, terminal);
    },
  };
}

/** Shows comparisons in one of the forms that need all runs. */
export function showComparisons(
  pairs: readonly SamplePair[],
  names: Readonly<Record<'oldName' | 'newName', string>>,
  format: ComparisonFormat,
  terminal: Terminal,
): void {
  const list = compareAll(pairs);
  for (const { message, names: where } of list.warnings) {
    terminal.notice(
      `warning: ${message} (${where.slice(0, 3).join('; ')}${where.length > 3 ? `; and ${where.length - 3} more` : ''})`,
    );
  }
  terminal.result(rendered(list, names, format, terminal));
}

function rendered(
  list: ComparisonList,
  names: Readonly<Record<'oldName' | 'newName', string>>,
  format: ComparisonFormat,
  terminal: Terminal,
): string {
  const sentence = summarize(list.comparisons, names);
  switch (format) {
    case 'table':
      return `${renderCompareTable(list, {
        paint: (text, { column, comparison }) => {
          const colour = column === 'name' || comparison === null ? undefined : colours[comparison.verdict];
          return colour === undefined ? text : terminal.paint(colour, text, 'stdout');
        },
      })}\n${sentence}\n`;
    case 'markdown':
      return `${renderCompareMarkdown(list)}\n${sentence}\n`;
    case 'json':
      return `${JSON.stringify({ ...names, summary: sentence, ...list }, undefined, 2)}\n`;
  }
}

const colours = {
  faster: 'green',
  slower: 'red',
  'no difference': undefined,
  undecided: 'dim',
} as const satisfies Record<Verdict, string | undefined>;

/** The samples of recorded runs. */
export function samplePairs(runs: readonly SucceededRun[]): SamplePair[] {
  const pairs = new Map<string, { benchmark: string; configuration: string; old: number[]; new: number[] }>();
  for (const run of runs) {
    const configuration = compareConfiguration(run.configuration);
    const key = JSON.stringify([run.benchmark, configuration]);
    const pair = pairs.get(key) ?? { benchmark: run.benchmark, configuration, old: [], new: [] };
    pair[roleOf(run.subject)].push(run.rate);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

function roleOf(subject: string): 'old' | 'new' {
  return subject === 'old' ? 'old' : 'new';
}

/** What a person calls the two subjects: what was asked for, with the version where that does not say it. */
export function namesOf({ request }: SessionRecord): Record<'oldName' | 'newName', string> {
  const [old, new_] = request.subjects.map(({ label, runtime, flags }) => {
    const runtimeName = label.startsWith('node@')
      ? `Node.js ${runtime.version}`
      : `${label} (${runtime.version})`;
    return [runtimeName, ...flags].join(' ');
  });
  return old === new_
    ? { oldName: 'old', newName: 'new' }
    : { oldName: old ?? 'old', newName: new_ ?? 'new' };
}
