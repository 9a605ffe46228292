import {
  type DetailColumn,
  renderBarTable,
  renderComplexityTable,
  renderScatterTable,
} from '@bench-cli/report';
import {
  casesWhere,
  parseCondition,
  requireParameters,
  type SubjectNames,
  UsageError,
} from '@bench-cli/results';
import { type ComparisonOrder, categoryComplexities, parseGate, scatterTable } from '@bench-cli/stats';
import { judgeResults, resultsWhere } from './input/compared-results.ts';
import { readComparedResults, readSamples } from './input/result-file.ts';
import { showComparisons, sortedList } from './output/comparison-view.ts';
import type { ComparisonFormat } from './output/formats.ts';
import { checkPlotFile, writePlot } from './output/plot-file.ts';
import type { Terminal } from './terminal.ts';

/** Options of `analyze compare`, as they are written. */
export interface CompareAnalysis {
  readonly format?: ComparisonFormat;
  readonly columns?: readonly DetailColumn[];
  readonly correct?: boolean;
  readonly check?: boolean;
  readonly where?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly sort?: ComparisonOrder;
  readonly failOn?: readonly string[];
  readonly plot?: string;
}

/**
 * Compares old and new of a file, and shows it.
 * @returns the exit code: 1 when a threshold of `failOn` is crossed
 */
export async function analyzeCompare(
  file: string | undefined,
  options: CompareAnalysis,
  terminal: Terminal,
): Promise<0 | 1> {
  const { format = 'table', where = [], groupBy = [], failOn = [], sort = 'name', plot, ...view } = options;
  if (format !== 'table' && (groupBy.length > 0 || options.columns !== undefined)) {
    throw new UsageError(
      'ERR_BENCH_OPTION',
      `--columns and --group-by change the table; leave them out with --format ${format}${format === 'json' ? ', which has all figures' : ''}`,
    );
  }
  const conditions = where.map(parseCondition);
  const gates = failOn.map(parseGate);
  if (plot !== undefined) checkPlotFile(plot);
  const results = resultsWhere(await readComparedResults(file, terminal), conditions);
  const { pairs, names } = results;
  requireParameters(pairs, groupBy);
  if (gates.length > 0 && pairs.length === 0) {
    throw new UsageError('ERR_BENCH_NO_RUN', 'no comparison for --fail-on to judge: no run succeeded');
  }
  const list = sortedList(judgeResults(results), sort);
  const isCrossed = showComparisons(list, names, { format, groupBy, gates, ...view }, terminal);
  if (plot !== undefined) {
    const pairByKey = new Map(pairs.map((pair) => [pair.key, pair]));
    const inOrder = list.comparisons.flatMap(({ key }) => pairByKey.get(key) ?? []);
    await writePlot(plot, ({ boxPlot }) => boxPlot(inOrder, subjectTitles(names)));
  }
  return isCrossed ? 1 : 0;
}

/** Options of `analyze bar`, as they are written. */
export interface BarAnalysis {
  readonly where?: readonly string[];
  readonly sort?: ComparisonOrder;
  readonly plot?: string;
}

/** Shows the mean rates of a file as bars. */
export async function analyzeBar(
  file: string | undefined,
  { where = [], sort, plot }: BarAnalysis,
  terminal: Terminal,
): Promise<void> {
  const conditions = where.map(parseCondition);
  if (plot !== undefined) checkPlotFile(plot);
  const results = resultsWhere(await readComparedResults(file, terminal), conditions);
  const { comparisons } = sortedList(judgeResults(results), sort ?? 'name');
  if (plot === undefined) terminal.result(renderBarTable(comparisons));
  else await writePlot(plot, ({ barPlot }) => barPlot(comparisons, subjectTitles(results.names)));
}

/** Options of `analyze scatter`, as they are written. */
export interface ScatterAnalysis {
  readonly xaxis: string;
  readonly category: string;
  readonly where?: readonly string[];
  readonly fit?: boolean;
  readonly plot?: string;
  readonly log?: boolean;
}

/** Averages the rates of a file over all but two parameters, and shows it. */
export async function analyzeScatter(
  file: string | undefined,
  { xaxis, category, where = [], fit = false, plot, log = false }: ScatterAnalysis,
  terminal: Terminal,
): Promise<void> {
  const conditions = where.map(parseCondition);
  if (plot !== undefined) checkPlotFile(plot);
  const samples = casesWhere(await readSamples(file, terminal), conditions);
  const table = scatterTable(samples, xaxis, category);
  terminal.result(renderScatterTable(table));
  if (fit) {
    const fits = categoryComplexities(table);
    terminal.result(
      fits === null
        ? `\nno complexity: ${xaxis} is text, and only the growth with a number can be fitted\n`
        : `\n${renderComplexityTable(xaxis, category, fits)}`,
    );
  }
  if (plot !== undefined) {
    const title = samples[0]?.benchmark ?? '';
    await writePlot(plot, ({ scatterPlot }) => scatterPlot(table, { title, log }));
  }
}

/** The names of subjects that a file knows; a CSV has none but their roles. */
function subjectTitles({ oldName, newName }: SubjectNames) {
  return oldName === 'old' && newName === 'new' ? {} : { old: oldName, new: newName };
}
