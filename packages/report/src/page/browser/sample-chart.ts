import { quantile } from '@bench-cli/stats/internal';
import { rateText, shortened } from '../../figure-text.ts';
import { type Axis, axisOf, percentage } from './axis.ts';
import { make, makeSvg } from './element.ts';
import type { Sample } from './entry.ts';
import { runMark, subjectClass, subjectMark } from './mark.ts';

/** A sample of fewer runs has no quartiles worth a box. */
const LEAST_BOX = 5;

/** Draws the samples of a case: the distribution of the rates, and the rates from run to run. */
export function sampleChart(samples: readonly Sample[]): HTMLElement {
  const all = samples.flatMap(({ rates }) => [...rates]);
  if (all.length === 0) return make('div', { class: 'samples' });
  const axis = axisOf(Math.min(...all), Math.max(...all));
  return make('div', { class: 'samples' }, distribution(samples, axis), overTime(samples, axis));
}

const LANE_HEIGHT = 44;
/** Letters that fit beside a lane. */
const SIDE_LETTERS = 30;

function distribution(samples: readonly Sample[], { ticks, place }: Axis): HTMLElement {
  const x = (rate: number) => percentage(place(rate));
  const height = samples.length * LANE_HEIGHT;
  const parts = ticks.flatMap(({ value, text }) => [
    makeSvg('line', { x1: x(value), x2: x(value), y1: 0, y2: height, class: 'grid' }),
    makeSvg('text', { x: x(value), y: height + 16, 'text-anchor': 'middle' }, text),
  ]);
  for (const [lane, { subject, rates }] of samples.entries()) {
    const ascending = rates.toSorted();
    const middle = (lane + 0.5) * LANE_HEIGHT;
    const [q1, median, q3] = [0.25, 0.5, 0.75].map((probability) => quantile(ascending, probability));
    const tone = subjectClass(subject);
    if (q1 !== undefined && q3 !== undefined && rates.length >= LEAST_BOX) {
      const width = percentage(Math.max(0.2, place(q3) - place(q1)));
      parts.push(makeSvg('rect', { x: x(q1), y: middle - 16, width, height: 32, class: `box ${tone}` }));
    }
    parts.push(
      ...Array.from(rates, (rate, run) =>
        runMark(subject, x(rate), middle + (((run * 0.618) % 1) - 0.5) * 24),
      ),
    );
    if (median !== undefined && rates.length >= LEAST_BOX)
      parts.push(
        makeSvg('line', { x1: x(median), x2: x(median), y1: middle - 19, y2: middle + 19, class: 'median' }),
      );
  }
  const labels = samples.map(({ subject }) =>
    make('div', { class: 'side' }, subjectMark(subject), ' ', shortened(subject.name, SIDE_LETTERS)),
  );
  return figure({
    title: 'Distribution of the rates',
    note: 'operations per second; box: quartiles, line: median',
    description: samples.map(describe).join(' '),
    side: labels,
    svg: makeSvg('svg', { role: 'img', height: height + 22 }, ...parts),
  });
}

const ORDER_HEIGHT = 180;

function overTime(samples: readonly Sample[], { ticks, place }: Axis): HTMLElement {
  const runs = Math.max(...samples.map(({ rates }) => rates.length));
  const x = (run: number) => percentage(2 + (run / Math.max(1, runs - 1)) * 96);
  const y = (rate: number) => Number((8 + (1 - place(rate) / 100) * (ORDER_HEIGHT - 16)).toFixed(1));
  const parts = ticks.map(({ value }) =>
    makeSvg('line', { x1: 0, x2: '100%', y1: y(value), y2: y(value), class: 'grid' }),
  );
  for (const { subject, rates } of samples) {
    if (rates.length === 0) continue;
    const tone = subjectClass(subject);
    const mean = y(rates.reduce((sum, rate) => sum + rate / rates.length, 0));
    parts.push(
      makeSvg('line', { x1: 0, x2: '100%', y1: mean, y2: mean, class: `mean ${tone}` }),
      ...Array.from(rates.subarray(1), (rate, run) =>
        makeSvg('line', {
          x1: x(run),
          y1: y(rates[run] ?? rate),
          x2: x(run + 1),
          y2: y(rate),
          class: `path ${tone}`,
        }),
      ),
      ...Array.from(rates, (rate, run) => runMark(subject, x(run), y(rate))),
    );
  }
  for (const run of new Set([0, runs - 1])) {
    parts.push(
      makeSvg('text', { x: x(run), y: ORDER_HEIGHT + 16, 'text-anchor': 'middle' }, String(run + 1)),
    );
  }
  const labels = ticks.map(({ value, text }) => {
    const label = make('div', { class: 'tick' }, text);
    label.style.top = `${y(value)}px`;
    return label;
  });
  return figure({
    title: 'Rates in the order of the runs',
    note: 'horizontal: run; vertical: operations per second; dashed: mean',
    description: samples.map(describeOrder).join(' '),
    side: labels,
    svg: makeSvg('svg', { role: 'img', height: ORDER_HEIGHT + 22 }, ...parts),
  });
}

interface Figure {
  readonly title: string;
  readonly note: string;
  /** For those who do not see the picture. */
  readonly description: string;
  readonly side: readonly HTMLElement[];
  readonly svg: SVGElement;
}

function figure({ title, note, description, side, svg }: Figure): HTMLElement {
  svg.setAttribute('aria-label', `${title}. ${description}`);
  return make(
    'figure',
    {},
    make('figcaption', {}, title),
    make('div', { class: 'chart' }, make('div', { class: 'sides' }, ...side), svg),
    make('p', { class: 'note' }, note),
  );
}

const DIGITS = 4;

function describe({ subject, rates }: Sample): string {
  const ascending = rates.toSorted();
  const rate = (probability: number) => rateText(quantile(ascending, probability), DIGITS);
  return rates.length === 0
    ? `${subject.name}: no runs.`
    : `${subject.name}: ${rates.length} runs from ${rate(0)} to ${rate(1)} operations per second, median ${rate(0.5)}.`;
}

function describeOrder({ subject, rates }: Sample): string {
  const [first, last] = [rates[0], rates.at(-1)];
  return first === undefined || last === undefined
    ? ''
    : `${subject.name}: first ${rateText(first, DIGITS)}, last ${rateText(last, DIGITS)}.`;
}
