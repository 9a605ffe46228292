import type { SubjectNames } from '@bench-cli/results';
import type { Field } from 'vega-lite/types_unstable/channeldef.js';
import type { LayerSpec } from 'vega-lite/types_unstable/spec/layer.js';
import type { UnitSpec } from 'vega-lite/types_unstable/spec/unit.js';
import { Picture } from './picture.ts';
import { type ComparedSamples, layOut, type Panel, type Row } from './row.ts';
import { INK, MUTED } from './theme.ts';

/** The part of a row with its text. No subject has an empty name. */
const LABEL = '';

export type Layer = LayerSpec<Field> | UnitSpec<Field>;

/** Width of a panel and height of the lanes of its rows, in pixels. */
const WIDTH = 560;
const LANE_HEIGHT = 15;

/**
 * A picture of comparisons with a panel for each benchmark. Each configuration has a line of text and a lane for each subject.
 *
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
