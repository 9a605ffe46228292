import {
  type Case,
  type CaseSample,
  type Configuration,
  type CpuTimes,
  caseKey,
  counted,
  groupName,
  type NamedCase,
  nameCase,
  ownValue,
  printedOutput,
  samplesByGroup,
  shortName,
  shownArguments,
  shownIn,
  skippedBenchmarks,
  TASK,
} from '@bench-cli/results';
import type { AdaptiveRuns, BenchmarkFile, Recording } from '@bench-cli/results/recording';
import type { SampleSummary } from '@bench-cli/stats';
import {
  meanInterval,
  type ParameterRanking,
  rankParameters,
  SequentialPrecision,
  summaryOf,
} from '@bench-cli/stats/internal';
import { caseLabels } from './comparison-name.ts';
import type { Estimate } from './picture/scale.ts';

/** The rates of one benchmark, or of the alternatives of a group, with rankings. */
export interface RateGroup {
  readonly benchmark: string;
  readonly shared: Configuration;
  /** Sorted by rate if a ranking has a value for each row. */
  readonly rows: readonly RateRow[];
  readonly failed: readonly string[];
  readonly rankings: readonly ParameterRanking[];
}

export interface RateRow extends NamedCase {
  /** The name of the row in its group. */
  readonly label: string;
  /** The name of the row among all groups. */
  readonly title: string;
  /** Of all runs; by times for a whole command. */
  readonly summary: SampleSummary;
  /** The mean rate; of adaptive runs, the geometric mean. */
  readonly rate: number;
  /** The 95 % interval of the rate; null if unknown. */
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** The standard deviation of fixed runs, a fraction; null for one run, and for adaptive runs. */
  readonly spread: number | null;
  /** Only for whole commands, in place of the rate. */
  readonly times?: CommandTimes | undefined;
  /** How many runs count although they failed (`--ignore-failure`). */
  readonly ignoredFailures: number;
  /** How many runs failed, and do not count. */
  readonly failedRuns: number;
  readonly note: string;
}

/** The milliseconds of the runs of a whole command. */
export interface CommandTimes extends Partial<CpuTimes> {
  readonly n: number;
  readonly meanMs: number;
  /** The standard deviation; null for one run. */
  readonly deviationMs: number | null;
  readonly medianMs: number;
  readonly minMs: number;
  readonly maxMs: number;
}

export function timesOf(summary: SampleSummary, cpu?: CpuTimes): CommandTimes {
  const { n, mean, variance, min, max, median } = summary;
  const meanMs = 1000 / mean;
  return {
    ...{ n, meanMs, deviationMs: variance === null ? null : (meanMs * Math.sqrt(variance)) / mean },
    ...{ medianMs: 1000 / median, minMs: 1000 / max, maxMs: 1000 / min },
    ...cpu,
  };
}

interface RateSource<Run> {
  readonly files: readonly BenchmarkFile[];
  readonly adaptive?: AdaptiveRuns | undefined;
  readonly noteOf?: (sample: CaseSample<Run>) => string;
  /** The cases of the runs that failed, one for each run. */
  readonly failed?: readonly Case[];
}

export function rateGroups<Run>(
  samples: readonly CaseSample<Run>[],
  { files, adaptive, noteOf = () => '', failed = [] }: RateSource<Run>,
): readonly RateGroup[] {
  const failures = Map.groupBy(failed, caseKey);
  const measured = new Set(samples.map(caseKey));
  const unmeasured = [...failures].flatMap(([key, ofCase]) => (measured.has(key) ? [] : ofCase.slice(0, 1)));
  const tried = [...samples, ...unmeasured.map((each) => ({ ...each, rates: undefined }))];
  return Array.from(samplesByGroup(tried, files), ([benchmark, cases]) => {
    const { shared, labelOf } = caseLabels(cases.map(nameCase));
    const nameOf = (each: Case) => labelOf(nameCase(each)) || shownIn('name', benchmark);
    const members = cases.filter((each) => each.rates !== undefined);
    const rows = members.flatMap((member) => {
      const named = nameCase(member);
      const summary = summaryOf(member.rates, member);
      if (summary === null) return [];
      const { ignoredFailures = 0 } = member;
      const failedRuns = failures.get(caseKey(member))?.length ?? 0;
      const failed = ignoredFailures + failedRuns;
      const label = nameOf(member);
      const place = member.isCommand ? shownArguments(shared) : groupName(benchmark, shared);
      const title = labelOf(named) === '' ? label : `${place} ${label}`.trimStart();
      return {
        ...{ ...named, label, title, summary },
        ...figuresOf(member.rates, summary, adaptive),
        times: member.isCommand && timesOf(summary, member.cpu),
        ...{ ignoredFailures, failedRuns },
        note: [noteOf(member), failed > 0 && `${failed} of ${counted(summary.n + failedRuns, 'run')} failed`]
          .filter(Boolean)
          .join(', '),
      };
    });
    const failedCases = cases.filter((each) => each.rates === undefined);
    const rankings = rankParameters(members, adaptive?.maxRuns, failedCases);
    const ofRows = rankings.find(({ others }) => others.length === rows.length - 1);
    const ordered = ofRows && [ofRows.fastest, ...ofRows.others.map(({ value }) => value)];
    const placeOf = ({ configuration }: RateRow) =>
      ordered?.findIndex((value) => value === ownValue(configuration, ofRows?.parameter ?? TASK)) ?? 0;
    return {
      ...{ benchmark, shared, rows: rows.toSorted((a, b) => placeOf(a) - placeOf(b)), rankings },
      failed: failedCases.map(nameOf),
    };
  });
}

