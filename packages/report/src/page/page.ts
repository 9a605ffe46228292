import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { caseName, type SamplePair, type SubjectNames } from '@bench-cli/results';
import {
  ASSUMPTION_MESSAGES,
  type Comparison,
  type ComparisonList,
  methods,
  verdictCounts,
} from '@bench-cli/stats';
import { html } from 'ghtml';
import { percent } from '../figure-text.ts';
import { methodsOf } from '../method-text.ts';
import { summarize } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';
import type { Payload, PayloadRow } from './browser/payload.ts';
import { STYLE } from './style.ts';

/** A named text, such as the CPU. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

export interface ReportContent extends SubjectNames {
  readonly title: string;
  /** Rates in the order of the runs. */
  readonly pairs: readonly SamplePair[];
  readonly list: ComparisonList;
  /** The machine and the session; empty if they are unknown, as for a CSV. */
  readonly facts: readonly Fact[];
  readonly command: string;
  readonly commandFor: (comparison: Comparison) => string;
  /** Runs that failed, each with its message. */
  readonly failedRuns: readonly Fact[];
  /** Benchmarks that could not be planned, set up or torn down, each with its message. */
  readonly failedBenchmarks: readonly Fact[];
}

/** The number of largest losses and gains that are listed above the table. */
const TOP = 5;

/**
 * Makes one HTML page that needs no network and no other file. `html` escapes every value, except after `!`, which marks HTML
 * that is already escaped. The content security policy allows only the script and the style of the page.
 */
