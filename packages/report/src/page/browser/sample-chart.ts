import { quantile } from '@bench-cli/stats';
import { rateText } from '../../figure-text.ts';
import { make, makeSvg } from './element.ts';

/** The rates of a case in the order of the runs, operations per second. */
export interface Samples {
  readonly old: Float64Array;
  readonly new: Float64Array;
}

const WIDTH = 560;
const LEFT = 56;
const RIGHT = 22;
const ROLES = ['old', 'new'] as const;
/** Significant digits of rates, so that the ticks of an axis differ. */
const DIGITS = 4;

/** Draws both samples of a case: the distribution of the rates, and the rates from run to run. */
export function sampleChart(samples: Samples): HTMLElement {
  const all = [...samples.old, ...samples.new];
  if (all.length === 0) return make('div', { class: 'samples' });
  const range = axisRange(Math.min(...all), Math.max(...all));
  return make(
    'div',
    { class: 'samples' },
    figure('Distribution of the rates', distribution(samples, range), describe(samples)),
    figure('Rates in the order of the runs', overTime(samples, range), describeOrder(samples)),
  );
}

interface Range {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** A range with about five round ticks that includes both ends. */
function axisRange(min: number, max: number): Range {
  const span = max - min || Math.abs(max) || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(min / step);
  const last = Math.max(first + 1, Math.ceil(max / step));
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  return { low: first * step, high: last * step, ticks };
}

function distribution(samples: Samples, range: Range): SVGElement {
  const height = 150;
  const x = (rate: number) => LEFT + ((rate - range.low) / (range.high - range.low)) * (WIDTH - LEFT - RIGHT);
  const parts = range.ticks.flatMap((tick) => [
    makeSvg('line', { x1: x(tick), x2: x(tick), y1: 4, y2: height - 34, class: 'grid' }),
    makeSvg('text', { x: x(tick), y: height - 20, 'text-anchor': 'middle' }, rateText(tick, DIGITS)),
  ]);
  for (const [lane, role] of ROLES.entries()) {
    const ascending = samples[role].toSorted();
    const middle = 30 + lane * 52;
    parts.push(makeSvg('text', { x: LEFT - 10, y: middle + 4, 'text-anchor': 'end' }, role));
    if (ascending.length === 0) continue;
    const [q1, median, q3] = [quantile(ascending, 0.25), quantile(ascending, 0.5), quantile(ascending, 0.75)];
    parts.push(
      makeSvg('rect', {
        x: x(q1),
        y: middle - 18,
        width: Math.max(1, x(q3) - x(q1)),
        height: 36,
        class: `box ${role}`,
      }),
      ...Array.from(samples[role], (rate, run) =>
        marker(role, x(rate), middle + (((run * 0.618) % 1) - 0.5) * 26),
      ),
      makeSvg('line', { x1: x(median), x2: x(median), y1: middle - 21, y2: middle + 21, class: 'median' }),
    );
  }
  parts.push(axisTitle(height, 'operations per second; box: quartiles, line: median'));
  return picture(height, parts);
}

function overTime(samples: Samples, range: Range): SVGElement {
  const height = 200;
  const bottom = height - 36;
  const runs = Math.max(samples.old.length, samples.new.length);
  const x = (run: number) => LEFT + 8 + (run / Math.max(1, runs - 1)) * (WIDTH - LEFT - RIGHT - 16);
  const y = (rate: number) => bottom - ((rate - range.low) / (range.high - range.low)) * (bottom - 10);
  const parts = range.ticks.flatMap((tick) => [
    makeSvg('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(tick), y2: y(tick), class: 'grid' }),
    makeSvg('text', { x: LEFT - 6, y: y(tick) + 4, 'text-anchor': 'end' }, rateText(tick, DIGITS)),
  ]);
  for (const role of ROLES) {
    const rates = samples[role];
    if (rates.length === 0) continue;
    const mean = rates.reduce((sum, rate) => sum + rate / rates.length, 0);
    const points = Array.from(rates, (rate, run) => `${x(run).toFixed(1)},${y(rate).toFixed(1)}`).join(' ');
    parts.push(
      makeSvg('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: y(mean), y2: y(mean), class: `mean ${role}` }),
      makeSvg('polyline', { points, class: `path ${role}` }),
      ...Array.from(rates, (rate, run) => marker(role, x(run), y(rate))),
    );
  }
  for (const run of [0, runs - 1]) {
    parts.push(makeSvg('text', { x: x(run), y: bottom + 16, 'text-anchor': 'middle' }, String(run + 1)));
  }
  parts.push(axisTitle(height, 'run; vertical: operations per second, dashed: mean'));
  return picture(height, parts);
}

function axisTitle(height: number, text: string): SVGElement {
  return makeSvg('text', { x: (LEFT + WIDTH) / 2, y: height - 4, 'text-anchor': 'middle' }, text);
}

/** The subjects also differ in shape, for readers who cannot distinguish the colours. */
function marker(role: 'old' | 'new', x: number, y: number): SVGElement {
  if (role === 'old')
    return makeSvg('circle', { class: 'run old', cx: x.toFixed(1), cy: y.toFixed(1), r: 3 });
  const corner = { x: (x - 2.8).toFixed(1), y: (y - 2.8).toFixed(1) };
  return makeSvg('rect', { class: 'run new', ...corner, width: 5.6, height: 5.6 });
}

function figure(title: string, svg: SVGElement, description: string): HTMLElement {
  svg.setAttribute('aria-label', `${title}. ${description}`);
  return make('figure', {}, make('figcaption', {}, title), svg);
}

function describe(samples: Samples): string {
  return ROLES.map((role) => {
    const ascending = samples[role].toSorted();
    const rate = (probability: number) => rateText(quantile(ascending, probability), DIGITS);
    return ascending.length === 0
      ? `${role}: no runs.`
      : `${role}: ${ascending.length} runs from ${rate(0)} to ${rate(1)} operations per second, median ${rate(0.5)}.`;
  }).join(' ');
}

function describeOrder(samples: Samples): string {
  return ROLES.map((role) => {
    const rates = samples[role];
    const [first, last] = [rates[0], rates.at(-1)];
    return first === undefined || last === undefined
      ? ''
      : `${role}: first ${rateText(first, DIGITS)}, last ${rateText(last, DIGITS)}.`;
  }).join(' ');
}

function picture(height: number, parts: readonly SVGElement[]): SVGElement {
  return makeSvg('svg', { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img' }, ...parts);
}
