import { type SampleSummary, summarizeSample } from '@bench-cli/stats';
import { html } from 'ghtml';
import { leastPercent } from '../../figure-text.ts';
import {
  type Entry,
  type EntrySample,
  intervalText,
  pText,
  signedChange,
  TIE_TEXT,
  valueText,
} from './entry.ts';
import { subjectMark } from './entry-mark.ts';
import { sampleChart } from './sample-chart.ts';
import { commandText, unbroken } from './unbroken.ts';

/**
 * The runs, the figures and the warnings of a case.
 * @param entries the comparisons of the case, one for each subject after the baseline
 */
export function caseDetails(
  entries: readonly Entry[],
  samples: readonly EntrySample[],
  test: string,
): string {
  const [first] = entries;
  const letters = first?.letters && [first.letters[0], ...entries.map((entry) => entry.letters?.[1] ?? '')];
  const tests = entries.map((entry) => testText(entry, test, entries.length > 1));
  const warnings = [...new Set(entries.flatMap((entry) => entry.warnings))];
  return html`<div class="case">!${sampleChart(samples)}!${figures(samples, letters)}!${list('tests', tests)}!${list('warnings', warnings)}!${again(first?.command)}</div>`;
}

function again(command: string | undefined): string {
  if (command === undefined) return '';
  return html`<p class="muted">Measure this configuration again:</p>
!${commandText(command)}`;
}

function list(className: string, texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return html`<ul class="${className}">!${texts.map((text) => html`<li>!${unbroken(text)}</li>`)}</ul>`;
}

function testText(entry: Entry, test: string, isNamed: boolean): string {
  const figures = [
    `${signedChange(entry.change, 2)} (${intervalText(entry, 2) || 'no interval'})`,
    ...(entry.least ? [`at least ${entry.least < 0 ? '−' : '+'}${leastPercent(entry.least)}`] : []),
    `corrected p ${pText(entry.p)} (${test})`,
  ].join(' · ');
  return isNamed ? `${entry.subject.name}: ${figures}` : figures;
}

type ValueText = (value: number) => string;

const FIGURES: readonly (readonly [
  title: string,
  text: (summary: SampleSummary, textOf: ValueText) => string,
])[] = [
  ['Runs', ({ n }) => String(n)],
  ['Mean', ({ mean }, textOf) => textOf(mean)],
  ['Median', ({ median }, textOf) => textOf(median)],
  ['Standard deviation', deviationText],
  ['Lowest', ({ min }, textOf) => textOf(min)],
  ['Highest', ({ max }, textOf) => textOf(max)],
];

function deviationText({ mean, variance }: SampleSummary, textOf: ValueText): string {
  if (variance === null) return 'none';
  const deviation = Math.sqrt(variance);
  return `${textOf(deviation)} (${((deviation / mean) * 100).toFixed(1)}\u00a0%)`;
}

/** @param letters of the ties, by subject */
function figures(samples: readonly EntrySample[], letters: readonly string[] = []): string {
  const unit = samples[0]?.unit ?? 'operations per second';
  const textOf = (value: number) => valueText(value, unit);
  const summaries = samples.map(({ values, mean }) =>
    mean === null ? null : { ...summarizeSample(values), mean },
  );
  const head = samples.map(
    ({ subject }) => html`<th scope="col">!${subjectMark(subject)} !${unbroken(subject.name)}</th>`,
  );
  const row = (title: string, texts: readonly string[], hint = '') =>
    html`<tr title="${hint}"><th scope="row">${title}</th>!${texts.map((text) => html`<td class="number">${text}</td>`)}</tr>`;
  const rows = FIGURES.map(([title, text], at) =>
    row(
      title,
      summaries.map((summary) => (summary ? text(summary, textOf) : at === 0 ? '0' : 'none')),
    ),
  );
  const ties = letters.map((text) => text || 'none');
  return html`<table class="figures"><caption>${unit}</caption><thead><tr><td></td>!${head}</tr></thead>
<tbody>!${rows}!${ties.length > 0 ? row('Tie', ties, TIE_TEXT) : ''}</tbody></table>`;
}
