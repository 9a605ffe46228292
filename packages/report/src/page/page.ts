import { createHash } from 'node:crypto';
import { caseName, type SamplePair, type SubjectNames } from '@bench-cli/results';
import {
  ASSUMPTION_MESSAGES,
  type Comparison,
  type ComparisonList,
  type Judgement,
  methods,
  verdictCounts,
} from '@bench-cli/stats';
import { summarize } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';
import type { Payload, PayloadRow } from './browser/payload.ts';
import { escapeHtml, jsonForScript } from './html.ts';
import { pageScripts } from './page-script.ts';
import { STYLE } from './style.ts';

/** A fact about how results came to be, such as the CPU. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What a report is about. */
export interface ReportContent extends SubjectNames {
  readonly title: string;
  /** Rates in the order of the runs. */
  readonly pairs: readonly SamplePair[];
  readonly list: ComparisonList;
  /** The machine and the session; empty where nothing is known, as of a CSV. */
  readonly facts: readonly Fact[];
  /** The command that measures everything again. */
  readonly command: string;
  /** The command that measures one configuration again. */
  readonly commandFor: (comparison: Comparison) => string;
  /** Runs that failed, each with its message. */
  readonly failedRuns: readonly Fact[];
  /** Benchmarks that could not be planned, set up or torn down, each with its message. */
  readonly failedBenchmarks: readonly Fact[];
}

/** Findings of a kind that are listed above the table. */
const TOP = 5;

/**
 * Makes one HTML page that needs no network and no other file. All text is escaped, and a content security policy
 * lets no script run but the page's own.
 */
