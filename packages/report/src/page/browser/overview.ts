import { shortened } from '../../figure-text.ts';
import { effectGrid, effectMark, effectPlace } from './effect-scale.ts';
import { make, makeSvg } from './element.ts';
import { changeText, countsText, type Entry, intervalText, verdictClass } from './entry.ts';
import type { Group, Shown } from './view.ts';

interface OverviewOptions extends Shown {
  /** The number of groups. */
  readonly lanes: number;
  readonly onSelect: (entry: Entry) => void;
}

/** Up to this number, each comparison has a line with its name. */
const MOST_NAMED = 24;
const NAMED_HEIGHT = 22;
/** Pixels for all other comparisons together, and the limits for one of them. */
const HEIGHT = 480;
const LEAST_SLOT = 0.4;
/** Below this height, intervals overlap. */
const DENSE_SLOT = 2;
const MOST_SLOT = 8;
const LEAST_LANE = 24;
/** Letters that fit three lines of the narrowest column. */
const NAME_LETTERS = 60;

/** The picture of comparisons: for each group a lane, for each comparison its interval and its verdict. */
export function overview(groups: readonly Group[], options: OverviewOptions): HTMLElement {
  const entries = groups.flatMap((group) => group.entries);
  const slot = Math.max(LEAST_SLOT, Math.min(MOST_SLOT, HEIGHT / entries.length));
  const lanes = groups
    .slice(0, options.lanes)
    .map((group) => (entries.length <= MOST_NAMED ? namedLane(group, options) : lane(group, slot, options)));
  const description = `Changes with their intervals. ${countsText(entries)}. The table below has all figures.`;
  return make('div', { class: 'lanes', role: 'img', 'aria-label': description }, axis(options), ...lanes);
}

function axis({ scale }: OverviewOptions): HTMLElement {
  const texts = scale.ticks.map((tick) =>
    makeSvg(
      'text',
      { x: `${effectPlace(scale, tick)}%`, y: 13, 'text-anchor': 'middle' },
      tick === 0 ? '0' : changeText(tick, scale.reach < 0.1 ? 1 : 0),
    ),
  );
  const title = make('div', { class: 'lane-note' }, 'change of the rate, with interval');
  return make('div', { class: 'lane axis' }, title, makeSvg('svg', { height: 20 }, ...texts));
}

function namedLane({ heading, entries }: Group, options: OverviewOptions): HTMLElement {
  const { scale, onSelect } = options;
  const lines = entries.map((entry) => {
    const line = make(
      'div',
      { class: 'lane named' },
      make('div', { class: 'lane-name' }, shortened(nameOf(entry, options), NAME_LETTERS)),
      makeSvg(
        'svg',
        { height: NAMED_HEIGHT },
        ...effectGrid(scale, NAMED_HEIGHT),
        ...effectMark(scale, entry, NAMED_HEIGHT / 2, 5),
      ),
      make('div', { class: `lane-note ${verdictClass(entry.verdict)}` }, changeText(entry.change)),
    );
    line.addEventListener('click', () => onSelect(entry));
    return line;
  });
  const title = heading === '' ? [] : [make('div', { class: 'lane-title' }, heading)];
  return make('div', { class: 'named-lane' }, ...title, ...lines);
}

function lane({ heading, entries }: Group, slot: number, options: OverviewOptions): HTMLElement {
  const { scale } = options;
  const height = Math.max(LEAST_LANE, entries.length * slot + 8);
  const top = (height - entries.length * slot) / 2;
  const radius = Math.max(1.5, Math.min(3, slot * 0.4));
  const svg = makeSvg(
    'svg',
    { height, class: slot < DENSE_SLOT ? 'dense' : '' },
    ...effectGrid(scale, height),
    ...entries.flatMap((entry, at) => effectMark(scale, entry, top + (at + 0.5) * slot, radius)),
  );
  const entryAt = (y: number) =>
    entries[Math.max(0, Math.min(entries.length - 1, Math.floor((y - top) / slot)))];
  const name = make('div', { class: 'lane-name' }, heading === '' ? 'all' : shortened(heading, NAME_LETTERS));
  const note = make('div', { class: 'lane-note' }, countsText(entries));
  return make('div', { class: 'lane' }, name, pointable(svg, entryAt, options), note);
}

/** Lets the pointer name and select an entry. @param entryAt the entry at a height, in pixels */
function pointable(
  svg: SVGElement,
  entryAt: (y: number) => Entry | undefined,
  options: OverviewOptions,
): HTMLElement {
  const tip = make('div', { class: 'tip', hidden: '' });
  const plot = make('div', { class: 'plot' }, svg, tip);
  const height = ({ clientY }: MouseEvent) => clientY - svg.getBoundingClientRect().top;
  plot.addEventListener('pointermove', (event) => {
    const entry = entryAt(height(event));
    if (entry === undefined) return;
    tip.textContent = `${nameOf(entry, options)}: ${entry.verdict}, ${changeText(entry.change)} (${intervalText(entry)})`;
    tip.style.top = `${height(event) + 14}px`;
    tip.hidden = false;
  });
  plot.addEventListener('pointerleave', () => {
    tip.hidden = true;
  });
  plot.addEventListener('click', (event) => {
    const entry = entryAt(height(event));
    if (entry) options.onSelect(entry);
  });
  return plot;
}

/** The name of an entry, with its subject where that is neither in the name nor in the heading. */
function nameOf(entry: Entry, { grouping, hasSubjects }: OverviewOptions): string {
  const name = grouping.nameOf(entry);
  const isNamed = !hasSubjects || [name, grouping.headingOf(entry)].includes(entry.subject.name);
  return isNamed ? name : `${name}, ${entry.subject.name}`;
}
