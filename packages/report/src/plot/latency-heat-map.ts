import { JsHistogram } from 'hdr-histogram-js';
import { type LatencyRun, latenciesOf } from '../latency-histogram.ts';
import { LATENCY_AXIS } from './theme.ts';

/** Rows for each power of ten of the latency. */
const ROWS = 10;

/** A mark for each cell of `latencyCells`. */
export function latencyHeatMap(cells: readonly { readonly answers: number }[]) {
  const most = cells.reduce((max, { answers }) => Math.max(max, answers), 10);
  return {
    mark: 'rect' as const,
    encoding: {
      x: { field: 'from', type: 'quantitative' as const, title: 'seconds since the start of the load' },
      x2: { field: 'to' },
      y: { field: 'low', ...LATENCY_AXIS },
      y2: { field: 'high' },
      color: {
        ...{ field: 'answers', type: 'quantitative' as const },
        scale: { type: 'log' as const, domain: [1, most], range: ['#d5e6f3', '#00263f'] },
      },
    },
  };
}

/**
 * The answers of runs by the time at which their requests were sent and by latency: what a server did while it stalled. Tools that do
 * not report times have no cells.
 * @param runs those of one case under one subject. Longer ones have longer parts, by powers of two, which decide.
 */
export function latencyCells(runs: readonly LatencyRun[]) {
  const timed = runs.filter(({ load }) => load.histograms.parts.length > 1);
  const seconds = Math.max(...timed.map(({ load }) => load.histograms.partSeconds));
  const cells = new Map<string, { readonly column: number; readonly row: number; answers: number }>();
  for (const run of timed) {
    for (const [at, latencies] of latenciesOf(run).entries()) {
      const column = Math.floor((at * run.load.histograms.partSeconds) / seconds);
      if (!(latencies instanceof JsHistogram)) continue;
      const steps = latencies.recordedValuesIterator;
      steps.reset();
      while (steps.hasNext()) {
        const { valueIteratedTo: us, countAtValueIteratedTo } = steps.next();
        const row = Math.floor(ROWS * Math.log10(us));
        const cell = cells.get(`${column} ${row}`) ?? { column, row, answers: 0 };
        cell.answers += countAtValueIteratedTo;
        cells.set(`${column} ${row}`, cell);
      }
    }
  }
  const ms = (row: number) => 10 ** (row / ROWS) / 1000;
  return Array.from(cells.values(), ({ column, row, answers }) => ({
    ...{ from: column * seconds, to: (column + 1) * seconds },
    ...{ low: ms(row), high: ms(row + 1), answers },
  }));
}
