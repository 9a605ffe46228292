import {
  type DetailColumn,
  renderBarTable,
  renderComplexityTable,
  renderScatter,
  type ScatterColumn,
} from '@bench-cli/report';
import {
  casesWhere,
  comparisonKey,
  parseCondition,
  requireParameters,
  resultsWhere,
  UsageError,
} from '@bench-cli/results';
import {
  type Comparison,
  type ComparisonOrder,
  categoryComplexities,
  judgeGates,
  judgeResults,
  scatterTable,
} from '@bench-cli/stats';
import type { ComparisonFormat, Correction, GateOptions } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { checkView, formatFor, showComparisons } from './comparison.ts';
import { gatesOf, showGates } from './gate.ts';
import { type MachineFile, readMachine, readMachines } from './machine-files.ts';
import { checkPlotFile, writePlot } from './output-file.ts';
import { readComparedResults, readSamples } from './results-file.ts';

/** Options of `analyze compare`, as the user typed them. */
export interface CompareAnalysis extends GateOptions {
  readonly format?: ComparisonFormat;
  readonly columns?: readonly DetailColumn[];
  readonly correct?: Correction | undefined;
  readonly check?: boolean;
  readonly where?: readonly string[];
  readonly groupBy?: readonly string[];
  readonly sort?: ComparisonOrder;
  readonly plot?: string;
  /** Texts such as `linux=a.csv`. */
  readonly machine?: readonly string[];
}

/**
 * Compares the results of a file, or those of several machines, and shows the comparison.
 * @returns the exit code: 1 if a threshold of `failOn` is crossed, or cannot be judged for lack of results
 */
export async function analyzeCompare(
  files: readonly string[],
  options: CompareAnalysis,
  terminal: Terminal,
): Promise<0 | 1> {
  const {
    groupBy = [],
    format = formatFor(terminal, groupBy, options),
    where = [],
    sort = 'name',
    correct,
    plot,
    machine,
    allowMissing = false,
    ...view
  } = options;
  checkView(format, options);
  const conditions = where.map(parseCondition);
  const gates = gatesOf(options);
  if (plot !== undefined) checkPlotFile(plot);
  const machines: readonly MachineFile[] = [
    ...(machine ?? []).map(readMachine),
    ...files.map((path) => ({ name: path, path })),
  ];
  const [first, second, ...others] = machines;
  const read =
    first === undefined || second === undefined
      ? readComparedResults(first?.path, terminal)
      : readMachines([first, second, ...others], terminal);
  const results = resultsWhere(await read, conditions);
  const { pairs } = results;
  requireParameters(pairs, groupBy);
  const judged = judgeResults(results, { correction: correct, sort });
  const { list, names } = judged;
  const outcome =
    gates.length === 0 ? undefined : judgeGates(judged, gates, { allowMissing, where: conditions });
  if (outcome?.unjudged[0]?.kind === 'nothing') {
    throw new UsageError('ERR_BENCH_NO_RUN', '--fail-on has nothing to judge: no run succeeded');
  }
  showComparisons(judged, { format, groupBy, correct: correct !== undefined, ...view }, terminal);
  if (outcome !== undefined) showGates(outcome, list, gates, allowMissing, terminal);
  if (plot !== undefined) {
    const pairByKey = new Map(pairs.map((pair) => [comparisonKey(pair), pair]));
    const comparisons: readonly Comparison[] = list.comparisons;
    const inOrder = comparisons.flatMap((comparison) => pairByKey.get(comparisonKey(comparison)) ?? []);
    await writePlot(plot, ({ boxPlot }) => boxPlot(inOrder, names));
  }
  return outcome?.passes === false ? 1 : 0;
}

/** Options of `analyze bar`, as the user typed them. */
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
  const { list, names } = judgeResults(results, { sort });
  const { comparisons } = list;
  if (plot === undefined) terminal.result(renderBarTable(comparisons));
  else await writePlot(plot, ({ barPlot }) => barPlot(comparisons, names));
}

/** Options of `analyze scatter`, as the user typed them. */
export interface ScatterAnalysis {
  readonly xaxis: string;
  readonly category?: string;
  readonly columns?: readonly ScatterColumn[];
  readonly steps?: boolean;
  readonly where?: readonly string[];
  readonly fit?: boolean;
  readonly plot?: string;
  readonly log?: boolean;
}

/** Shows the rates of a file by two parameters, averaged over all others. */
export async function analyzeScatter(
  file: string | undefined,
  { xaxis, category, columns, steps, where = [], fit = false, plot, log = false }: ScatterAnalysis,
  terminal: Terminal,
): Promise<void> {
  const conditions = where.map(parseCondition);
  if (plot !== undefined) checkPlotFile(plot);
  const samples = casesWhere(await readSamples(file, terminal), conditions);
  const table = scatterTable(samples, xaxis, category);
  terminal.result(renderScatter(table, { columns, steps }));
  if (fit) {
    const fits = categoryComplexities(table);
    terminal.result(
      fits === null
        ? `\nno complexity: ${xaxis} is text, and --fit requires a number\n`
        : `\n${renderComplexityTable(xaxis, category, fits)}`,
    );
  }
  if (plot !== undefined) {
    const title = samples[0]?.benchmark ?? '';
    await writePlot(plot, ({ scatterPlot }) => scatterPlot(table, { title, log }));
  }
}
