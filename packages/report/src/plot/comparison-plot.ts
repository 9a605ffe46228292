import {
  type NamedCase,
  type OfCommand,
  type SamplePair,
  type SubjectNames,
  shownArguments,
  shownIn,
  UsageError,
} from '@bench-cli/results';
import type { Comparison, ComparisonList, SampleSummary } from '@bench-cli/stats';
import { adaptiveSummaryOf, methodOf, summaryOf } from '@bench-cli/stats/internal';
import { caseSides } from '../case-sides.ts';
import { caseLabels } from '../comparison-name.ts';
import { millisecondsText, percent, rateText } from '../figure-text.ts';
import { type LaneFigures, sampleBox } from '../picture/mark.ts';
import { type Estimate, rateScale, ratioScale, type Scale, spansDecade } from '../picture/scale.ts';
import { lanePlot } from './lane-plot.ts';

/** A case with its samples, the baseline first, and the figures of each lane; null without runs. */
interface PlottedCase extends NamedCase, OfCommand {
  readonly subjects: readonly string[];
  readonly samples: readonly (SampleSummary | null)[];
  readonly lanes: readonly (LaneFigures | null)[];
}

/**
 * The mean rate of each configuration as a bar, like bar.R, relative to the old mean, because rates differ by
 * orders of magnitude. Bars have 95 % intervals (Student's t) if the method has them.
 */
export function barPlot(list: ComparisonList, names: SubjectNames = new Map()): string {
  const { meanHalfWidth } = methodOf(list);
  const cases = caseSides<Comparison>(list.comparisons).map(({ first, sides }) => {
    const samples = [...sides.values()];
    const unit = samples.find((sample) => sample?.mean)?.mean ?? 1;
    const lanes = samples.map((sample, subject) => {
      if (sample === null) return null;
      const [value, half] = [sample.mean / unit, (meanHalfWidth(sample) ?? 0) / unit];
      return { subject, estimate: { low: Math.max(0, value - half), value, high: value + half } };
    });
    return { ...first, subjects: [...sides.keys()], samples, lanes };
  });
  const scaleOf = (means: readonly Estimate[]) =>
    spansDecade(means) ? ratioScale(means) : rateScale(means, (share) => `${percent(share, 0)} %`);
  return comparisonPlot(cases, names, scaleOf, ['Mean rates', 'mean']);
}

/**
 * A box plot of the rates of each configuration, like compare.R, relative to the old median. A small sample
 * has a dot for each run and no box.
 */
export function boxPlot(
  pairs: readonly SamplePair[],
  names: SubjectNames = new Map(),
  kind: ComparisonList['kind'] = 'fixed',
): string {
  const summarize = kind === 'fixed' ? summaryOf : adaptiveSummaryOf;
  const cases = caseSides(pairs).map(({ first, sides }) => {
    const rates = [...sides.values()];
    const samples = rates.map((sample) => summarize(sample, first));
    const unit = samples.find((sample) => sample?.median)?.median ?? 1;
    const lanes = rates.map((sample, subject) => {
      const relative = Array.from(sample, (rate) => rate / unit);
      return relative.length === 0 ? null : sampleBox(subject, relative);
    });
    return { ...first, subjects: [...sides.keys()], samples, lanes };
  });
  return comparisonPlot(cases, names, ratioScale, ['Rates', 'median']);
}

/** @throws UsageError without rates above 0, and for more cases than a picture can show */
function comparisonPlot(
  cases: readonly PlottedCase[],
  names: SubjectNames,
  scaleOf: (estimates: readonly Estimate[]) => Scale,
  [title, average]: readonly [string, string],
): string {
  if (!cases.some(({ samples }) => samples.some((sample) => sample?.mean))) {
    const problem = `nothing to plot: ${cases.length === 0 ? 'no run succeeded; look at the failures of the runs' : 'no rate is above 0; look at what the benchmarks report'}`;
    throw new UsageError('ERR_BENCH_PLOT', problem);
  }
  const subjects = cases[0]?.subjects ?? [];
  const [baseline = ''] = subjects;
  const panels = [...Map.groupBy(cases, ({ benchmark }) => benchmark)].map(([benchmark, members]) => {
    const { shared, labelOf } = caseLabels(members);
    const lanes = members.flatMap((each) => each.lanes.filter((lane) => lane !== null));
    const runs = lanes.flatMap((lane) => lane.runs ?? []);
    const rows = members.map((each) => ({ label: labelOf(each), note: ratesText(each), lanes: each.lanes }));
    const hasIntervals = lanes.some(({ estimate, runs }) => !runs && estimate.low < estimate.high);
    return {
      ...{ title: shownIn('name', benchmark), subtitle: shownArguments(shared), rows },
      axisTitle: `${title.toLowerCase()} compared with the ${average} of ${shownIn('name', baseline)}${hasIntervals ? ', with 95 % intervals' : ''} (higher is better)`,
      scale: scaleOf([
        ...lanes.map(({ estimate }) => estimate),
        ...runs.map((run) => ({ low: run, value: run, high: run })),
      ]),
    };
  });
  const legend = subjects.map((subject) => [...new Set([subject, names.get(subject) ?? subject])].join(': '));
  return lanePlot(panels, {
    lines: [`${title} under ${subjects.length > 2 ? 'all' : 'both'} subjects`],
    legend,
  });
}

/** `4.72 M → 4.75 M ops/s, n = 12 + 12`; for more subjects `4.72 M, 4.75 M, 4.70 M ops/s, n = 12 each`. */
function ratesText({ samples, isCommand }: PlottedCase): string {
  const textOf = isCommand ? millisecondsText : (rate: number) => rateText(rate);
  const rates = samples.map((sample) => (sample === null ? 'no rate' : textOf(sample.mean)));
  const runs = samples.map((sample) => sample?.n ?? 0);
  const isEqual = runs.length > 2 && new Set(runs).size === 1;
  const unit = samples.includes(null) ? '' : ` ${isCommand ? 'ms' : 'ops/s'}`;
  return `${rates.join(runs.length > 2 ? ', ' : ' → ')}${unit}, n = ${isEqual ? `${runs[0]} each` : runs.join(' + ')}`;
}
