import { optionWords, UsageError } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats/internal';
import { COLOURS } from '../picture/mark.ts';
import { rateScale, scaleBetween } from '../picture/scale.ts';
import { lanePlot } from './lane-plot.ts';
import { pointPlot } from './point-plot.ts';

/** With more values on an axis, not all have a label. */
const MOST_TICKS = 12;

/**
 * Mean rates by a parameter with 95 % intervals, like scatter.R. A line joins the points of a category if the
 * parameter is a number. Texts have a row each, as do all values if there are more categories than colours.
 * @param log whether the x axis is logarithmic with base 2
 * @throws UsageError for a logarithmic axis of values that are not all numbers above 0
 */
export function scatterPlot(
  { xaxis, category, aggregated, cells }: ScatterTable,
  title: string,
  log = false,
): string {
  const points = cells.map(({ x, category: name, mean: value, halfWidth }) => {
    const y = { low: Math.max(0, value - (halfWidth ?? 0)), value, high: value + (halfWidth ?? 0) };
    return { x, y, name: `${category}=${name}` };
  });
  const numbers = points.flatMap(({ x, ...point }) => (typeof x === 'number' ? [{ x, ...point }] : []));
  const isNumber = numbers.length === points.length;
  if (log && !(isNumber && numbers.every(({ x }) => x > 0))) {
    const problem = `a logarithmic axis needs numbers above 0, and "${xaxis}" has other values: leave out --log, or select with ${optionWords('where', `${xaxis}>0`)}`;
    throw new UsageError('ERR_BENCH_PLOT', problem);
  }
  const names = category === undefined ? [] : [...new Set(points.map(({ name }) => name))];
  const hasPanels = names.length > COLOURS;
  const subjectOf = (name: string) => (hasPanels || category === undefined ? 1 : names.indexOf(name));
  const [fewest, most] = [Math.min(...cells.map(({ n }) => n)), Math.max(...cells.map(({ n }) => n))];
  const caption = {
    lines: [
      title,
      `mean and 95 % interval, n = ${fewest === most ? fewest : `${fewest} to ${most}`} runs a point`,
      ...(aggregated.length > 0 ? [`averaged over ${aggregated.map((each) => each.name).join(', ')}`] : []),
    ],
    legend: hasPanels ? [] : names,
  };
  const scale = rateScale(points.map(({ y }) => y));
  const axisTitle = 'operations per second (higher is better)';
  if (!isNumber || hasPanels) {
    const panels = [...Map.groupBy(points, ({ name }) => (hasPanels ? name : ''))].map(
      ([heading, members]) => ({
        ...{ title: heading, subtitle: '', axisTitle, scale },
        rows: [...Map.groupBy(members, ({ x }) => x)].map(([x, lanes]) => ({
          ...{ label: `${xaxis}=${x}`, note: '' },
          lanes: lanes.map(({ y: estimate, name }) => ({ subject: subjectOf(name), estimate })),
        })),
      }),
    );
    return lanePlot(panels, caption);
  }
  const values = [...new Set(numbers.map(({ x }) => x))].sort((a, b) => a - b);
  const ticks = values.filter((_, at) => at % Math.ceil(values.length / MOST_TICKS) === 0);
  const textOf = (value: number) => `${Number(value.toPrecision(12))}`;
  const x = {
    title: `${xaxis}${log ? ' (log2 scale)' : ''}`,
    scale: scaleBetween(values[0] ?? 0, values.at(-1) ?? 1, ticks, { isLogarithmic: log, textOf }),
  };
  const series = [...Map.groupBy(numbers, ({ name }) => name)].map(([name, members]) => ({
    subject: subjectOf(name),
    points: members,
    path: members.map((point) => [point.x, point.y.value] as const),
  }));
  return pointPlot(caption, x, { title: axisTitle, scale }, series);
}
