import { type SampleSummary, summarizeSample } from '@bench-cli/stats';
import { leastPercent } from '../../figure-text.ts';
import { make } from './element.ts';
import { changeText, type Entry, intervalText, pText, type Sample, TIE_TEXT } from './entry.ts';
import { subjectMark } from './mark.ts';
import type { Payload } from './payload.ts';
import { sampleChart } from './sample-chart.ts';

/**
 * The runs, the figures and the warnings of a case.
 * @param entries the comparisons of the case, one for each subject that is compared
 */
export function caseDetails(
  entries: readonly Entry[],
  samples: readonly Sample[],
  methods: Payload['methods'],
): HTMLElement {
  const [first] = entries;
  const letters = first?.letters && [first.letters[0], ...entries.map((entry) => entry.letters?.[1] ?? '')];
  const tests = entries.map((entry) => testText(entry, methods, entries.length > 1));
  const warnings = [...new Set(entries.flatMap((entry) => entry.warnings))];
  const details = make(
    'div',
    { class: 'case' },
    sampleChart(samples),
    figures(samples, letters),
    list('tests', tests),
  );
  if (warnings.length > 0) details.append(list('warnings', warnings));
  if (first !== undefined) {
    const title = make('p', { class: 'muted' }, 'Measure this configuration again:');
    details.append(title, commandBox(first.command));
  }
  return details;
}

function list(className: string, texts: readonly string[]): HTMLElement {
  return make('ul', { class: className }, ...texts.map((text) => make('li', {}, text)));
}

function testText(entry: Entry, methods: Payload['methods'], isNamed: boolean): string {
  const { test, rankTest } = methods[entry.method] ?? { test: 'test' };
  const figures = [
    ...(entry.startUp === undefined ? [] : [entry.startUp.text]),
    `${changeText(entry.change, 2)} (${intervalText(entry, 2) || 'no interval'})`,
    ...(entry.least ? [`at least ${entry.least < 0 ? '−' : '+'}${leastPercent(entry.least)}`] : []),
    `p ${pText(entry.p)} (${test})`,
    `corrected ${pText(entry.adjustedP)}`,
    ...(entry.rankP === undefined ? [] : [`p ${pText(entry.rankP)} (${rankTest ?? 'rank test'})`]),
    ...(entry.effect === undefined
      ? []
      : [`Hedges' g ${entry.effect?.toFixed(2).replace('-', '−') ?? 'none'}`]),
  ].join(' · ');
  return isNamed ? `${entry.subject.name}: ${figures}` : figures;
}

const FIGURES: readonly (readonly [title: string, text: (summary: SampleSummary) => string])[] = [
  ['Runs', ({ n }) => String(n)],
  ['Mean', ({ mean }) => number(mean)],
  ['Median', ({ median }) => number(median)],
  ['Standard deviation', deviationText],
  ['Lowest', ({ min }) => number(min)],
  ['Highest', ({ max }) => number(max)],
];

function deviationText({ mean, variance }: SampleSummary): string {
  if (variance === null) return 'none';
  const deviation = Math.sqrt(variance);
  return `${number(deviation)} (${((deviation / mean) * 100).toFixed(1)} %)`;
}

/** @param letters of the ties, by subject */
function figures(samples: readonly Sample[], letters: readonly string[] = []): HTMLElement {
  const summaries = samples.map(({ rates }) => (rates.length === 0 ? null : summarizeSample(rates)));
  const head = samples.map(({ subject }) =>
    make('th', { scope: 'col' }, subjectMark(subject), ' ', subject.name),
  );
  const rows = FIGURES.map(([title, text], at) => {
    const texts = summaries.map((summary) => (summary ? text(summary) : at === 0 ? '0' : 'none'));
    const cells = texts.map((it) => make('td', { class: 'number' }, it));
    return make('tr', {}, make('th', { scope: 'row' }, title), ...cells);
  });
  if (letters.length > 0) {
    const cells = letters.map((text) => make('td', { class: 'number' }, text || 'none'));
    rows.push(make('tr', { title: TIE_TEXT }, make('th', { scope: 'row' }, 'Tie'), ...cells));
  }
  return make(
    'table',
    { class: 'figures' },
    make('caption', {}, 'Operations per second'),
    make('thead', {}, make('tr', {}, make('td', {}), ...head)),
    make('tbody', {}, ...rows),
  );
}

function number(value: number): string {
  if (value !== 0 && (value >= 1e15 || value < 1e-3)) return value.toExponential(4);
  return new Intl.NumberFormat('en', { maximumSignificantDigits: 5 }).format(value);
}

function commandBox(command: string): HTMLElement {
  const copy = make('button', { type: 'button', 'data-copy': '' }, 'Copy');
  enableCopy(copy);
  return make('div', { class: 'command' }, make('code', {}, command), copy);
}

export function enableCopy(copy: HTMLButtonElement): void {
  copy.addEventListener('click', () => {
    const text = copy.parentElement?.querySelector('code')?.textContent ?? '';
    navigator.clipboard.writeText(text).then(
      () => {
        copy.textContent = 'Copied';
      },
      () => {
        copy.textContent = 'Could not copy: select the text';
      },
    );
  });
}
