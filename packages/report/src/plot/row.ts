import { argumentsOf, type Configuration, type NamedCase, UsageError } from '@bench-cli/results';
import type { SampleSummary } from '@bench-cli/stats';
import { rateText } from '../figure-text.ts';

/** What the subjects are, for the subtitle; default: nothing. */
export interface SubjectTitles {
  readonly old?: string;
  readonly new?: string;
}

/** A comparison to be drawn. */
export interface ComparedSamples extends Pick<NamedCase, 'benchmark' | 'configuration' | 'text'> {
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
}

/** A configuration in a picture: a line of text with its two samples below. */
export interface Row<Item> {
  /** What tells the configuration from the others. */
  readonly label: string;
  /** `4.72M → 4.75M ops/s, n = 12 + 12`. */
  readonly rates: string;
  readonly item: Item;
}

/** Some configurations of one benchmark, drawn with one axis. */
export interface Panel<Item> {
  readonly title: string;
  /** Parameters that have one value in all configurations of the benchmark. */
  readonly subtitle: string;
  readonly rows: readonly Row<Item>[];
}

/** Rows that a column of the picture holds before another is begun. */
const COLUMN_ROWS = 50;
/** More columns make the picture too wide for a screen. */
const MOST_COLUMNS = 4;
/** Letters that fit beside the rates, by measure of the font. */
const LABEL_LETTERS = 48;

/** A picture of more configurations is larger than viewers open. */
const MOST_ROWS = 1000;

/**
 * Puts configurations into panels, one for each benchmark, and the panels into columns of about equal height.
 *
 * @throws UsageError for no configuration, and for more than a picture can show
 */
export function layOut<Item extends ComparedSamples>(
  items: readonly Item[],
): readonly (readonly Panel<Item>[])[] {
  if (items.length === 0)
    throw new UsageError('ERR_BENCH_PLOT', 'there is nothing to plot: no run succeeded');
  if (items.length > MOST_ROWS) {
    throw new UsageError(
      'ERR_BENCH_PLOT',
      `a plot of ${items.length} configurations cannot be read (up to ${MOST_ROWS} can): choose some with --where, or write a report`,
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

/** The parameters that have one value in several configurations; none of a single configuration. */
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
