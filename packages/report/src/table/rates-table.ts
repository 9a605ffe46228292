import {
  benchmarkName,
  displayWidth,
  readBenchmarkName,
  type SubjectNames,
  type SubjectRole,
  shownIn,
} from '@bench-cli/results';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import { caseLabels, hasSeveral } from '../comparison-name.ts';
import { millisecondsText, NONE, rateInUnit, timesRange, timesText } from '../figure-text.ts';
import { resultWord, verdictCell } from '../reason-text.ts';
import { failedColumn, runsColumn } from './compare-table.ts';
import {
  benchmarkHeading,
  type Column,
  columnsNote,
  columnsOf,
  fitted,
  LEAST_NAME,
  type TextOptions,
  textTable,
  widest,
  widthOf,
} from './table.ts';

const { figure, labels: names, words } = columnsOf<Comparison>();

/** The columns of the name of a subject. */
const LONGEST_SUBJECT = 16;

function hasSingleCases({ comparisons }: ComparisonList): boolean {
  const cases = new Map(comparisons.map(({ benchmark, key }) => [key, benchmark]));
  return cases.size === new Set(cases.values()).size;
}

function hasSubjectColumn(list: ComparisonList): boolean {
  return hasSeveral(list) && !hasSingleCases(list);
}

/** The names of more than two subjects in a column: letters if a name is too long. */
function subjectLabels(list: ComparisonList): ReadonlyMap<string, string> {
  const { subjects } = list;
  const isLong = subjects.some((name) => displayWidth(name) > LONGEST_SUBJECT);
  const hasLetters = isLong && hasSubjectColumn(list) && subjects.length <= LETTERS.length;
  return new Map(subjects.map((name, at) => [name, (hasLetters && LETTERS[at]) || name]));
}

function subjectTitle(subject: string, labels: ReadonlyMap<string, string>): string {
  return fitted(shownIn('name', labels.get(subject) ?? subject), LONGEST_SUBJECT);
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** Explains letters in place of names: `A: Node.js 22.1.0; B: Bun 1.4.5`. Empty without letters. */
export function subjectLegend(list: ComparisonList, names: SubjectNames): string {
  if (!hasSeveral(list)) return '';
  const entries = [...subjectLabels(list)].flatMap(([subject, label]) => {
    const title = names.get(subject) ?? subject;
    return title === label ? [] : `${shownIn('name', label)}: ${title}`;
  });
  return entries.join('; ');
}

/**
 * The names of lines of comparisons for a terminal. Headings have the parameters with one value. A benchmark
 * with one configuration has all parameters in its heading, and its lines name the subjects of more than two.
 * Headings also have the names of parameters if lines would be longer than the room for names.
 */
function caseLines(list: ComparisonList, room: number, width: number) {
  const fit = { indent: '  ', least: 1 };
  if (hasSeveral(list) && hasSingleCases(list)) {
    return {
      name: names('', ({ subject }) => shownIn('name', subject), fit),
      heading: ({ benchmark, configuration }: Comparison) =>
        benchmarkHeading(benchmark, configuration, width),
    };
  }
  const byBenchmark = Map.groupBy(list.comparisons, ({ benchmark }) => benchmark);
  const labelsOf = new Map(
    Array.from(byBenchmark, ([benchmark, cases]) => {
      const { shared, others, labelOf, valuesOf } = caseLabels(cases);
      const areLong = others.length > 0 && widest(cases.map(labelOf)) > room;
      const varied = areLong ? ` (${others.map((name) => shownIn('name', name)).join(', ')})` : '';
      return [benchmark, { shared, varied, labelOf: areLong ? valuesOf : labelOf }];
    }),
  );
  const labelOf = (it: Comparison) =>
    labelsOf.get(it.benchmark)?.labelOf(it) || shownIn('name', taskOf(it.benchmark).task);
  return {
    name: names('', labelOf, fit),
    heading: ({ benchmark, configuration }: Comparison) => {
      const { shared = {}, varied = '' } = labelsOf.get(benchmark) ?? {};
      const heading = Object.keys(configuration).length > 0 ? benchmark : taskOf(benchmark).group;
      return benchmarkHeading(heading, shared, width, varied);
    },
  };
}

/** The heading and the line of a benchmark without parameters. Tasks of a group share a heading. */
function taskOf(benchmark: string): { readonly group: string; readonly task: string } {
  const { file, path } = readBenchmarkName(benchmark);
  const task = path.at(-1);
  // The separator can be part of a whole command.
  if (task === undefined || !/^[^'"]*\.[cm]?[jt]sx?$/.test(file))
    return { group: benchmark, task: benchmark };
  return { group: benchmarkName({ file, path: path.slice(0, -1) }), task };
}

/** Shortens names in the middle, and leaves out the least important columns until the table fits. */
export function renderRatesTable(list: ComparisonList, width: number, paint?: Judgements['paint']): string {
  const rate = (it: Comparison, side: SubjectRole) => {
    const mean = it[side]?.mean;
    if (mean === undefined) return NONE;
    return it.isCommand ? `${millisecondsText(mean)} ms` : rateInUnit(mean);
  };
  const answer = [
    figure('ratio', ({ ratio }) => timesText(ratio?.ratio)),
    figure('interval', ({ ratio }) => timesRange(ratio)),
  ];
  return renderJudgements(list, width, { rate, answer, more: runsColumn, paint });
}

interface Judgements extends Pick<TextOptions<Comparison>, 'paint'> {
  readonly rate: (comparison: Comparison, side: SubjectRole) => string;
  /** The change and its interval. */
  readonly answer: readonly Column<Comparison>[];
  /** The least important column. */
  readonly more: Column<Comparison>;
}

/** A line for each comparison. Narrow tables lack rates, never the verdict, the change and its interval. */
export function renderJudgements(list: ComparisonList, width: number, columns: Judgements): string {
  const { comparisons: rows } = list;
  const { rate, answer, more, paint } = columns;
  const longest = (room: number) => widthOf([caseLines(list, room, width).name], rows);
  // Shortened names are better than a missing column, except the least important one.
  const [whole, short] = [longest(Number.POSITIVE_INFINITY), Math.min(LEAST_NAME, longest(0))];
  const labels = subjectLabels(list);
  const subject = hasSubjectColumn(list) && words('subject', (it) => subjectTitle(it.subject, labels));
  const [old = '', new_ = ''] = list.subjects.map((name) => subjectTitle(name, labels));
  const rates = [
    figure(old, (it) => rate(it, 'old')),
    figure(hasSeveral(list) ? 'rate' : new_, (it) => rate(it, 'new')),
  ];
  const failed = failedColumn(list);
  const judged = [...answer, words('verdict', resultWord), failed];
  const reasoned = [...answer, words('verdict', verdictCell), failed];
  const choices = [
    { columns: [...rates, ...reasoned, more], names: whole },
    { columns: [...rates, ...reasoned], names: short },
    { columns: [...rates, ...judged, more], names: whole },
    { columns: [...rates, ...judged], names: short },
    { columns: [...rates.slice(1), ...judged], names: short },
  ];
  const roomBeside = (figures: typeof judged) => width - INDENT - GAP - widthOf([subject, ...figures], rows);
  const figures = choices.find(({ columns, names }) => names <= roomBeside(columns))?.columns ?? judged;
  const { name, heading } = caseLines(list, roomBeside(figures), width);
  const table = textTable({ rows, columns: [name, subject, ...figures], heading }, { width, paint });
  return rates.every((column) => figures.includes(column)) ? table : `${table}${columnsNote(width)}`;
}

/** Columns before and after the names. */
const [INDENT, GAP] = [2, 2];
