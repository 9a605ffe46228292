import { counted, shortName } from '@bench-cli/results';
import { type ComparisonList, rateWords } from '@bench-cli/stats';
import { type RateWord, sumOf } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import { type CaseList, caseLists } from '../case-lists.ts';
import { hasSeveral } from '../comparison-name.ts';
import { failedLines, sentence } from '../completeness.ts';
import type { Explanation } from '../explanation.ts';
import { metricText } from '../figure-text.ts';
import { methodNames, noiseLines } from '../method-text.ts';
import { NOT_RUN } from '../reason-text.ts';
import {
  type Fact,
  type FailureFact,
  failedBenchmarks,
  failureFacts,
  originText,
  sessionFacts,
} from '../session-facts.ts';
import { summaryLines } from '../summary.ts';
import { warningGroups } from '../warning-groups.ts';
import { signedChange, VERDICTS, verdictClass } from './browser/entry.ts';
import { subjectMark, verdictMark } from './browser/entry-mark.ts';
import type { Payload } from './browser/payload-format.ts';
import { commandText, unbroken } from './browser/unbroken.ts';
import { factSection, footer, renderDocument } from './document.ts';
import { figureTable, metricSection, metricTiles } from './metric-section.ts';
import { type PayloadSource, payloadOf } from './payload.ts';
import { STYLE } from './style.ts';

export interface ReportContent extends PayloadSource {
  readonly title: string;
  /** Facts about the machine and the session beyond the recordings. Default: none. */
  readonly facts?: readonly Fact[];
  /** The command that measures all again. Default: the page has none. */
  readonly command?: string | undefined;
  readonly explanations?: readonly Explanation[];
}

/** Fewer comparisons need no counts, and one picture shows them. */
const LEAST_TILES = 5;
/** The number of largest losses and gains above the table. */
const TOP = 5;

/** Renders one HTML page that needs no network and no other file. */
export function renderReport(content: ReportContent): string {
  const { list, title, recordings } = content;
  const payload = payloadOf(content);
  const failures = new Set(failedLines(content.missing, content.names));
  const body = html`<a class="skip" href="#comparisons">Skip to the table</a>
<main>
<header>
<h1>!${unbroken(title)}</h1>
!${subjectSection(payload.subjects)}
!${[...summaryLines(content), ...noiseLines(list)].map((line) => html`<p class="lead!${failures.has(line) ? ' failed' : ''}">!${unbroken(line)}</p>`)}
</header>
!${payload.rows.length < LEAST_TILES ? '' : verdictTiles(payload, content)}
!${failureSection('Failed runs', failureFacts(recordings))}
!${failureSection('Failed benchmarks', failedBenchmarks(recordings))}
!${findingsSection(payload)}
!${comparisonSection(payload)}
!${caseLists(content).map(listSection)}
!${warningSection(content)}
!${metricSection(content.metrics)}
!${explanationSection(content.explanations ?? [])}
!${factSection([...(content.facts ?? []), ...sessionFacts(recordings)])}
!${content.command === undefined ? '' : html`<section aria-labelledby="again"><h2 id="again">Measure again</h2>!${commandText(content.command)}</section>`}
<section aria-labelledby="method"><h2 id="method">How to read this</h2>!${methodSection(list)}</section>
!${footer(originText(recordings))}
</main>`;
  return renderDocument({ title, style: STYLE, script: '#page-script', data: payload, body });
}

function methodSection(list: ComparisonList): string {
  const { name, test, interval, source } = methodNames(list);
  const method = html`<p><strong>${sentence(name)}.</strong> Test: ${test}. Interval: ${interval}. Source: ${source}.</p>`;
  return `${readings[list.kind]}${hasSeveral(list) ? TIE_READING : ''}${list.comparisons.length > 0 ? method : ''}`;
}

