import { shortenedApart } from '@bench-cli/results';
import { quantile } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { rateText } from '../../figure-text.ts';
import {
  laneMark,
  line,
  pixelsOf,
  sampleBox,
  seriesMarks,
  subjectClass,
  tickTexts,
  verticalGrid,
} from '../../picture/mark.ts';
import { linearScale, type Scale, scaleBetween } from '../../picture/scale.ts';
import type { EntrySample } from './entry.ts';
import { subjectMark } from './entry-mark.ts';

export function sampleChart(samples: readonly EntrySample[]): string {
  const all = samples.flatMap(({ values }) => [...values]);
  if (all.length === 0) return '';
  const scale = linearScale(Math.min(...all), Math.max(...all));
  return html`<div class="samples">!${distribution(samples, scale)}!${overTime(samples, scale)}</div>`;
}

const LANE_HEIGHT = 44;
/** Pixels of a lane on a phone. */
const PHONE_WIDTH = 170;
/** Letters that fit beside a lane. */
const SIDE_LETTERS = 30;

function distribution(samples: readonly EntrySample[], scale: Scale): string {
  const height = samples.length * LANE_HEIGHT;
  const lanes = samples.map(({ subject: { index }, values }, lane) => {
    const figures = { ...sampleBox(index, values), runs: Array.from(values) };
    return values.length === 0 ? '' : laneMark(scale, figures, (lane + 0.5) * LANE_HEIGHT, 32);
  });
  const whole = samples.map(({ subject }) => subject.name);
  const names = shortenedApart(whole, SIDE_LETTERS);
  const sides = samples.map(
    ({ subject }, lane) => html`<div class="side">!${subjectMark(subject)} ${names[lane]}</div>`,
  );
  return figure({
    title: 'Distribution of the runs',
    note: `${samples[0]?.unit}; box: quartiles, line: median`,
    description: samples.map(describe).join(' '),
    side: sides.join(''),
    height,
    drawn: [verticalGrid(scale, height), tickTexts(scale, height + 16, PHONE_WIDTH), ...lanes],
  });
}

const ORDER_HEIGHT = 180;

function overTime(samples: readonly EntrySample[], y: Scale): string {
  const runs = Math.max(...samples.map(({ values }) => values.length));
  const x = scaleBetween(1, runs, [...new Set([1, runs])], { edge: 2, textOf: String });
  const means = samples.map(({ subject: { index }, mean }) => {
    if (mean === null) return '';
    const up = pixelsOf(y.place(mean), ORDER_HEIGHT);
    return line(`mean ${subjectClass(index)}`, [0, up], [100, up]);
  });
  const series = samples.map(({ subject: { index }, values }) => ({
    subject: index,
    path: Array.from(values, (rate, run) => [run + 1, rate] as const),
    points: Array.from(values, (rate, run) => ({ x: run + 1, y: { low: rate, value: rate, high: rate } })),
  }));
  return figure({
    title: 'Runs in their order',
    note: `horizontal: run; vertical: ${samples[0]?.unit}; dashed: mean`,
    description: samples.map(describeOrder).join(' '),
    side: '',
    height: ORDER_HEIGHT,
    drawn: [seriesMarks(x, y, series, ORDER_HEIGHT), tickTexts(x, ORDER_HEIGHT + 16), ...means],
  });
}

interface Figure {
  readonly title: string;
  readonly note: string;
  /** The description for screen readers. */
  readonly description: string;
  /** Texts beside the lanes, as HTML. */
  readonly side: string;
  readonly height: number;
  readonly drawn: readonly string[];
}

function figure({ title, note, description, side, height, drawn }: Figure): string {
  return html`<figure><figcaption>${title}</figcaption><div class="chart"><div class="sides">!${side}</div><svg role="img" height="${height + 22}" aria-label="${title}. ${description}">!${drawn}</svg></div><p class="note">${note}</p></figure>`;
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
