import { html } from 'ghtml';
import type { Explanation } from '../explanation.ts';
import { metricText } from '../figure-text.ts';
import { figureTable } from './metric-section.ts';

export function explanationSection(explanations: readonly Explanation[]): string {
  if (explanations.length === 0) return '';
  const items = explanations.map(
    (
      each,
      at,
    ) => html`<details class="why"!${at === 0 ? ' open' : ''}><summary><strong>${each.name}</strong> <span class="muted">${each.old} → ${each.new}</span></summary>
!${partTable(each)}!${each.notes.map((note) => html`<p>${note}</p>`)}</details>`,
  );
  return html`<section aria-labelledby="why"><h2 id="why">Why</h2>
<p class="muted">From profiles of runs of their own. The tables list the functions whose own time differs for certain (Yuen's t-test of the means over the profiles without the highest and lowest fifth, corrected for the number of functions).</p>!${items}</section>`;
}

function partTable({ time }: Explanation): string {
  if (time.length === 0) return html`<p>No function differs for certain.</p>`;
  const rows = time.map(
    ({
      part,
      old,
      new: new_,
      difference,
      low,
      high,
    }) => html`<tr role="row" class="${difference > 0 ? 'slower' : 'faster'}"><th scope="row" role="rowheader">${part}</th>
<td role="cell" class="number change">${signed(difference)}</td><td role="cell" class="number old">${metricText(old, 'ns')}</td><td role="cell" class="number new">${metricText(new_, 'ns')}</td>
<td role="cell" class="number range">${signed(low)} to ${signed(high)}</td></tr>`,
  );
  return figureTable(['Function', 'Difference', 'Old', 'New', '95 % interval'], 1, rows);
}

function signed(ns: number): string {
  return `${ns > 0 ? '+' : ns < 0 ? '−' : ''}${metricText(Math.abs(ns), 'ns')}`;
}