export function renderReport(content: ReportContent): string {
  const { list, oldName, newName, title } = content;
  const payload = jsonForScript(payloadOf(content));
  const scripts = pageScripts();
  const policy = [
    "default-src 'none'",
    `style-src '${digest(STYLE)}'`,
    `script-src ${scripts.map((script) => `'${digest(script)}'`).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<a class="skip" href="#comparisons">Skip to the table</a>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="lead">${escapeHtml(summarize(list, { oldName, newName }))}</p>
${subjectList(oldName, newName)}
${verdictButtons(list)}
<p class="muted">${escapeHtml(correctionSentence(list))}</p>
<div class="extremes">${findings('Largest losses', list, 'slower')}${findings('Largest gains', list, 'faster')}</div>
${failureSection('Failed runs', content.failedRuns)}
${failureSection('Failed benchmarks', content.failedBenchmarks)}
${warningSection(list)}
${tableSection()}
${factSection(content.facts)}
<section aria-labelledby="again"><h2 id="again">Measure again</h2>
<div class="command"><code>${escapeHtml(content.command)}</code><button type="button" data-copy>Copy</button></div></section>
<section aria-labelledby="method"><h2 id="method">How to read this</h2>${methodSection(list)}</section>
</main>
<script type="application/json" id="data">${payload}</script>
${scripts.map((script) => `<script type="module">${script}</script>`).join('\n')}
</body>
</html>
`;
}

function methodSection(list: ComparisonList): string {
  const used = methodsOf(list);
  const names = used.map((name) => {
    const { name: title, test, interval, rankTest, source } = methods[name];
    const rank = rankTest === undefined ? '' : ` Rank test: ${rankTest}.`;
    return `<p><strong>${capitalized(title)}.</strong> Test: ${escapeHtml(test)}. Interval: ${escapeHtml(interval)}.${escapeHtml(rank)} Source: ${escapeHtml(source)}.</p>`;
  });
  return `${list.kind === 'fixed' ? FIXED_READING : sequentialReading(list.errorRate)}${names.join('')}`;
}

function methodsOf(list: ComparisonList): readonly Judgement['method'][] {
  return [...new Set(list.comparisons.map(({ judgement }) => judgement.method))];
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const FIXED_READING = `
<p><strong>Faster and slower</strong> mean that the test finds a difference at the 5&nbsp;% level; <strong>no
difference</strong> that the 95&nbsp;% interval of the change lies within ±2&nbsp;%; <strong>undecided</strong> that more
runs would tell. A change is that of the mean rate, in per cent of the old mean. <strong>Corrected p</strong> is Benjamini
and Hochberg's: of the comparisons below 0.05, at most 5&nbsp;% are expected to be false alarms.</p>`;

function sequentialReading(errorRate: number): string {
  const share = `${Number((errorRate * 100).toPrecision(3))}&nbsp;%`;
  return `
<p>The runs of each configuration ended when they showed enough. <strong>Faster and slower</strong> are controlled over all
configurations: at most ${share} of them are expected to be neither. <strong>No difference</strong> means that the interval
of the change lies within the margin; a configuration that differs by the margin or more is called so with a chance of at
most ${share}. <strong>Undecided</strong> configurations used up their runs, or more runs would hardly have told. A change is
that of the geometric mean of the rates; intervals and <strong>p</strong> hold at whichever run a configuration stopped.
<strong>Corrected p</strong> is Benjamini and Hochberg's.</p>`;
}

/** Nothing where the subjects are known by their roles only. */
function subjectList(oldName: string, newName: string): string {
  if (oldName === 'old' && newName === 'new') return '';
  const entry = (role: string, name: string) =>
    `<dt class="${role}">${role}</dt><dd>${escapeHtml(name)}</dd>`;
  return `<dl class="subjects">${entry('old', oldName)}${entry('new', newName)}</dl>`;
}

function verdictButtons({ comparisons }: ComparisonList): string {
  const counts = verdictCounts(comparisons);
  const buttons = (['slower', 'faster', 'undecided', 'no difference'] as const).map(
    (verdict) =>
      `<li><button type="button" class="${verdict.replace(' ', '-')}" data-verdict="${verdict}" aria-pressed="false"><strong>${counts[verdict]}</strong> ${verdict}</button></li>`,
  );
  return `<ul class="verdicts" aria-label="Verdicts; each shows its comparisons only">${buttons.join('')}</ul>`;
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
  const items = found.map(
    ({ comparison, row, size }) =>
      `<li><span class="by">${verdict === 'slower' ? '−' : '+'}${(size * 100).toFixed(1)} %</span> <button type="button" data-row="${row}">${escapeHtml(caseName(comparison))}</button></li>`,
  );
  return `<section><h2>${heading}</h2><ul class="findings">${items.join('')}</ul></section>`;
}

/** Names that are listed with a warning or a failure; the table has the others. */
const LISTED = 20;

function warningSection(list: ComparisonList): string {
  const warnings = warningGroups(list, { assumptions: true });
  if (warnings.length === 0) return '';
  const items = warnings.map(({ message, names }) => {
    const listed = names.slice(0, LISTED).map((name) => `<li>${escapeHtml(name)}</li>`);
    const rest = names.length > LISTED ? `<li>and ${names.length - LISTED} more</li>` : '';
    return `<li><details><summary>${escapeHtml(message)} (${names.length} configuration${names.length === 1 ? '' : 's'})</summary><ul>${listed.join('')}${rest}</ul></details></li>`;
  });
  return `<section aria-labelledby="doubts"><h2 id="doubts">Warnings</h2><ul class="warnings">${items.join('')}</ul></section>`;
}

function failureSection(title: string, failures: readonly Fact[]): string {
  if (failures.length === 0) return '';
  const items = failures
    .slice(0, LISTED)
    .map(({ name, value }) => `<li>${escapeHtml(name)}: ${escapeHtml(value)}</li>`);
  const rest = failures.length > LISTED ? `<li>and ${failures.length - LISTED} more</li>` : '';
  const id = title.toLowerCase().replace(' ', '-');
  return `<section aria-labelledby="${id}"><h2 id="${id}">${title}: ${failures.length}</h2><ul class="warnings">${items.join('')}${rest}</ul></section>`;
}

function tableSection(): string {
  const column = (key: string, title: string, className = '') =>
    `<th scope="col" data-sort="${key}" aria-sort="none"${className && ` class="${className}"`}><button type="button">${title}</button></th>`;
  return `<section aria-labelledby="all"><h2 id="all">Comparisons</h2>
<div class="controls" role="search">
<label>Filter <input type="search" id="search" placeholder="words, such as url.parse len=1024" autocomplete="off"></label>
<label><input type="checkbox" id="survivors"> survive the correction</label>
<label><input type="checkbox" id="warned"> with warnings</label>
</div>
<noscript><p>The table needs JavaScript, which this browser does not run.</p></noscript>
<div class="pager"><button type="button" id="previous">Previous</button><button type="button" id="next">Next</button><span id="status" role="status"></span></div>
<div class="scroll" role="region" aria-label="Table of comparisons" tabindex="0"><table id="comparisons"><caption class="skip">Comparisons; the headers sort, the names open the details</caption>
<thead><tr>${[
    column('name', 'Benchmark and configuration'),
    column('verdict', 'Verdict'),
    column('change', 'Change', 'number'),
    '<th scope="col">Interval</th>',
    column('p', 'p', 'number'),
    column('adjustedP', 'Corrected p', 'number'),
    column('runs', 'Runs', 'number'),
  ].join('')}</tr></thead><tbody></tbody></table></div></section>`;
}

function factSection(facts: readonly Fact[]): string {
  if (facts.length === 0) return '';
  const entries = facts.map(({ name, value }) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<section aria-labelledby="environment"><h2 id="environment">Environment</h2><dl class="facts">${entries.join('')}</dl></section>`;
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
    const { judgement, adjustedP } = comparison;
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
  const used = methodsOf(list).map((name) => [name, methods[name]] as const);
  return {
    rows,
    methods: Object.fromEntries(used),
    level: list.kind === 'fixed' ? 0.05 : list.errorRate,
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

/** Digits that the page shows, and a few more for sorting. */
function rounded(figure: number | null): number | null {
  return figure === null ? null : Number(figure.toPrecision(6));
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