export function renderReport(content: ReportContent): string {
  const { list, oldName, newName, title } = content;
  // The build bundles it from `browser/`.
  const script = readFileSync(createRequire(import.meta.url).resolve('#page-script'), 'utf8');
  const policy = [
    "default-src 'none'",
    `style-src '${digest(STYLE)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>!${STYLE}</style>
</head>
<body>
<a class="skip" href="#comparisons">Skip to the table</a>
<main>
<h1>${title}</h1>
<p class="lead">${summarize(list, { oldName, newName })}</p>
!${subjectList(oldName, newName)}
!${verdictButtons(list)}
<p class="muted">${correctionSentence(list)}</p>
<div class="extremes">!${findings('Largest losses', list, 'slower')}!${findings('Largest gains', list, 'faster')}</div>
!${failureSection('Failed runs', content.failedRuns)}
!${failureSection('Failed benchmarks', content.failedBenchmarks)}
!${warningSection(list)}
!${tableSection()}
!${factSection(content.facts)}
<section aria-labelledby="again"><h2 id="again">Measure again</h2>
<div class="command"><code>${content.command}</code><button type="button" data-copy>Copy</button></div></section>
<section aria-labelledby="method"><h2 id="method">How to read this</h2>!${methodSection(list)}</section>
</main>
<script type="application/json" id="data">!${jsonForScript(payloadOf(content))}</script>
<script type="module">!${script}</script>
</body>
</html>
`;
}

function methodSection(list: ComparisonList): string {
  const names = methodsOf(list).map((method) => {
    const { name, test, interval, rankTest, source } = methods[method];
    const title = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const rank = rankTest === undefined ? '' : ` Rank test: ${rankTest}.`;
    return html`<p><strong>${title}.</strong> Test: ${test}. Interval: ${interval}.${rank} Source: ${source}.</p>`;
  });
  return `${list.kind === 'fixed' ? FIXED_READING : sequentialReading(list.errorRate)}${names.join('')}`;
}

const FIXED_READING = `
<p><strong>Faster and slower</strong>: the test finds a difference at the 5&nbsp;% level. <strong>No difference</strong>: the
95&nbsp;% interval of the change lies within the margin (default: ±2&nbsp;%). <strong>Undecided</strong>: otherwise; more runs
would decide. A change is that of the mean rate, in per cent of the old mean. <strong>Corrected p</strong> is Benjamini and
Hochberg's: of the comparisons below 0.05, at most 5&nbsp;% are expected to be false alarms.</p>`;

function sequentialReading(errorRate: number): string {
  const share = `${Number((errorRate * 100).toPrecision(3))}\u00a0%`;
  return html`
<p>Each configuration ran until its verdict was clear. <strong>Faster and slower</strong>: of these configurations, at most
${share} are expected to be neither. <strong>No difference</strong>: the interval of the change lies within the margin. A
configuration that differs by the margin or more is called so with a probability of at most ${share}.
<strong>Undecided</strong>: the runs were used up, or more runs would hardly have told. A change is that of the geometric mean
of the rates. Intervals and <strong>p</strong> are valid at whichever run a configuration stopped. <strong>Corrected p</strong>
is Benjamini and Hochberg's.</p>`;
}

/** Empty if the subjects are only known by their roles. */
function subjectList(oldName: string, newName: string): string {
  if (oldName === 'old' && newName === 'new') return '';
  return html`<dl class="subjects"><dt class="old">old</dt><dd>${oldName}</dd><dt class="new">new</dt><dd>${newName}</dd></dl>`;
}

function verdictButtons({ comparisons }: ComparisonList): string {
  const counts = verdictCounts(comparisons);
  const buttons = (['slower', 'faster', 'undecided', 'no difference'] as const).map(
    (verdict) =>
      html`<li><button type="button" class="${verdict.replace(' ', '-')}" data-verdict="${verdict}" aria-pressed="false"><strong>${counts[verdict]}</strong> ${verdict}</button></li>`,
  );
  return html`<ul class="verdicts" aria-label="Verdicts; each shows only its comparisons">!${buttons}</ul>`;
}

function correctionSentence({ discoveries: { tested, found, survive } }: ComparisonList): string {
  return `${found} of ${tested} tests found a difference; ${survive} of them ${survive === 1 ? 'survives' : 'survive'} the correction for their number.`;
}

function findings(heading: string, list: ComparisonList, verdict: 'slower' | 'faster'): string {
  const found = list.comparisons
    .flatMap((comparison: Comparison, row) => {
      const { improvement, verdict: found } = comparison.judgement;
      return found === verdict && improvement !== null
        ? [{ comparison, row, size: Math.abs(improvement) }]
        : [];
    })
    .sort((a, b) => b.size - a.size)
    .slice(0, TOP);
  if (found.length === 0) return '';
  const sign = verdict === 'slower' ? '−' : '+';
  const items = found.map(
    ({ comparison, row, size }) =>
      html`<li><span class="by">${sign}${percent(size, 1)} %</span> <button type="button" data-row="${row}">${caseName(comparison)}</button></li>`,
  );
  return html`<section><h2>${heading}</h2><ul class="findings">!${items}</ul></section>`;
}

/** The number of names that are listed with a warning, and of failures; the table has the others. */
const LISTED = 20;

/** List items for the first texts, and for the number of the others. */
function shortList(texts: readonly string[]): string {
  const rest = texts.length > LISTED ? [`and ${texts.length - LISTED} more`] : [];
  return [...texts.slice(0, LISTED), ...rest].map((text) => html`<li>${text}</li>`).join('');
}

function warningSection(list: ComparisonList): string {
  const warnings = warningGroups(list, { assumptions: true });
  if (warnings.length === 0) return '';
  const items = warnings.map(({ message, names }) => {
    const count = `${names.length} configuration${names.length === 1 ? '' : 's'}`;
    return html`<li><details><summary>${message} (${count})</summary><ul>!${shortList(names)}</ul></details></li>`;
  });
  return html`<section aria-labelledby="doubts"><h2 id="doubts">Warnings</h2><ul class="warnings">!${items}</ul></section>`;
}

function failureSection(title: string, failures: readonly Fact[]): string {
  if (failures.length === 0) return '';
  const items = shortList(failures.map(({ name, value }) => `${name}: ${value}`));
  const id = title.toLowerCase().replace(' ', '-');
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}: ${failures.length}</h2><ul class="warnings">!${items}</ul></section>`;
}

function tableSection(): string {
  const column = (key: string, title: string, className = 'text') =>
    html`<th scope="col" data-sort="${key}" aria-sort="none" class="${className}"><button type="button">${title}</button></th>`;
  const columns = [
    column('name', 'Benchmark and configuration'),
    column('verdict', 'Verdict'),
    column('change', 'Change', 'number'),
    '<th scope="col">Interval</th>',
    column('p', 'p', 'number'),
    column('adjustedP', 'Corrected p', 'number'),
    column('runs', 'Runs', 'number'),
  ];
  return html`<section aria-labelledby="all"><h2 id="all">Comparisons</h2>
<div class="controls" role="search">
<label>Filter <input type="search" id="search" placeholder="words, such as url.parse len=1024" autocomplete="off"></label>
<label><input type="checkbox" id="survivors"> survive the correction</label>
<label><input type="checkbox" id="warned"> with warnings</label>
</div>
<noscript><p>The table needs JavaScript, which this browser does not run.</p></noscript>
<div class="pager"><button type="button" id="previous">Previous</button><button type="button" id="next">Next</button><span id="status" role="status"></span></div>
<div class="scroll" role="region" aria-label="Table of comparisons" tabindex="0"><table id="comparisons"><caption class="skip">Comparisons; the headers sort, the names open the details</caption>
<thead><tr>!${columns}</tr></thead><tbody></tbody></table></div></section>`;
}

function factSection(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const entries = facts.map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`);
  return html`<section aria-labelledby="environment"><h2 id="environment">Environment</h2><dl class="facts">!${entries}</dl></section>`;
}

