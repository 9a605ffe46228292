import { argumentsOf, type NamedCase, type ParameterValue, TASK } from '@bench-cli/results';
import type { ParameterRanking, RankedValue } from '@bench-cli/stats/internal';
import type { CommandTimes } from '../command-times.ts';
import { caseLabels, tieLetters } from '../comparison-name.ts';
import { fixedPoint, percent, rateInUnit } from '../figure-text.ts';
import { benchmarkHeading } from './cell.ts';
import { columnsOf, textTable, widthOf } from './table.ts';

const { figure, names, words } = columnsOf<RunRow>();
const ranked = columnsOf<RankedValue>();

export interface RunRow extends NamedCase {
  /** The mean rate, or for adaptive runs the geometric mean. */
  readonly rate: number;
  /** How uncertain or variable the rate is, a fraction; null for a single run. */
  readonly spread: number | null;
  readonly runs: number;
  /** Of a whole command, in place of its rate. */
  readonly times?: CommandTimes | undefined;
  /** Its place among the tasks of its file, or the values of the only parameter that varies. */
  readonly rank?: string | undefined;
  /** A further fact, such as the latency. */
  readonly note: string;
}

/** Shorter names cannot be told apart. */
const LEAST_NAME = 16;

/**
 * The rates of one benchmark, one line per case. Parameters with one value are above the table.
 * @param width columns of the terminal; long names are shortened to it
 */
export function renderRunTable(benchmark: string, rows: readonly RunRow[], width: number): string {
  const { shared, labelOf } = caseLabels(rows);
  const hasSpread = rows.some(({ spread }) => spread !== null);
  const note = words('', (row) => row.note);
  const hasNote = rows.some((row) => row.note !== '');
  const hasCpu = rows.some(({ times }) => times?.userMs !== undefined);
  const isTimed = rows.some(({ times }) => times !== undefined);
  const columns = [
    names('', (row) => withoutTask(labelOf(row)) || benchmark, { indent: '  ', least: LEAST_NAME }),
    ...(isTimed
      ? [...timeColumns, ...(hasCpu ? cpuColumns : [])]
      : [figure('ops/s', ({ rate }) => rateInUnit(rate))]),
    hasSpread && !isTimed && figure('', ({ spread }) => (spread === null ? '' : `±${percent(spread, 1)} %`)),
    hasSpread && figure('runs', ({ runs }) => String(runs)),
    rows.some(({ rank }) => rank !== undefined) && words('', ({ rank = '' }) => rank),
    hasNote && note,
  ];
  // Notes are as long as they must be.
  const whole = hasNote ? width + 2 + widthOf([note], rows) : width;
  return `${benchmarkHeading(benchmark, shared, width)}\n${textTable({ rows, columns }, { width: whole })}`;
}

function timeColumn(title: string, ms: (times: CommandTimes) => number | null | undefined) {
  return figure(title, ({ times }) => (times && ms(times))?.toFixed(1) ?? '');
}

const timeColumns = [
  timeColumn('mean ms', ({ meanMs }) => meanMs),
  timeColumn('±', ({ deviationMs }) => deviationMs),
  timeColumn('median', ({ medianMs }) => medianMs),
  timeColumn('min', ({ minMs }) => minMs),
  timeColumn('max', ({ maxMs }) => maxMs),
];

const cpuColumns = [
  timeColumn('user', ({ userMs }) => userMs),
  timeColumn('system', ({ systemMs }) => systemMs),
];

/** For each parameter its fastest value, how many times as fast as each other one it is, and the letters of all. */
export function renderRankings(rankings: readonly ParameterRanking[]): string {
  return rankings
    .map((ranking) => {
      const { parameter, fastest, others } = ranking;
      const title = `  ${withoutTask(argumentsOf({ [parameter]: fastest }).join(''))} is`;
      const columns = [
        ranked.words(title, (other) => `    ${rankText(other)}`),
        ranked.words(lettersOf(fastest, ranking), ({ value }) => lettersOf(value, ranking)),
      ];
      return textTable({ rows: others, columns });
    })
    .join('');
}

/** The place of a value: whether it is the fastest, and the letters of its ties. */
export function rankOf(value: ParameterValue | undefined, ranking: ParameterRanking): string {
  return `${value === ranking.fastest ? 'fastest ' : ''}${lettersOf(value, ranking)}`.trim();
}

function lettersOf(value: ParameterValue | undefined, { ties }: ParameterRanking): string {
  const texts = ties.map((tied) => tied.map(String));
  return tieLetters(`${value}`, texts);
}

/** A task is known by its name alone. */
function withoutTask(label: string): string {
  return label.startsWith(`${TASK}=`) ? label.slice(TASK.length + 1) : label;
}

function rankText({ value, ratio, interval: { low, high }, isCertain }: RankedValue): string {
  const range = `${fixedPoint(low, 2)} to ${fixedPoint(high, 2)}`;
  return isCertain
    ? `${fixedPoint(ratio, 2)} times as fast as ${value} (${range})`
    : `not certainly faster than ${value} (${range} times as fast)`;
}
