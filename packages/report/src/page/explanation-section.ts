import type { PartDifference } from '@bench-cli/stats/internal';
import { html } from 'ghtml';
import type { Explanation, FlameFrame } from '../explanation.ts';
import { metricText } from '../figure-text.ts';
import { figureTable } from './metric-section.ts';

/**
 * The functions that changed, and a differential flame graph for each explained case. The graphs are drawn without a script;
 * with it, frames can be visited and enlarged.
 *
 * After B. Gregg, "Differential flame graphs" (2014), with two changes: a frame is as wide as its time under both subjects
 * together, so that those that only one has are visible, and the colours are blue and orange, with words.
 */
export function explanationSection(explanations: readonly Explanation[]): string {
  if (explanations.length === 0) return '';
  const items = explanations.map(
    (
      each,
      at,
    ) => html`<details class="why"!${at === 0 ? ' open' : ''}><summary><strong>${each.name}</strong> <span class="muted">${each.old} → ${each.new}</span></summary>
!${partTable('Own time per operation', each.time, 'ns')}!${partTable('Allocated by the function itself, per operation', each.memory, 'B')}
!${each.notes.map((note) => html`<p>${note}</p>`)}
!${flameGraph(each)}</details>`,
  );
  return html`<section aria-labelledby="why"><h2 id="why">Why</h2>
<p class="muted">From profiles of runs of their own. The tables list the functions whose difference is certain (Yuen's t-test of the means over the profiles without the highest and lowest fifth, corrected for the number of functions). In a flame graph, a frame is as wide as the time of a function with all that it calls, under both subjects together; orange frames take longer, blue ones less. Choose a frame to enlarge it.</p>!${items}</section>`;
}

const LISTED = 10;

function partTable(title: string, parts: readonly PartDifference[], unit: 'ns' | 'B'): string {
  if (parts.length === 0) return html`<h3>${title}</h3><p>No function differs for certain.</p>`;
  const rows = parts.slice(0, LISTED).map(
    ({
      part,
      old,
      new: new_,
      difference,
      low,
      high,
    }) => html`<tr role="row" class="${difference > 0 ? 'slower' : 'faster'}"><th scope="row" role="rowheader">${part}</th>
<td role="cell" class="number change">${signed(difference, unit)}</td><td role="cell" class="number old">${metricText(old, unit)}</td><td role="cell" class="number new">${metricText(new_, unit)}</td>
<td role="cell" class="number range">${signed(low, unit)} to ${signed(high, unit)}</td></tr>`,
  );
  const titles = ['Function', 'Difference', 'Old', 'New', '95 % interval'];
  return html`<h3>${title}</h3>!${figureTable(titles, 1, rows)}`;
}

function signed(value: number, unit: 'ns' | 'B'): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${metricText(Math.abs(value), unit)}`;
}

const ROW = 24;

interface PlacedFrame extends FlameFrame {
  readonly depth: number;
  /** From 0 to 1, of the width of the graph. */
  readonly left: number;
  readonly width: number;
}

function flameGraph({ flame, old, new: new_ }: Explanation): string {
  const whole = flame.old + flame.new;
  if (whole === 0) return '';
  const frames = placed({ ...flame, name: 'the operation' }, 0, 0, whole);
  const depth = Math.max(...frames.map((frame) => frame.depth)) + 1;
  const drawn = frames.map((frame, at) => {
    const label = `${change(frame, flame)}${frame.name}`;
    const text = `${label}: ${metricText(frame.old, 'ns')} → ${metricText(frame.new, 'ns')} per operation`;
    return html`<svg class="frame ${toneOf(frame, flame)}" x="${percent(frame.left)}" y="${frame.depth * ROW}" width="${percent(frame.width)}" height="${ROW - 2}" data-depth="${frame.depth}" role="button" tabindex="${at === 0 ? 0 : -1}" aria-label="${text}"><title>${text}</title><rect width="100%" height="100%"/><text x="5" y="15">${label}</text></svg>`;
  });
  return html`<h3>Flame graph</h3><div class="flame" data-flame><svg width="100%" height="${depth * ROW}" role="group" aria-label="Flame graph of ${old} and ${new_}">!${drawn}</svg><p class="note" role="status">Arrow keys move between the frames, Enter enlarges one, and Escape shows all.</p></div>`;
}

function placed(frame: FlameFrame, depth: number, left: number, whole: number): PlacedFrame[] {
  let next = left;
  const calls = frame.calls.flatMap((call) => {
    const at = next;
    next += (call.old + call.new) / whole;
    return placed(call, depth + 1, at, whole);
  });
  return [{ ...frame, depth, left, width: (frame.old + frame.new) / whole }, ...calls];
}

function percent(fraction: number): string {
  return `${Number((fraction * 100).toFixed(3))}%`;
}

/** The difference of a frame as a share of the operation under the baseline. */
function shareOf(frame: FlameFrame, root: FlameFrame): number {
  return (frame.new - frame.old) / Math.max(root.old, root.new);
}

/** The class of a frame. Less than 1 % of the operation has no colour. */
function toneOf(frame: FlameFrame, root: FlameFrame): string {
  const share = shareOf(frame, root);
  if (Math.abs(share) < 0.01) return 'same';
  const strength = Math.abs(share) < 0.05 ? 1 : Math.abs(share) < 0.2 ? 2 : 3;
  return `${share > 0 ? 'slower' : 'faster'} tone-${strength}`;
}

function change(frame: FlameFrame, root: FlameFrame): string {
  return Math.abs(shareOf(frame, root)) < 0.01 ? '' : `${signed(frame.new - frame.old, 'ns')} `;
}