function figuresOf(rates: readonly number[], summary: SampleSummary, adaptive: AdaptiveRuns | undefined) {
  const { mean, variance } = summary;
  if (adaptive === undefined) {
    const spread = variance === null || mean === 0 ? null : Math.sqrt(variance) / mean;
    return { rate: mean, interval: meanInterval(summary), spread };
  }
  const precision = new SequentialPrecision(adaptive);
  for (const rate of rates) precision.add('', rate);
  const { mean: known } = precision.judgement('');
  return { rate: known?.rate ?? mean, interval: known && { low: known.low, high: known.high }, spread: null };
}

export type ShownRow = Pick<RateRow, 'rate' | 'interval' | 'times'>;

/** The drawn figure of a row: the rate, or the mean time of a command with the same relative interval. */
export function shownRate({ rate, interval, times }: ShownRow): Estimate {
  const value = times?.meanMs ?? rate;
  if (interval === null) return { low: value, value, high: value };
  if (times === undefined) return { ...interval, value };
  const half = (value * (interval.high - interval.low)) / 2 / rate;
  return { low: Math.max(0, value - half), value, high: value + half };
}

/** Of more values, only pairs with the fastest value are listed. */
const MOST_VALUES = 5;

function rankedName(configuration: Configuration): string {
  return shortName(shownArguments(configuration), 60);
}

/** The rows of which all runs failed, and values with other rows that have no rank for it; can be empty. */
export function failedRowsText({ failed, rows, rankings }: RateGroup): string {
  if (failed.length === 0) return '';
  const left = rankings.flatMap(({ parameter, failed: values = [] }) =>
    values
      .filter((value) => rows.some(({ configuration }) => ownValue(configuration, parameter) === value))
      .map((value) => rankedName({ [parameter]: value })),
  );
  const unranked = left.length === 0 ? '' : ` (not ranked: ${[...new Set(left)].join('; ')})`;
  return `failed: ${failed.join('; ')}${unranked}`;
}

/** Three digits, or two below 1: `0.94`, `2.46`, `17.8`, `30,600`. */
export function timesFigure(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(2) : ratio.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** The speed of the values of each parameter as multiples of slower values, one line for each value. */
export function rankingTexts(rankings: readonly ParameterRanking[]) {
  return rankings.flatMap(({ parameter, at = {}, fastest, others, pairs, neededRuns }) => {
    // The fastest value may have too few runs to be compared.
    const lead = pairs.find(({ interval }) => interval !== null)?.faster ?? fastest;
    const isListed = (value: unknown) => others.length < MOST_VALUES || value === fastest || value === lead;
    const listed = pairs.filter(({ faster }) => isListed(faster));
    return [...Map.groupBy(listed, ({ faster }) => faster)].map(([faster, members]) => ({
      heading: `${[{ [parameter]: faster }, at].map(rankedName).filter(Boolean).join(' at ')} is`,
      texts: members.map(({ slower, ratio, interval, isCertain }) => {
        const times = timesFigure(ratio);
        const other = rankedName({ [typeof slower === 'number' ? parameter : TASK]: slower });
        if (interval === null)
          return `not certainly faster than ${other} (${times} times as fast; needs ${neededRuns} runs)`;
        const range = `${timesFigure(interval.low)} to ${timesFigure(interval.high)}`;
        return isCertain
          ? `${times} times as fast as ${other} (${range})`
          : `not certainly faster than ${other} (${range} times as fast)`;
      }),
    }));
  });
}

export function rankingEntry({ parameter, ...ranking }: ParameterRanking): object {
  return { by: parameter === TASK ? 'task' : parameter, ...ranking };
}

export function ratesDocument(
  groups: readonly RateGroup[],
  recordings: readonly Pick<Recording, 'plan' | 'runs' | 'session'>[],
): object {
  const printed = printedOutput(recordings);
  const benchmarks = groups.map(({ benchmark, rows, rankings, failed }) => ({
    benchmark,
    ...(failed.length > 0 && { failed }),
    rates: rows.map((row) => {
      const { title, configuration, summary, rate, interval, times, ignoredFailures, failedRuns } = row;
      const { [TASK]: task, ...parameters } = configuration;
      return {
        ...{ name: title, ...(task !== undefined && { task }), configuration: parameters },
        ...{ rate, interval, ...summary },
        ...(times && { times }),
        ...(ignoredFailures > 0 && { ignoredFailures }),
        ...(failedRuns > 0 && { failedRuns }),
      };
    }),
    rankings: rankings.map(rankingEntry),
  }));
  return { format: 1, benchmarks, ...(printed.length > 0 && { printed }), ...skippedBenchmarks(recordings) };
}
