import type { Field } from 'vega-lite/types_unstable/channeldef.js';
import type { LayerSpec } from 'vega-lite/types_unstable/spec/layer.js';
import type { UnitSpec } from 'vega-lite/types_unstable/spec/unit.js';
import { Picture } from './picture.ts';
import { type ComparedSamples, layOut, type Panel, type Row, type SubjectTitles } from './row.ts';
import { INK, MUTED } from './theme.ts';

/** The parts of a row: a line of text at the top, the subjects below. */
export const LANES = ['label', 'old', 'new'] as const;

export type Layer = LayerSpec<Field> | UnitSpec<Field>;

/** Width of a panel and height of its rows, in pixels. */
const WIDTH = 560;
const ROW_HEIGHT = 45;

/** A picture of comparisons with a panel for each benchmark. Each configuration has a line of text and two lanes. */
export function comparisonPage<Item extends ComparedSamples>(
  items: readonly Item[],
  { title, names }: { readonly title: string; readonly names: SubjectTitles },
  layersOf: (panel: Panel<Item>) => readonly Layer[],
): Picture {
  const subtitle = Object.entries(names).map(([role, name]) => `${role}: ${name}`);
  const resolve = { scale: { x: 'independent', y: 'independent', yOffset: 'independent' } } as const;
  return new Picture({
    title: { text: title, subtitle, offset: 14 },
    spacing: 48,
    hconcat: layOut(items).map((panels) => ({
      spacing: 24,
      vconcat: panels.map((panel) => ({
        title: { text: panel.title, subtitle: panel.subtitle, fontSize: 12, frame: 'bounds', offset: 4 },
        width: WIDTH,
        height: panel.rows.length * ROW_HEIGHT,
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
            scale: { domain: [...LANES], paddingInner: 0.15 },
          },
        },
        layer: [
          ...layersOf(panel),
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
    data: { values: panel.rows.map((item, row) => ({ row, lane: 'label', text: textOf(item) })) },
    mark: { type: 'text', fontSize: 10, baseline: 'middle', ...look },
    encoding: { text: { field: 'text' } },
  };
}
