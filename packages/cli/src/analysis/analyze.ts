import {
  bencherJson,
  githubActionBenchmarkJson,
  hdrLog,
  renderBarTable,
  renderScatter,
} from '@bench-cli/report';
import {
  adaptiveRuns,
  caseKey,
  casesWhere,
  comparisonKey,
  parseCondition,
  requireParameters,
  resultsWhere,
  UsageError,
} from '@bench-cli/results';

import type { CommandSettings } from '@bench-cli/results/settings';
import { judgeGates, judgeResults, scatterTable } from '@bench-cli/stats';
import type { AnalysisFormat } from '../options.ts';
import { rateTables, showMetrics } from '../session/rate-tables.ts';
import type { Terminal } from '../terminal.ts';
import { checkGrouping, formatFor, showComparisons, showWarnings } from './comparison-output.ts';
import { gateOptions, gatesOf, junitXml, showGates } from './gate-output.ts';
import { checkPlotFile, writePlot } from './output-file.ts';
import { type ResultsSource, readComparedResults, readLatencies, readSamples } from './results-file.ts';

type Analysis = Omit<CommandSettings<'analyze'>, 'format'>;

/**
 * Compares the results of files, and shows the comparison.
 * @returns the exit code: 1 if a threshold of `failOn` is crossed, or cannot be judged for lack of results
 */
export async function analyzeCompare(
  source: ResultsSource,
  options: Analysis & { readonly format?: AnalysisFormat | undefined },
  terminal: Terminal,
): Promise<0 | 1> {
  const { groupBy = [], format = formatFor(terminal, groupBy), where = [], plot, html } = options;
  checkGrouping(format, groupBy);
  const conditions = where.map(parseCondition);
  // An invalid threshold fails before large files are read.
  gatesOf({ failOn: options.failOn });
  checkPlotFile(plot);
  const results = resultsWhere(await readComparedResults(source, terminal), conditions);
  const requests = results.recordings.map(({ session }) => session.request);
  const { allowMissing = false, ...given } = gateOptions(options, requests);
  const gates = gatesOf({ ...given, allowMissing });
  if (format === 'junit' && gates.length === 0)
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', '--format junit requires --fail-on: add a threshold');
  const { pairs } = results;
  requireParameters(pairs, groupBy);
  const judged = judgeResults(results);
  const { list, names } = judged;
  const outcome = gates.length === 0 ? undefined : judgeGates(judged, gates, allowMissing);
  if (format === 'github-annotations') {
    const { githubAnnotations } = await import('./annotation.ts');
    const thresholds = gates.map(({ text }) => text).join(' or ');
    terminal.annotations(
      githubAnnotations(judged, { thresholds, allowMissing, ...outcome }, terminal.io.cwd),
    );
  }
  if (html !== undefined) {
    const { writeReport } = await import('./report.ts');
    writeReport(source.files[0].path, judged, html, terminal);
  }
  if (format === 'bencher') terminal.data(bencherJson(list));
  else if (format === 'github-action-benchmark') terminal.data(githubActionBenchmarkJson(list));
  else if (format === 'junit' && outcome !== undefined) terminal.data(junitXml(outcome, list));
  else if (format === 'bars') {
    showWarnings(judged, terminal);
    if (plot === undefined) terminal.result(renderBarTable(list));
  } else if (format !== 'github-annotations' && format !== 'junit')
    showComparisons(judged, { format, groupBy }, terminal);
  if (outcome !== undefined) showGates(outcome, list, gates, allowMissing, terminal);
  await writePlot(plot, ({ barPlot, boxPlot }) => {
    if (format === 'bars') return barPlot(list, names);
    const pairByKey = new Map(pairs.map((pair) => [comparisonKey(pair), pair]));
    const inOrder = list.comparisons.flatMap((comparison) => pairByKey.get(comparisonKey(comparison)) ?? []);
    return boxPlot(inOrder, names);
  });
  return outcome?.passes === false ? 1 : 0;
}

/** Prints the latencies of files as a log of HdrHistogram. */
export async function analyzeLatencies(
  source: ResultsSource,
  { where = [], plot }: Analysis,
  terminal: Terminal,
): Promise<0> {
  const conditions = where.map(parseCondition);
  checkPlotFile(plot);
  const { runs, names } = await readLatencies(source, terminal);
  const shown = casesWhere(runs, conditions);
  terminal.data(await hdrLog(shown));
  await writePlot(plot, ({ latencyPlot }) => latencyPlot(shown, names));
  return 0;
}

/** Shows the rates of files by two parameters, averaged over all others. */
export async function analyzeScatter(
  source: ResultsSource,
  { xaxis, category, where = [], plot, log = false }: Analysis & { readonly xaxis: string },
  terminal: Terminal,
): Promise<0> {
  const conditions = where.map(parseCondition);
  checkPlotFile(plot);
  const samples = casesWhere((await readSamples(source, terminal)).samples, conditions);
  const table = scatterTable(samples, xaxis, category);
  terminal.result(renderScatter(table));
  const title = samples[0]?.benchmark ?? '';
  await writePlot(plot, ({ scatterPlot }) => scatterPlot(table, title, log));
  return 0;
}

/** Shows the mean rates of one subject as `run` does: tables that rank tasks and values of parameters, and metrics. */
export async function showRates(
  source: ResultsSource,
  where: readonly string[],
  terminal: Terminal,
): Promise<0> {
  const { samples, recordings, files } = await readSamples(source, terminal);
  const conditions = where.map(parseCondition);
  const cases = Map.groupBy(casesWhere(samples, conditions), caseKey);
  if (cases.size === 0)
    throw new UsageError('ERR_BENCH_NO_RUN', 'there is nothing to show: no run succeeded');
  const [recording] = recordings;
  const rule = recording?.session.request.runs ?? 0;
  const tables = rateTables(terminal, files, adaptiveRuns(rule)?.maxRuns);
  const rated = Array.from(cases.values()).flatMap((ofCase) => {
    const rates = ofCase.flatMap((each) => Array.from(each.rates));
    return ofCase.slice(0, 1).map((first) => ({ ...first, rates, first }));
  });
  await tables.show(rated);
  await tables.end();
  if (recording !== undefined) {
    const selected = (kind: 'runs' | 'metricRuns') =>
      recordings.flatMap((each) => each[kind].filter((run) => cases.has(caseKey(run))));
    const [runs, metricRuns] = [selected('runs'), selected('metricRuns')];
    await showMetrics({ session: recording.session, runs, metricRuns }, terminal);
  }
  return 0;
}
