import { summarizeSample } from '@bench-cli/stats';
import { html } from 'ghtml';
import { pValue } from '../../figure-text.ts';
import { type Entry, type EntrySample, intervalText, signedChange, TIE_TEXT, valueText } from './entry.ts';
import { subjectMark } from './entry-mark.ts';
import { sampleChart } from './sample-chart.ts';
import { commandText, unbroken } from './unbroken.ts';

/** @param entries the comparisons of the case, one for each subject after the baseline */
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
  return html`<p class="muted">Measure this case again:</p>
!${commandText(command)}`;
}

function list(className: string, texts: readonly string[]): string {
  if (texts.length === 0) return '';
  return html`<ul class="${className}">!${texts.map((text) => html`<li>!${unbroken(text)}</li>`)}</ul>`;
}

function testText(entry: Entry, test: string, isNamed: boolean): string {
  const change = `${signedChange(entry.change, 2)} (${intervalText(entry, 2) || 'no interval'})`;
  const figures = `${change} · corrected p ${pValue(entry.p)} (${test})`;
  return isNamed ? `${entry.subject.name}: ${figures}` : figures;
}

const TITLES = ['Runs', 'Mean', 'Median', 'Standard deviation', 'Lowest', 'Highest'];

/** The figures of a sample in the order of their titles; only the number of runs without a run. */
function figureTexts({ values, mean, unit }: EntrySample): readonly string[] {
  if (mean === null) return ['0'];
  const { n, median, variance, min, max } = summarizeSample(values);
  const textOf = (value: number) => valueText(value, unit);
  const deviation = Math.sqrt(variance ?? 0);
  const share = `${textOf(deviation)} (${((deviation / mean) * 100).toFixed(1)}\u00a0%)`;
  const spread = variance === null ? 'none' : share;
  return [String(n), textOf(mean), textOf(median), spread, textOf(min), textOf(max)];
}

function figures(samples: readonly EntrySample[], letters: readonly string[] = []): string {
  const unit = samples[0]?.unit ?? 'operations per second';
  const texts = samples.map(figureTexts);
  const head = samples.map(
    ({ subject }) => html`<th scope="col">!${subjectMark(subject)} !${unbroken(subject.name)}</th>`,
  );
  const row = (title: string, cells: readonly (string | undefined)[], hint = '') =>
    html`<tr title="${hint}"><th scope="row">${title}</th>!${cells.map((cell) => html`<td class="number">${cell || 'none'}</td>`)}</tr>`;
  const cellsAt = (at: number) => texts.map((each) => each[at]);
  const rows = TITLES.map((title, at) => row(title, cellsAt(at)));
  return html`<table class="figures"><caption>${unit}</caption><thead><tr><td></td>!${head}</tr></thead>
<tbody>!${rows}!${letters.length > 0 ? row('Tied', letters, TIE_TEXT) : ''}</tbody></table>`;
}
