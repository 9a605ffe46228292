import type { PlannedSampling } from '@bench-cli/results';
import { type Comparison, type ComparisonList, methods } from '@bench-cli/stats';
import { methodOf, noiseFloor } from '@bench-cli/stats/internal';
import { shortPercent } from './figure-text.ts';

/** @param grouped for mean ratios of several cases @param hasLetters for letters of tied subjects */
export function methodLines(
  list: ComparisonList,
  { grouped = false, hasLetters = false }: { readonly grouped?: boolean; readonly hasLetters?: boolean } = {},
): readonly string[] {
  const { name, test, rates, interval } = methodNames(list);
  const ofRates = rates === undefined ? [] : [`rates: ${rates}`];
  const figures = grouped ? [methodOf(list).meanRatioText] : [...ofRates, `ratio with ${interval}`];
  const method = `Method (${name}): ${[test, ...figures].join('; ')}.`;
  const ties = `Tied: subjects of a case with the same letter, because no difference between them is clear; the letters of the baseline are in parentheses.`;
  return [...(list.comparisons.length > 0 ? [method] : []), ...(hasLetters ? [ties] : [])];
}

/** The names of the method of a list, with the turns and the sampling of its cases. */
export function methodNames(list: ComparisonList) {
  const names = methods[list.kind];
  const turns = turnsText(list);
  const paired = turns === '' || list.kind === 'sequential' ? '' : '; verdicts in turns by the paired t-test';
  return { ...names, name: `${names.name}${turns}${samplingText(list)}`, test: `${names.test}${paired}` };
}

export function shortMethodLines(list: ComparisonList): readonly string[] {
  if (list.comparisons.length === 0) return [];
  const method = `Method: ${methodNames(list).name} (see "${pages[list.kind]}" in the docs).`;
  const partners =
    'A ratio is that of the rounds in which both subjects ran; a rate is the mean of all runs of its subject.';
  return list.comparisons.some(contradicts) ? [method, partners] : [method];
}

/** A subject has one mean in all rows of a case, so a ratio can contradict the means of its row. */
function contradicts({ old, new: new_, ratio }: Comparison): boolean {
  const ofMeans = (new_?.mean ?? 0) / (old?.mean ?? 0);
  return ratio !== null && (ofMeans < ratio.low || ofMeans > ratio.high);
}

/** Titles of pages, because users do not have the files. */
const pages = {
  fixed: 'Compare versions',
  sequential: 'Adaptive runs',
} as const satisfies Record<ComparisonList['kind'], string>;

function turnsText({ comparisons }: ComparisonList): string {
  const count = (some: typeof comparisons) => new Set(some.map(({ key }) => key)).size;
  const [inTurns, cases] = [count(comparisons.filter((each) => each.inTurns)), count(comparisons)];
  const byCpuTime = count(comparisons.filter((each) => each.byCpuTime));
  if (inTurns === 0) return '';
  const where = inTurns === cases ? '' : ` for ${inTurns} of ${cases} cases`;
  if (byCpuTime === 0) return `, in turns${where}`;
  return `, in turns${where} by CPU time${byCpuTime === inTurns ? '' : ` (${byCpuTime} of ${inTurns})`}`;
}

/** The part of their time for which processes were measured, if that was planned. */
function samplingText({ comparisons }: ComparisonList): string {
  const cases = [...new Map(comparisons.map(({ key, sampling }) => [key, sampling])).values()];
  const planned = cases.filter((sampling) => sampling !== undefined);
  const plans = planned.flatMap((sampling) => sampling.plans);
  if (planned.length === 0) return '';
  const asked = partText(planned.map((sampling) => sampling.declared));
  const shown = partText(planned.map(({ pilot }) => pilot));
  const declared = shown === asked ? asked : `${asked}, of which pilots show ${shown}`;
  const changing = planned.filter(({ isGivenUp }) => isGivenUp).length;
  const where = changing === cases.length ? '' : ` in ${changing} of ${cases.length} cases`;
  const kept = `${declared} as declared${where}, because the ratio changes while a process runs`;
  if (plans.length === 0) return `, each process from ${changing === 0 ? declared : kept}`;
  const declaredText = changing === 0 ? `declared ${declared}` : kept;
  return `, each process from ${partText(plans)}; ${declaredText}`;
}

function partText(plans: PlannedSampling['plans']): string {
  const range = (values: readonly number[]) =>
    [...new Set([Math.min(...values), Math.max(...values)])].map((ms) => Math.round(ms)).join('–');
  const from = range(plans.map(({ warmUpMs }) => warmUpMs));
  return `${from} to ${range(plans.map(({ warmUpMs, measuredMs }) => warmUpMs + measuredMs))} ms`;
}

/** The smallest differences that the runs can find; empty if unknown. */
export function noiseLines(list: ComparisonList): readonly string[] {
  const floor = noiseFloor(list);
  if (floor === null) return [];
  const [median, largest] = [shortPercent(floor.median), shortPercent(floor.largest)];
  const others =
    median === largest
      ? ' in each case'
      : ` in half of the cases, and of ${largest} or more in the noisiest one`;
  const where = list.comparisons.length === 1 ? '' : others;
  return [`Noise: this session could have seen a change of ${median} or more${where}.`];
}
