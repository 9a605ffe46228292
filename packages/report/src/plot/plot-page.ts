import {
  argumentsOf,
  type NamedCase,
  type OfCommand,
  type SubjectNames,
  UsageError,
} from '@bench-cli/results';
import type { SampleSummary } from '@bench-cli/stats';
import type { Field } from 'vega-lite/types_unstable/channeldef.js';
import type { LayerSpec } from 'vega-lite/types_unstable/spec/layer.js';
import type { UnitSpec } from 'vega-lite/types_unstable/spec/unit.js';
import { caseLabels } from '../comparison-name.ts';
import { millisecondsText, rateText, shortened } from '../figure-text.ts';
import { Picture } from './picture.ts';
import { INK, MUTED } from './theme.ts';

interface ComparedSamples extends NamedCase, OfCommand {
  /** By subject, the baseline first; null if the subject has no run. */
  readonly samples: ReadonlyMap<string, SampleSummary | null>;
}

/** A configuration in a picture: a line of text and the samples. */
export interface Row<Item> {
  /** The parameters that differ between the configurations. */
  readonly label: string;
  /** `4.72M → 4.75M ops/s, n = 12 + 12`, and for more subjects `4.72M, 4.75M, 4.70M ops/s, n = 12 each`. */
  readonly rates: string;
  readonly item: Item;
}

interface Panel<Item> {
  readonly title: string;
  /** Parameters with the same value in all configurations of the benchmark. */
  readonly subtitle: string;
  readonly rows: readonly Row<Item>[];
  /** The rows of all panels of the benchmark, which have a common axis. */
  readonly ofBenchmark: readonly Row<Item>[];
}

/** The part of a row with its text. No subject has an empty name. */
const LABEL = '';

type Layer = LayerSpec<Field> | UnitSpec<Field>;

const WIDTH = 560;
const LANE_HEIGHT = 15;

/**
 * A picture of comparisons with a panel for each benchmark. Each configuration has a line of text and a lane for each subject.
 * @param title what is shown of the subjects, such as `Rates`
 * @param names display names of the subjects, for the subtitle
 */
export function comparisonPage<Item extends ComparedSamples>(
  items: readonly Item[],
  { title, names }: { readonly title: string; readonly names: SubjectNames },
  layersOf: (panel: Panel<Item>, subjects: readonly string[]) => readonly Layer[],
): Picture {
  const subjects = [...(items[0]?.samples.keys() ?? [])];
  const lanes = [LABEL, ...subjects];
  const subtitle = [...names].flatMap(([name, title]) => (name === title ? [] : [`${name}: ${title}`]));
  const resolve = { scale: { x: 'independent', y: 'independent', yOffset: 'independent' } } as const;
  return new Picture({
    title: { text: `${title} under ${subjects.length > 2 ? 'all' : 'both'} subjects`, subtitle, offset: 14 },
    spacing: 48,
    hconcat: layOut(items).map((panels) => ({
      spacing: 24,
      vconcat: panels.map((panel) => ({
        title: { text: panel.title, subtitle: panel.subtitle, fontSize: 12, frame: 'group', offset: 4 },
        width: WIDTH,
        height: panel.rows.length * lanes.length * LANE_HEIGHT,
        encoding: {
          y: {
            field: 'row',
            type: 'ordinal' as const,
            axis: null,
            scale: { domain: panel.rows.map((_, row) => row), paddingInner: 0.12, paddingOuter: 0.06 },
          },
          yOffset: {
            field: 'lane',
            type: 'nominal' as const,
            scale: { domain: lanes, paddingInner: 0.25 },
          },
        },
        layer: [
          ...layersOf(panel, subjects),
          lineOfText(panel, ({ label }) => label, { align: 'left', x: 0, color: INK }),
          lineOfText(panel, ({ rates }) => rates, { align: 'right', x: WIDTH, color: MUTED }),
        ],
      })),
      resolve,
    })),
    resolve,
  });
}

function lineOfText<Item>(
  panel: Panel<Item>,
  textOf: (row: Row<Item>) => string,
  look: { readonly align: 'left' | 'right'; readonly x: number; readonly color: string },
): Layer {
  return {
    data: { values: panel.rows.map((item, row) => ({ row, lane: LABEL, text: textOf(item) })) },
    mark: { type: 'text', fontSize: 10, baseline: 'middle', ...look },
    encoding: { text: { field: 'text' } },
  };
}

/** Rows of a column before the next column begins. */
const COLUMN_ROWS = 50;
/** More columns would make the picture wider than a screen. */
const MOST_COLUMNS = 4;
/** Letters that fit a line, measured with the font. */
const LINE_LETTERS = 80;

/** Viewers do not open pictures of more configurations. */
const MOST_ROWS = 1000;

/**
 * Lays out configurations in panels, one for each benchmark, and the panels in columns of about equal height.
 * @throws UsageError without rates above 0, and for more configurations than a picture can show
 */
function layOut<Item extends ComparedSamples>(items: readonly Item[]): readonly (readonly Panel<Item>[])[] {
  if (!items.some(({ samples }) => [...samples.values()].some((sample) => sample?.mean)))
    throw new UsageError(
      'ERR_BENCH_PLOT',
      `nothing to plot: ${items.length === 0 ? 'no run succeeded; look at the failures of the runs' : 'no rate is above 0; look at what the benchmarks report'}`,
    );
  if (items.length > MOST_ROWS) {
    throw new UsageError(
      'ERR_BENCH_PLOT',
      `too many configurations for a plot: ${items.length}, at most ${MOST_ROWS}; select some with --where, or write a report`,
    );
  }
  const columns = Math.min(MOST_COLUMNS, Math.ceil(items.length / COLUMN_ROWS));
  const height = Math.ceil(items.length / columns);
  const laidOut: Panel<Item>[][] = [[]];
  let room = height;
  for (const [benchmark, members] of Map.groupBy(items, (item) => item.benchmark)) {
    const { shared, rows } = rowsOf(members);
    for (let start = 0; start < rows.length; ) {
      if (room === 0) {
        laidOut.push([]);
        room = height;
      }
      const part = rows.slice(start, start + room);
      laidOut.at(-1)?.push({
        title: `${benchmark}${start > 0 ? ' (continued)' : ''}`,
        subtitle: shared,
        rows: part,
        ofBenchmark: rows,
      });
      start += part.length;
      room -= part.length;
    }
  }
  return laidOut;
}

function rowsOf<Item extends ComparedSamples>(members: readonly Item[]) {
  const { shared, labelOf } = caseLabels(members);
  const rows = members.map((item) => {
    const rates = ratesText(item);
    return { label: shortened(labelOf(item), LINE_LETTERS - rates.length), rates, item };
  });
  return { shared: argumentsOf(shared).join(' '), rows };
}

function ratesText({ samples, isCommand }: ComparedSamples): string {
  const all = [...samples.values()];
  const textOf = isCommand ? millisecondsText : (rate: number) => rateText(rate);
  const rates = all.map((sample) => (sample === null ? 'none' : textOf(sample.mean)));
  const runs = all.map((sample) => sample?.n ?? 0);
  const isEqual = runs.length > 2 && new Set(runs).size === 1;
  // More than two subjects have no order.
  return `${rates.join(all.length > 2 ? ', ' : ' → ')} ${isCommand ? 'ms' : 'ops/s'}, n = ${isEqual ? `${runs[0]} each` : runs.join(' + ')}`;
}