const readings: Readonly<Record<ComparisonList['kind'], string>> = {
  fixed: `
<p><strong>Faster and slower</strong>: the test finds a difference at the 5&nbsp;% level, also after the correction for the
number of comparisons. <strong>No difference</strong>: the 95&nbsp;% interval of the change lies within the margin (default:
±2&nbsp;%). <strong>Undecided</strong>: otherwise; more runs would decide. A change is that of the mean rate, in per cent of the
mean of the baseline; those of differences are too large on average. The interval of a difference is widened for the number of
comparisons: of all of these, at most 5&nbsp;% are expected to miss the truth. Sorted by change, its end next to 0 counts, and rows
without a difference count as 0. The p of a row's details is corrected by Benjamini and Hochberg's
method: of the comparisons below 0.05, at most 5&nbsp;% are expected to be false alarms.</p>`,
  sequential: `
<p>Each case ran until its verdict was clear, unless the time or the runs were used up before. <strong>Faster and slower</strong>: of these cases, at most
5\u00a0% are expected to be neither. <strong>No difference</strong>: the interval of the change lies within the margin. A
case that differs by the margin or more is called so with a probability of at most 5\u00a0%.
<strong>Undecided</strong>: the time or the runs were used up, or more runs would hardly have told. Rates are geometric means of all
runs, and a change is that of the pairs of runs. Intervals are valid at whichever run a case stopped. The interval of a difference is widened for
the number of comparisons: of all of these, at most 5\u00a0% are expected to miss the truth. The p of a row's details is valid there, too, and
corrected by Benjamini and Hochberg's method.</p>`,
};

const TIE_READING = `
<p><strong>Letters</strong> behind subjects: subjects of a case with the same letter cannot be told apart after the
correction. The details of a case also have those of the baseline.</p>`;

/** Empty if only the roles of the subjects are known. */
function subjectSection(subjects: readonly string[]): string {
  if (subjects.join() === 'old,new') return '';
  const items = subjects.map(
    (name, index) =>
      html`<li>!${subjectMark({ index, name })} !${unbroken(name)}!${index === 0 ? ' <span class="muted">baseline</span>' : ''}</li>`,
  );
  return html`<ul class="subjects" aria-label="Subjects">!${items}</ul>`;
}

const { failed, lower, higher } = rateWords;

function verdictTiles({ rows }: Payload, { metrics }: ReportContent): string {
  const buttons = VERDICTS.flatMap((verdict) => {
    const name = verdictClass(verdict);
    const count = rows.filter((row) => row.verdict === verdict).length;
    if (count === 0 && (verdict === failed || verdict === NOT_RUN)) return [];
    return html`<li><button type="button" class="${name}${count === 0 ? ' none' : ''}" data-verdict="${verdict}" aria-pressed="false"><strong>${count}</strong> <span>!${verdictMark(verdict)} ${verdict}</span></button></li>`;
  });
  return html`<ul class="verdicts" aria-label="Verdicts; each shows only its comparisons">!${[...buttons, ...metricTiles(metrics)]}</ul>`;
}

function findingsSection(payload: Payload): string {
  if (payload.rows.length <= LISTED) return '';
  return html`<div class="extremes">!${findings('Largest losses', payload, lower)}!${findings('Largest gains', payload, higher)}</div>`;
}

function findings(heading: string, { rows, benchmarks, subjects }: Payload, verdict: RateWord): string {
  const found = rows
    .map((row, id) => ({ ...row, id, size: Math.abs(row.change ?? 0) }))
    .filter((row) => row.verdict === verdict)
    .sort((a, b) => b.size - a.size)
    .slice(0, TOP);
  if (found.length === 0) return '';
  const items = found.map(({ id, change, benchmark, label, subject }) => {
    const ofSubject = subjects.length > 2 ? ` (${subjects[subject]})` : '';
    const name = `${benchmarks[benchmark]?.name} ${label}${ofSubject}`;
    return html`<li><span class="by">${signedChange(change)}</span> <button type="button" data-row="${id}" title="${name}">${shortName(name)}</button></li>`;
  });
  return html`<section><h2>${heading}</h2><ul class="findings">!${items}</ul></section>`;
}

/** The number of listed names; the table has the others. */
const LISTED = 20;

/** A summary (HTML) with the first texts and the number of further texts; empty without a text. */
function notice(summary: string, texts: readonly string[], kind = 'class="notice"'): string {
  if (texts.length === 0) return '';
  const rest = texts.length > LISTED ? [`and ${texts.length - LISTED} more`] : [];
  const items = [...texts.slice(0, LISTED), ...rest].map((text) => html`<li>!${unbroken(text)}</li>`);
  return html`<details !${kind}><summary>!${summary}</summary><ul>!${items}</ul></details>`;
}

function warningSection(content: ReportContent): string {
  const notices = warningGroups(content).map(({ message, names }) => {
    const count = counted(names.length, 'case');
    return notice(html`<strong>Warning</strong> about ${count}: !${unbroken(message)}`, names);
  });
  return notices.join('');
}

