import { quantile } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { rateText, shortened } from '../../figure-text.ts';
import { type Axis, axisOf, percentage } from './axis.ts';
import type { EntrySample } from './entry.ts';
import { runMark, subjectClass, subjectMark } from './mark.ts';

/** A sample of fewer runs has no quartiles worth a box. */
const LEAST_BOX = 5;

/** Draws the samples of a case: the distribution of the rates, and the rates from run to run. */
export function sampleChart(samples: readonly EntrySample[]): string {
  const all = samples.flatMap(({ values }) => [...values]);
  if (all.length === 0) return '';
  const axis = axisOf(Math.min(...all), Math.max(...all));
  return html`<div class="samples">!${distribution(samples, axis)}!${overTime(samples, axis)}</div>`;
}

function unitOf([first]: readonly EntrySample[]): string {
  return first?.unit ?? '';
}

const LANE_HEIGHT = 44;
/** Letters that fit beside a lane. */
const SIDE_LETTERS = 30;

function distribution(samples: readonly EntrySample[], { ticks, place }: Axis): string {
  const x = (rate: number) => percentage(place(rate));
  const height = samples.length * LANE_HEIGHT;
  const grid = ticks.map(
    ({ value, text }) =>
      html`<line x1="${x(value)}" x2="${x(value)}" y1="0" y2="${height}" class="grid"/><text x="${x(value)}" y="${height + 16}" text-anchor="middle">${text}</text>`,
  );
  const lanes = samples.map(({ subject, values }, lane) => {
    const middle = (lane + 0.5) * LANE_HEIGHT;
    const runs = Array.from(values, (rate, run) =>
      runMark(subject, x(rate), middle + (((run * 0.618) % 1) - 0.5) * 24),
    );
    if (values.length < LEAST_BOX) return runs.join('');
    const ascending = values.toSorted();
    const at = (share: number) => place(quantile(ascending, share));
    const [low, median, high] = [at(0.25), at(0.5), at(0.75)];
    return html`<rect x="${percentage(low)}" y="${middle - 16}" width="${percentage(Math.max(0.2, high - low))}" height="32" class="box ${subjectClass(subject)}"/>!${runs}<line x1="${percentage(median)}" x2="${percentage(median)}" y1="${middle - 19}" y2="${middle + 19}" class="median"/>`;
  });
  const names = samples.map(
    ({ subject }) =>
      html`<div class="side">!${subjectMark(subject)} ${shortened(subject.name, SIDE_LETTERS)}</div>`,
  );
  return figure({
    title: 'Distribution of the runs',
    note: `${unitOf(samples)}; box: quartiles, line: median`,
    description: samples.map(describe).join(' '),
    side: html`<div class="sides">!${names}</div>`,
    height,
    drawn: [...grid, ...lanes],
  });
}

const ORDER_HEIGHT = 180;

function overTime(samples: readonly EntrySample[], { ticks, place }: Axis): string {
  const runs = Math.max(...samples.map(({ values }) => values.length));
  const x = (run: number) => percentage(2 + (run / Math.max(1, runs - 1)) * 96);
  const y = (rate: number) => Number((8 + (1 - place(rate) / 100) * (ORDER_HEIGHT - 16)).toFixed(1));
  const across = (rate: number, className: string) =>
    html`<line x1="0" x2="100%" y1="${y(rate)}" y2="${y(rate)}" class="${className}"/>`;
  const paths = samples.map(({ subject, values, mean }) => {
    if (mean === null) return '';
    const tone = subjectClass(subject);
    const steps = Array.from(
      values.subarray(1),
      (rate, run) =>
        html`<line x1="${x(run)}" y1="${y(values[run] ?? rate)}" x2="${x(run + 1)}" y2="${y(rate)}" class="path ${tone}"/>`,
    );
    const marks = Array.from(values, (rate, run) => runMark(subject, x(run), y(rate)));
    return [across(mean, `mean ${tone}`), ...steps, ...marks].join('');
  });
  const ends = Array.from(
    new Set([0, runs - 1]),
    (run) => html`<text x="${x(run)}" y="${ORDER_HEIGHT + 16}" text-anchor="middle">${run + 1}</text>`,
  );
  const labels = ticks.map(({ value, text }) => html`<text x="100%" y="${y(value) + 4}">${text}</text>`);
  return figure({
    title: 'Runs in their order',
    note: `horizontal: run; vertical: ${unitOf(samples)}; dashed: mean`,
    description: samples.map(describeOrder).join(' '),
    side: html`<svg class="ticks" height="${ORDER_HEIGHT}" aria-hidden="true">!${labels}</svg>`,
    height: ORDER_HEIGHT,
    drawn: [...ticks.map(({ value }) => across(value, 'grid')), ...paths, ...ends],
  });
}

interface Figure {
  readonly title: string;
  readonly note: string;
  /** For those who do not see the picture. */
  readonly description: string;
  /** The text beside the picture, as HTML. */
  readonly side: string;
  /** Pixels, without the texts below the picture. */
  readonly height: number;
  readonly drawn: readonly string[];
}

function figure({ title, note, description, side, height, drawn }: Figure): string {
  return html`<figure><figcaption>${title}</figcaption><div class="chart">!${side}<svg role="img" height="${height + 22}" aria-label="${title}. ${description}">!${drawn}</svg></div><p class="note">${note}</p></figure>`;
}

const DIGITS = 4;

function describe({ subject, values, unit }: EntrySample): string {
  const ascending = values.toSorted();
  const rate = (probability: number) => rateText(quantile(ascending, probability), DIGITS);
  return values.length === 0
    ? `${subject.name}: no runs.`
    : `${subject.name}: ${values.length} runs from ${rate(0)} to ${rate(1)} ${unit}, median ${rate(0.5)}.`;
}

function describeOrder({ subject, values }: EntrySample): string {
  const [first, last] = [values[0], values.at(-1)];
  return first === undefined || last === undefined
    ? ''
    : `${subject.name}: first ${rateText(first, DIGITS)}, last ${rateText(last, DIGITS)}.`;
}
