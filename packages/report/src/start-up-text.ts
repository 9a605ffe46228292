import { countParameter } from '@bench-cli/results';
import { type Comparison, type ComparisonList, summarizeSample, verdictWord } from '@bench-cli/stats';
import { type MeasuredStartUp, meanOfCases } from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';
import { leastPercent, shortPercent } from './figure-text.ts';

const shown = ['start-up', 'final speed', 'mixed', 'opposite'] as const;

/** Whether a difference is start-up or final speed, for a cell of a table; empty if this is not known. */
export function startUpLabel({ startUp }: Pick<Comparison, 'startUp'>): string {
  return shown.find((label) => label === startUp?.label) ?? '';
}

/** The verdict with what the difference is in: `slower: start-up`. */
export function verdictText(comparison: Comparison): string {
  return [verdictWord(comparison), startUpLabel(comparison)].filter((word) => word !== '').join(': ');
}

/** How much of a difference is start-up, in words; empty if it was not measured. */
export function startUpSentence(comparison: Comparison): string {
  const { configuration, survives, leastChange, startUp } = comparison;
  if (startUp === undefined) return '';
  const by = leastChange ? ` by at least ${leastPercent(leastChange)}` : '';
  const whole = `${verdictWord(comparison)}${by} at ${countParameter}=${configuration[countParameter]}`;
  if (startUp.label === 'unknown') return `${whole}; its start-up is unknown: ${startUp.reason}`;
  const { label, share, later } = startUp;
  const ofRuns = `start-up is ${shareText(startUp.old)} of the old runs and ${shareText(startUp.new)} of the new ones`;
  if (label === 'opposite') {
    const opposite = (later.ratio?.ratio ?? 1) > 1 ? 'slower' : 'faster';
    return `start-up ${opposite}, later operations ${laterText(later)}: ${whole}; ${ofRuns}`;
  }
  const part =
    share === null
      ? '; how much of it is start-up is undecided'
      : `, of which ${shareText(share)} is start-up`;
  return `${whole}${survives ? part : ''}; later operations: ${laterText(later)}; ${ofRuns}`;
}

function shareText(share: number): string {
  return shortPercent(Math.min(1, Math.max(0, share)));
}

function laterText({ ratio, survives }: MeasuredStartUp['later']): string {
  if (!survives || ratio === null) return 'undecided';
  return `${ratio.ratio > 1 ? 'faster' : 'slower'} by ${shortPercent(Math.abs(ratio.ratio - 1))}`;
}

/** More comparisons have no sentence each. */
const MOST = 5;

const LEGEND =
  'Start-up: what the operations of a run take longer than later ones, while their code is interpreted and compiled. Final speed: the later ones, which --calibrate or a larger n measures.';

/** How much of the differences is start-up: a sentence for each if they are few, else their numbers. Empty without start-up. */
export function startUpLines(list: ComparisonList): readonly string[] {
  const all: readonly Comparison[] = list.comparisons.filter(({ startUp }) => startUp !== undefined);
  if (all.length === 0) return [];
  const isTold = ({ startUp }: Comparison) => all.length <= MOST || startUp?.label === 'opposite';
  const told = all.filter(isTold).slice(0, MOST);
  return [
    ...told.map((each) => `${comparisonName(each, list)}: ${startUpSentence(each)}.`),
    ...(all.length <= MOST ? [] : [countsText(all)]),
    LEGEND,
  ];
}

function countsText(all: readonly Comparison[]): string {
  const differing = all.filter(({ survives }) => survives);
  const counts = Array.from(
    Map.groupBy(differing, ({ startUp }) => startUp?.label),
    ([label, { length }]) => `${label} ${length}`,
  );
  const measured = differing.flatMap(({ startUp }) =>
    startUp === undefined || startUp.label === 'unknown' ? [] : [startUp],
  );
  const shares = measured.flatMap(({ old, new: new_ }) =>
    [old, new_].map((it) => Math.min(1, Math.max(0, it))),
  );
  const ofRuns =
    shares.length === 0
      ? ''
      : `; start-up is ${shareText(summarizeSample(shares).median)} of these runs in the median`;
  const means = [
    ...meanText(
      'CPU time of the main thread',
      measured.map(({ cpuRatio }) => cpuRatio),
    ),
    ...meanText(
      'later operations',
      measured.flatMap(({ later }) => later.ratio?.ratio ?? []),
    ),
  ];
  const together = means.length === 0 ? '' : ` Geometric means of these cases: ${means.join('; ')}.`;
  return `What ${differing.length} differences are in: ${counts.join(', ')}${ofRuns}.${together}`;
}

/** The mean of ratios of rates with its 95 % interval, in words; none if they are few. */
function meanText(name: string, ratios: readonly number[]): readonly string[] {
  const mean = meanOfCases(ratios.filter((ratio) => ratio > 0));
  if (mean === null) return [];
  const isDecided = mean.low > 1 || mean.high < 1;
  const words = laterText({ ratio: mean, adjustedP: null, survives: isDecided });
  return [`${name} ${words} (ratio ${mean.low.toFixed(2)} to ${mean.high.toFixed(2)})`];
}
