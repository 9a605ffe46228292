import { shownArguments, shownIn, UsageError } from '@bench-cli/results';
import { rateText } from '../figure-text.ts';
import { rateScale } from '../picture/scale.ts';
import { type RateGroup, type ShownRow, shownRate } from '../rate-groups.ts';
import { lanePlot } from './lane-plot.ts';

interface PlottedGroup extends Pick<RateGroup, 'benchmark' | 'shared'> {
  readonly rows: readonly (ShownRow & { readonly label: string })[];
}

/** Bars, or symbols if the rates span more than a decade. @throws UsageError without rates */
export function groupPlot(groups: readonly PlottedGroup[], unit = 'operations'): string {
  if (groups.every(({ rows }) => rows.length === 0))
    throw new UsageError('ERR_BENCH_PLOT', 'nothing to plot: no run succeeded; look at the failures');
  const panels = groups.map(({ benchmark, shared, rows }) => {
    const isTimed = rows.some(({ times }) => times !== undefined);
    const rates = rows.map(shownRate);
    const [what, better] = isTimed ? ['mean time, ms', 'lower'] : [`${unit} per second`, 'higher'];
    const intervals = rates.some(({ low, high }) => low < high) ? ', with 95 % intervals' : '';
    return {
      ...{ title: shownIn('name', benchmark), subtitle: shownArguments(shared), scale: rateScale(rates) },
      axisTitle: `${what}${intervals} (${better} is better)`,
      rows: rates.map((estimate, at) => ({
        label: rows[at]?.label ?? '',
        note: isTimed ? `${estimate.value.toFixed(1)} ms` : rateText(estimate.value),
        lanes: [{ subject: 1, estimate }],
      })),
    };
  });
  return lanePlot(panels);
}
