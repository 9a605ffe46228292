import { shortenedApart } from '@bench-cli/results';
import { html } from 'ghtml';
import { tickTexts, verticalGrid } from '../../picture/mark.ts';
import type { Scale } from '../../picture/scale.ts';
import { countsText, type Entry, intervalText, signedChange, verdictClass } from './entry.ts';
import { changeMark } from './entry-mark.ts';
import type { EntryGroup, Shown } from './entry-view.ts';

/** Up to this number, each comparison has a line with its name. */
const MOST_NAMED = 24;
const NAMED_HEIGHT = 22;
/** Pixels for all comparisons without a name, and the limits for one of them. */
const HEIGHT = 480;
const LEAST_SLOT = 0.4;
/** Below this height, intervals overlap. */
const DENSE_SLOT = 2;
const MOST_SLOT = 8;
const LEAST_LANE = 24;
/** Letters that fit three lines of the narrowest column. */
const NAME_LETTERS = 60;

/** A lane for each group, with the interval and the verdict of each comparison. @param lanes to draw */
export function overview(groups: readonly EntryGroup[], shown: Shown, lanes: number): string {
  const entries = groups.flatMap((group) => group.entries);
  const isNamed = entries.length <= MOST_NAMED;
  const whole = groups.slice(0, lanes).map(({ heading }) => heading);
  const headings = isNamed ? whole : shortenedApart(whole, NAME_LETTERS);
  const slot = slotOf(groups);
  const drawn = headings.map((heading, at) => {
    const { entries = [] } = groups[at] ?? {};
    return isNamed ? namedLanes(heading, entries, shown) : denseLane(heading, entries, shown.scale, at, slot);
  });
  const description = `Changes with their intervals. ${countsText(entries)}. The table below has all figures.`;
  return html`<div class="lanes" role="${isNamed ? 'img' : 'group'}" aria-label="${description}"><div class="lane axis"><div class="lane-note">change of the rate, with interval</div><svg height="20">!${tickTexts(shown.scale, 13)}</svg></div>!${drawn}</div>`;
}

/** The pixels of each comparison without a line for its name. */
function slotOf(groups: readonly EntryGroup[]): number {
  const total = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  return Math.max(LEAST_SLOT, Math.min(MOST_SLOT, HEIGHT / total));
}

function namedLanes(heading: string, entries: readonly Entry[], shown: Shown): string {
  const { scale } = shown;
  const whole = entries.map((entry) => shownName(entry, shown));
  const names = shortenedApart(whole, NAME_LETTERS);
  const lines = entries.map((entry, at) => {
    return html`<div class="lane named" data-row="${entry.id}"><div class="lane-name">${names[at]}</div>
<svg height="${NAMED_HEIGHT}">!${verticalGrid(scale, NAMED_HEIGHT)}!${changeMark(scale, entry, NAMED_HEIGHT / 2, 5)}</svg>
<div class="lane-note ${verdictClass(entry.verdict)}">${entry.change === null ? entry.verdict : signedChange(entry.change)}</div></div>`;
  });
  const title = heading === '' ? '' : html`<div class="lane-title">${heading}</div>`;
  return html`<div class="named-lane">!${title}!${lines}</div>`;
}

function denseLane(
  heading: string,
  entries: readonly Entry[],
  scale: Scale,
  at: number,
  slot: number,
): string {
  const height = Math.max(LEAST_LANE, entries.length * slot + 8);
  const top = (height - entries.length * slot) / 2;
  const radius = Math.max(1.5, Math.min(3, slot * 0.4));
  const marks = entries.map((entry, place) => changeMark(scale, entry, top + (place + 0.5) * slot, radius));
  return html`<div class="lane"><div class="lane-name">${heading || 'all'}</div>
<div class="plot" data-group="${at}" tabindex="0" role="group" aria-label="${heading || 'all'}: arrow keys name a comparison, Enter opens it"><svg height="${height}" class="${slot < DENSE_SLOT ? 'dense' : ''}">!${verticalGrid(scale, height)}!${marks}</svg><div class="tip" role="status" hidden></div></div>
<div class="lane-note">${countsText(entries)}</div></div>`;
}

export function entriesIn(plot: HTMLElement, groups: readonly EntryGroup[]): readonly Entry[] {
  return groups[Number(plot.dataset['group'])]?.entries ?? [];
}

/** The plot below the pointer or with the focus; null outside of one. */
export function plotAt({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('.plot') : null;
}

/** The comparison below the pointer, if it has no line for its name. */
export function entryAt(event: MouseEvent, groups: readonly EntryGroup[]): Entry | undefined {
  const plot = plotAt(event);
  if (plot === null) return undefined;
  const entries = entriesIn(plot, groups);
  const { top, height } = plot.getBoundingClientRect();
  const slot = slotOf(groups);
  const at = Math.floor((event.clientY - top - (height - entries.length * slot) / 2) / slot);
  return entries[Math.max(0, Math.min(entries.length - 1, at))];
}

/** Shows the name of a comparison below it, or of none. */
export function showTip(entry: Entry | undefined, groups: readonly EntryGroup[], shown: Shown): void {
  const slot = slotOf(groups);
  for (const plot of document.querySelectorAll<HTMLElement>('.plot')) {
    const entries = entriesIn(plot, groups);
    const [tip, at] = [plot.querySelector<HTMLElement>('.tip'), entry ? entries.indexOf(entry) : -1];
    if (tip === null) continue;
    tip.hidden = at < 0;
    if (entry === undefined || tip.hidden) continue;
    tip.textContent = `${shownName(entry, shown)}: ${entry.verdict}, ${signedChange(entry.change)} (${intervalText(entry)})`;
    tip.style.top = `${(plot.clientHeight - entries.length * slot) / 2 + (at + 1) * slot + 6}px`;
  }
}

/** The name of an entry, with its subject if neither the name nor the heading has it. */
function shownName(entry: Entry, { grouping, hasSubjects }: Shown): string {
  const name = grouping.nameOf(entry);
  const isNamed = !hasSubjects || [name, grouping.headingOf(entry)].includes(entry.subject.name);
  return isNamed ? name : `${name}, ${entry.subject.name}`;
}
