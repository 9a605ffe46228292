import { UsageError } from '@bench-cli/results';
import { type LaneFigures, laneMark, tickTexts, verticalGrid } from '../picture/mark.ts';
import type { Scale } from '../picture/scale.ts';
import {
  area,
  type Caption,
  fittedNames,
  LINE_HEIGHT,
  pictureFile,
  textMark,
  widthOfText,
} from './picture.ts';

/** Rows with a common axis. Each has a line of text and a lane for each subject. */
export interface LanePanel {
  readonly title: string;
  readonly subtitle: string;
  readonly axisTitle: string;
  readonly scale: Scale;
  readonly rows: readonly {
    readonly label: string;
    readonly note: string;
    /** Null for a subject without runs. */
    readonly lanes: readonly (LaneFigures | null)[];
  }[];
}

const WIDTH = 720;
const LANE_HEIGHT = 14;
const COLUMN_GAP = 48;
const PANEL_GAP = 20;

/** Rows of a column before the next column begins. */
const COLUMN_ROWS = 50;
/** More columns would make the picture wider than a screen. */
const MOST_COLUMNS = 4;
/** Viewers do not open pictures of more rows. */
const MOST_ROWS = 1000;

/** Panels in columns of about equal length. @throws UsageError for more rows than a picture can show */
export function lanePlot(panels: readonly LanePanel[], caption: Caption = { lines: [], legend: [] }): string {
  const count = panels.reduce((sum, { rows }) => sum + rows.length, 0);
  if (count > MOST_ROWS) {
    const problem = `too many cases for a plot: ${count}, at most ${MOST_ROWS}; select some with --where, or write a report`;
    throw new UsageError('ERR_BENCH_PLOT', problem);
  }
  const most = Math.ceil(count / Math.min(MOST_COLUMNS, Math.ceil(count / COLUMN_ROWS)));
  let row = 0;
  const parts = panels.flatMap((panel) => {
    const noteWidth = Math.max(...panel.rows.map(({ note }) => widthOfText(note)));
    const whole = panel.rows.map(({ label }) => label);
    const labels = fittedNames(whole, WIDTH - noteWidth - LINE_HEIGHT);
    const named = panel.rows.map((each, at) => ({ ...each, label: labels[at] ?? '' }));
    const rowsByColumn = Map.groupBy(named, () => Math.floor(row++ / most));
    return Array.from(rowsByColumn, ([column, rows], at) => {
      return { ...panel, column, rows, title: at > 0 ? `${panel.title} (continued)` : panel.title };
    });
  });
  const ends: number[] = [];
  const drawn = parts.map((part) => {
    const { marks, height } = panelMarks(part);
    const [left, top] = [part.column * (WIDTH + COLUMN_GAP), ends[part.column] ?? 0];
    ends[part.column] = top + height + PANEL_GAP;
    return area([left, top], [WIDTH, height], marks);
  });
  const size = [ends.length * (WIDTH + COLUMN_GAP) - COLUMN_GAP, Math.max(...ends) - PANEL_GAP] as const;
  return pictureFile(caption, size, drawn.join(''));
}

function panelMarks({ title, subtitle, axisTitle, scale, rows }: LanePanel) {
  const headings = [title, subtitle].filter((heading) => heading !== '');
  const marks = headings.map((heading, at) =>
    textMark(heading, [0, at * LINE_HEIGHT + 12], WIDTH, heading === title ? 'title' : 'muted'),
  );
  let y = headings.length * LINE_HEIGHT;
  for (const { label, note, lanes } of rows) {
    const height = lanes.length * LANE_HEIGHT;
    const drawn = lanes.map((lane, index) => lane && laneMark(scale, lane, (index + 0.5) * LANE_HEIGHT));
    marks.push(
      textMark(label, [0, y + 14], WIDTH),
      textMark(note, [WIDTH, y + 14], WIDTH, 'muted end'),
      area([0, y + LINE_HEIGHT], [WIDTH, height], verticalGrid(scale, height) + drawn.join('')),
    );
    y += LINE_HEIGHT + height + 4;
  }
  marks.push(area([0, y], [WIDTH, 0], tickTexts(scale, 12, WIDTH)), textMark(axisTitle, [0, y + 30], WIDTH));
  return { marks: marks.join(''), height: y + 36 };
}