/** A value as JSON in a `<script>`. No tag can begin or end in it. */
function jsonForScript(value: unknown): string {
  return JSON.stringify(value).replace(/[<>\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${code}`;
  });
}

function payloadOf({ pairs, list, commandFor }: ReportContent): Payload {
  const pairByKey = new Map(pairs.map((pair) => [pair.key, pair]));
  const total = pairs.reduce((sum, pair) => sum + pair.old.length + pair.new.length, 0);
  const rates = new DataView(new ArrayBuffer(total * 4));
  let at = 0;
  const rows = list.comparisons.map((comparison: Comparison): PayloadRow => {
    const { old = [], new: new_ = [] } = pairByKey.get(comparison.key) ?? {};
    const unit = comparison.old?.max || comparison.new?.max || 1;
    for (const sample of [old, new_]) {
      for (const rate of Array.from(sample)) {
        rates.setFloat32(at, rate / unit, true);
        at += 4;
      }
    }
    const { judgement, adjustedP, survives } = comparison;
    return {
      benchmark: comparison.benchmark,
      configuration: comparison.text,
      method: judgement.method,
      verdict: judgement.verdict,
      change: rounded(judgement.improvement),
      low: judgement.ratio === null ? null : rounded(judgement.ratio.low - 1),
      high: judgement.ratio === null ? null : rounded(judgement.ratio.high - 1),
      p: rounded(judgement.p),
      adjustedP: rounded(adjustedP),
      survives,
      ...(judgement.method !== 'sequential' && {
        rankP: rounded(judgement.rankTest?.p ?? null),
        effect: rounded(judgement.effectSize),
      }),
      unit,
      nOld: old.length,
      nNew: new_.length,
      warnings: warningsOf(comparison),
      command: commandFor(comparison),
    };
  });
  return {
    rows,
    methods: Object.fromEntries(methodsOf(list).map((name) => [name, methods[name]])),
    rates: Buffer.from(rates.buffer).toString('base64'),
  };
}

function warningsOf({ warnings, assumptions }: Comparison): string[] {
  return [
    ...warnings.map((warning) =>
      'subject' in warning ? `${warning.subject}: ${warning.message}` : warning.message,
    ),
    ...assumptions.map(({ kind, subject }) => `${subject}: ${ASSUMPTION_MESSAGES[kind]}`),
  ];
}

/** Rounds to the digits that the page shows, and a few more for sorting. */
function rounded(figure: number | null): number | null {
  return figure === null ? null : Number(figure.toPrecision(6));
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