function failureSection(title: string, failures: readonly FailureFact[]): string {
  const texts = failures.map(({ name, value }) => `${name}: ${value}`);
  const count = sumOf(failures, (each) => each.count);
  return notice(html`<strong>${title}: ${count}</strong>`, texts, 'class="notice failed" open');
}

function listSection({ heading, rows }: CaseList): string {
  const texts = rows.map(({ name, value }) => (value === '' ? name : `${name}: ${value}`));
  return notice(html`${heading}`, texts);
}

function explanationSection(explanations: readonly Explanation[]): string {
  if (explanations.length === 0) return '';
  const items = explanations.map((each, at) => {
    return html`<details class="why"!${at === 0 ? ' open' : ''}><summary><strong>${each.name}</strong> <span class="muted">${each.old} → ${each.new}</span></summary>
!${partTable(each)}!${each.notes.map((note) => html`<p>${note}</p>`)}</details>`;
  });
  return html`<section aria-labelledby="why"><h2 id="why">Why</h2>
<p class="muted">From profiles of runs of their own. The tables list the functions whose own time differs for certain (Yuen's t-test of the means over the profiles without the highest and lowest fifth, corrected for the number of functions).</p>!${items}</section>`;
}

function partTable({ time, old, new: new_ }: Explanation): string {
  if (time.length === 0) return html`<p>No function differs for certain.</p>`;
  const rows = time.map(({ part, difference, low, high, ...ns }) => {
    return html`<tr role="row" class="${difference > 0 ? 'slower' : 'faster'}"><th scope="row" role="rowheader">${part}</th>
<td role="cell" class="number change">${signed(difference)}</td><td role="cell" class="number old">${metricText(ns.old, 'ns')}</td><td role="cell" class="number new">${metricText(ns.new, 'ns')}</td>
<td role="cell" class="number range">${signed(low)} to ${signed(high)}</td></tr>`;
  });
  return figureTable(['Function', 'Difference', old, new_, '95 % interval'], 1, rows);
}

function signed(ns: number): string {
  return `${ns > 0 ? '+' : ns < 0 ? '−' : ''}${metricText(Math.abs(ns), 'ns')}`;
}

/** Up to this number, comparisons have no search. */
const MOST_PLAIN = 3;

function comparisonSection({ subjects: [baseline = '', ...others], rows }: Payload): string {
  const column = (key: string, title: string, className: string, hint = title) =>
    html`<th scope="col" role="columnheader" data-sort="${key}" aria-sort="none" class="${className}"><button type="button" title="${hint}">${title}</button></th>`;
  const [compared = '', ...further] = others;
  const columns = [
    column('name', 'Case', 'name'),
    ...(further.length > 0 ? [column('subject', 'Subject', 'subject')] : []),
    column('verdict', 'Verdict', 'verdict'),
    column('oldMean', baseline, 'number old', `Mean rate of ${baseline}, operations per second`),
    further.length > 0
      ? column('newMean', 'Rate', 'number new', 'Mean rate of the subject, operations per second')
      : column('newMean', compared, 'number new', `Mean rate of ${compared}, operations per second`),
    column('change', 'Change', 'number change'),
    '<th scope="col" role="columnheader" class="bar">Interval</th>',
    column('runs', 'Runs', 'number runs'),
  ];
  return html`<section aria-labelledby="all"><h2 id="all">Comparisons</h2>
<noscript><p>The picture and the table need JavaScript, which this browser does not run.</p></noscript>
<div class="controls" role="search"!${rows.length <= MOST_PLAIN ? ' hidden' : ''}>
<label class="search">Search <input type="search" id="search" placeholder="words, such as url.parse len=1024" autocomplete="off"></label>
<label>Group by <select id="group"></select></label>
<label><input type="checkbox" id="warned"> with warnings</label>
</div>
<figure id="overview"></figure>
<button type="button" id="all-lanes" aria-expanded="false" hidden></button>
<p id="status" role="status"></p>
<table id="comparisons" role="table" class="!${[further.length > 0 && 'several', rows.length < LEAST_TILES && 'few'].filter(Boolean).join(' ')}"><caption class="skip">Comparisons; the headers sort, the names open the details</caption>
<thead role="rowgroup"><tr role="row">!${columns}</tr></thead></table>
<div class="pager" id="pager" hidden><button type="button" id="previous">Previous</button><button type="button" id="next">Next</button></div></section>`;
}
