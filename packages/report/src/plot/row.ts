import { argumentsOf, type Configuration, type NamedCase, UsageError } from '@bench-cli/results';
import type { SampleSummary } from '@bench-cli/stats';
import { rateText } from '../figure-text.ts';

/** The names of the subjects, for the subtitle; default: no subtitle. */
export interface SubjectTitles {
  readonly old?: string;
  readonly new?: string;
}

export interface ComparedSamples extends Pick<NamedCase, 'benchmark' | 'configuration' | 'text'> {
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
}

/** A configuration in a picture: a line of text and the two samples. */
export interface Row<Item> {
  /** The parameters that differ between the configurations. */
  readonly label: string;
  /** `4.72M → 4.75M ops/s, n = 12 + 12`. */
  readonly rates: string;
  readonly item: Item;
}

/** Configurations of one benchmark with a common axis. */
export interface Panel<Item> {
  readonly title: string;
  /** Parameters with the same value in all configurations of the benchmark. */
  readonly subtitle: string;
  readonly rows: readonly Row<Item>[];
}

/** Rows of a column before the next column begins. */
const COLUMN_ROWS = 50;
/** More columns would make the picture wider than a screen. */
const MOST_COLUMNS = 4;
/** Letters that fit on the left of the rates, measured with the font. */
const LABEL_LETTERS = 48;

/** Viewers do not open pictures of more configurations. */
const MOST_ROWS = 1000;

/**
 * Lays out configurations in panels, one for each benchmark, and the panels in columns of about equal height.
 *
 * @throws UsageError without configurations, and for more configurations than a picture can show
 */
export function layOut<Item extends ComparedSamples>(
  items: readonly Item[],
): readonly (readonly Panel<Item>[])[] {
  if (items.length === 0)
    throw new UsageError(
      'ERR_BENCH_PLOT',
      'nothing to plot: no run succeeded; look at the failures of the runs',
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
      });
      start += part.length;
      room -= part.length;
    }
  }
  return laidOut;
}

function rowsOf<Item extends ComparedSamples>(
  members: readonly Item[],
): { shared: string; rows: Row<Item>[] } {
  const shared = sharedParameters(members.map(({ configuration }) => configuration));
  const rows = members.map((item) => {
    const own = Object.entries(item.configuration).filter(([name]) => !Object.hasOwn(shared, name));
    const name = own.length > 0 ? argumentsOf(Object.fromEntries(own)).join(' ') : item.text;
    return { label: shortened(name), rates: ratesText(item), item };
  });
  return { shared: argumentsOf(shared).join(' '), rows };
}

/** The parameters with the same value in all configurations; empty for a single configuration. */
function sharedParameters(configurations: readonly Configuration[]): Configuration {
  const [first, ...others] = configurations;
  if (first === undefined || others.length === 0) return {};
  return Object.fromEntries(
    Object.entries(first).filter(([name, value]) => others.every((it) => it[name] === value)),
  );
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= LABEL_LETTERS ? line : `${line.slice(0, LABEL_LETTERS - 1)}…`;
}

function ratesText({ old: before, new: after }: ComparedSamples): string {
  const rate = (sample: SampleSummary | null) => (sample === null ? 'none' : rateText(sample.mean));
  return `${rate(before)} → ${rate(after)} ops/s, n = ${before?.n ?? 0} + ${after?.n ?? 0}`;
}
