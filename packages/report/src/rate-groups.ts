import {
  argumentsOf,
  type CaseSample,
  type Configuration,
  type NamedCase,
  nameCase,
  ownValue,
  printedOutput,
  samplesByGroup,
  TASK,
} from '@bench-cli/results';
import type { AdaptiveRuns, BenchmarkFile, Recording } from '@bench-cli/results/recording';
import type { SampleSummary } from '@bench-cli/stats';
import {
  meanHalfWidth,
  type ParameterRanking,
  rankParameters,
  SequentialPrecision,
  summaryOf,
} from '@bench-cli/stats/internal';
import { type CommandTimes, timesOf } from './command-times.ts';
import { caseLabels } from './comparison-name.ts';
import type { Estimate } from './picture/scale.ts';

/** The rates of one benchmark, or of the alternatives of a group, with rankings. */
export interface RateGroup {
  readonly benchmark: string;
  /** The parameters with the same value in all rows. */
  readonly shared: Configuration;
  /** Sorted by rate if a ranking has a value for each row. */
  readonly rows: readonly RateRow[];
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
  /**
   * The standard deviation of fixed runs, or the precision of adaptive runs: a fraction; null for one run.
   */
  readonly spread: number | null;
  /** Whether the rate is a geometric mean, and `spread` a factor: that of adaptive runs. */
  readonly isGeometric: boolean;
  /** Only for whole commands, in place of the rate. */
  readonly times?: CommandTimes | undefined;
  /** How many runs count although they failed (`--ignore-failure`). */
  readonly ignoredFailures: number;
  /** Further facts, such as the latency. */
  readonly note: string;
}

interface RateSource<Run> {
  readonly files: readonly BenchmarkFile[];
  /** The rule of adaptive runs; undefined for a fixed number. */
  readonly adaptive?: AdaptiveRuns | undefined;
  readonly noteOf?: (sample: CaseSample<Run>) => string;
}

/** The rates of samples by group, with rankings. */
export function rateGroups<Run>(
  samples: readonly CaseSample<Run>[],
  { files, adaptive, noteOf = () => '' }: RateSource<Run>,
): readonly RateGroup[] {
  return Array.from(samplesByGroup(samples, files), ([benchmark, members]) => {
    const { shared, labelOf } = caseLabels(members.map(nameCase));
    const rows = members.flatMap((member) => {
      const named = nameCase(member);
      const summary = summaryOf(member.rates, member);
      if (summary === null) return [];
      const { ignoredFailures = 0 } = member;
      const label = withoutTask(labelOf(named)) || benchmark;
      const title =
        label === benchmark ? [] : [...(member.isCommand ? [] : [benchmark]), ...argumentsOf(shared)];
      return {
        ...{ ...named, label, title: [...title, label].join(' '), summary },
        ...figuresOf(member.rates, summary, adaptive),
        times: member.isCommand && timesOf(summary, member.cpu),
        ignoredFailures,
        note: [noteOf(member), ignoredFailures > 0 && `${ignoredFailures} of ${summary.n} runs failed`]
          .filter(Boolean)
          .join(', '),
      };
    });
    const rankings = rankParameters(members, adaptive?.maxRuns);
    const ofRows = rankings.find(({ others }) => others.length === rows.length - 1);
    const ordered = ofRows && [ofRows.fastest, ...ofRows.others.map(({ value }) => value)];
    const placeOf = ({ configuration }: RateRow) =>
      ordered?.findIndex((value) => value === ownValue(configuration, ofRows?.parameter ?? TASK)) ?? 0;
    return { benchmark, shared, rows: rows.toSorted((a, b) => placeOf(a) - placeOf(b)), rankings };
  });
}

function figuresOf(rates: readonly number[], summary: SampleSummary, adaptive: AdaptiveRuns | undefined) {
  const { mean, variance } = summary;
  const deviation = variance === null || mean === 0 ? null : Math.sqrt(variance) / mean;
  if (adaptive === undefined) {
    const half = meanHalfWidth(summary);
    const interval = half === null ? null : { low: Math.max(0, mean - half), high: mean + half };
    return { rate: mean, interval, spread: deviation, isGeometric: false };
  }
  const precision = new SequentialPrecision(adaptive);
  for (const rate of rates) precision.add('', rate);
  const { mean: known } = precision.judgement('');
  if (known === null) return { rate: mean, interval: null, spread: deviation, isGeometric: false };
  const { rate, ...interval } = known;
  return { rate, interval, spread: (known.high / known.low) ** 0.5 - 1, isGeometric: true };
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

/** Groups show the name of a task without its parameter. */
function withoutTask(label: string): string {
  return label.startsWith(`${TASK}=`) ? label.slice(TASK.length + 1) : label;
}

/** Of more values, only pairs with the fastest value are listed. */
const MOST_VALUES = 5;

/** The speed of the values of each parameter as multiples of slower values, one line for each value. */
export function rankingTexts(rankings: readonly ParameterRanking[]) {
  return rankings.flatMap(({ parameter, at = {}, fastest, others, pairs, neededRuns }) => {
    const listed = others.length < MOST_VALUES ? pairs : pairs.filter(({ faster }) => faster === fastest);
    return [...Map.groupBy(listed, ({ faster }) => faster)].map(([faster, members]) => ({
      heading: `${[withoutTask(argumentsOf({ [parameter]: faster }).join('')), ...argumentsOf(at)].join(' at ')} is`,
      texts: members.map(({ slower, ratio, interval, isCertain }) => {
        const times = ratio.toFixed(2);
        const other = typeof slower === 'number' ? `${parameter}=${slower}` : slower;
        if (interval === null)
          return `not certainly faster than ${other} (${times} times as fast; needs ${neededRuns} runs)`;
        const range = `${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`;
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

/** The figures of groups, and what benchmarks printed, for programs. */
export function ratesDocument(
  groups: readonly RateGroup[],
  recordings: readonly Pick<Recording, 'runs'>[],
): object {
  const printed = printedOutput(recordings);
  const benchmarks = groups.map(({ benchmark, rows, rankings }) => ({
    benchmark,
    rates: rows.map(({ title, configuration, summary, rate, interval, times, ignoredFailures }) => {
      const { [TASK]: task, ...parameters } = configuration;
      return {
        ...{ name: title, ...(task !== undefined && { task }), configuration: parameters },
        ...{ rate, interval, ...summary },
        ...(times && { times }),
        ...(ignoredFailures > 0 && { ignoredFailures }),
      };
    }),
    rankings: rankings.map(rankingEntry),
  }));
  return { format: 1, benchmarks, ...(printed.length > 0 && { printed }) };
}
