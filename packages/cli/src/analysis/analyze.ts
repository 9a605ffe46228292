import {
  exportedRates,
  exportedRows,
  isRateFormat,
  rateFormats,
  rateGroups,
  ratesDocument,
  renderBarTable,
  renderRunMarkdown,
  renderScatter,
} from '@bench-cli/report';
import {
  adaptiveRuns,
  caseKey,
  casesWhere,
  compareCsvLines,
  comparisonKey,
  counted,
  parseCondition,
  RUN_CSV_HEADER,
  requireParameters,
  resultsWhere,
  runCsvRow,
  samplesOf,
  succeededRuns,
  UsageError,
} from '@bench-cli/results';
import type { CommandSettings } from '@bench-cli/results/settings';
import { type JudgedResults, judgeGates, judgeResults, scatterTable } from '@bench-cli/stats';
import { ratesLegend, sampleNote, showLegend, showMetrics, showTables } from '../session/rate-tables.ts';
import type { Terminal } from '../terminal.ts';
import { checkGrouping, showComparisons, showWarnings } from './comparison-output.ts';
import { gateOptions, gatesOf, junitXml, showGates } from './gate-output.ts';
import { inputName } from './input-file.ts';
import { checkPlotFile, writeOutput, writePlot } from './output-file.ts';
import { type ResultsSource, readComparedResults, readSamples } from './results-file.ts';

type Analysis = CommandSettings<'analyze'>;

/**
 * Compares the results of files, and shows the comparison.
 * @returns the exit code: 1 if a threshold of `failOn` is crossed, or cannot be judged for lack of results
 */
export async function analyzeCompare(
  source: ResultsSource,
  options: Analysis,
  terminal: Terminal,
): Promise<0 | 1> {
  // Only compare.R's table has groups.
  const { groupBy = [], format = groupBy.length > 0 ? 'table' : 'rates', where = [], plot, html } = options;
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
    writeReport(source.files[0], judged, html, terminal);
  }
  if (isRateFormat(format)) terminal.data(rateFormats[format](exportedRates(list)));
  else if (format === 'csv') {
    const subjects = [...names.keys()];
    const { header, row } = compareCsvLines(subjects);
    const runs = results.recordings.flatMap((recording) => succeededRuns(recording.runs));
    // The order in which the subjects ran was drawn, so that it says nothing to `head` and `diff`.
    const inOrder = [...Map.groupBy(casesWhere(runs, conditions), caseKey).values()].flatMap((ofCase) =>
      subjects.flatMap((name) => ofCase.filter(({ subject }) => subject === name)),
    );
    terminal.data(csvOf(header, inOrder.map(row), results));
  } else if (format === 'junit' && outcome !== undefined) terminal.data(junitXml(outcome, judged));
  else if (format === 'bars') {
    showWarnings(judged, terminal);
    if (plot === undefined) terminal.result(renderBarTable(list));
  } else if (format !== 'github-annotations' && format !== 'junit')
    showComparisons(judged, { format, groupBy }, terminal);
  const [recording, ...more] = results.recordings;
  if (format === 'rates' && recording !== undefined && more.length === 0 && conditions.length === 0) {
    const { sessionAdvice } = await import('../session/undecided-advice.ts');
    const advice = sessionAdvice(list, recording);
    if (advice !== undefined) terminal.notice(advice);
  }
  if (outcome !== undefined) showGates(outcome, list, gates, allowMissing, terminal);
  await writePlot(plot, ({ barPlot, boxPlot }) => {
    if (format === 'bars') return barPlot(list, names);
    const pairByKey = new Map(pairs.map((pair) => [comparisonKey(pair), pair]));
    const inOrder = list.comparisons.flatMap((comparison) => pairByKey.get(comparisonKey(comparison)) ?? []);
    return boxPlot(inOrder, names, list.kind);
  });
  return outcome?.passes === false ? 1 : 0;
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

/**
 * Shows the rates of one subject as `run` does, in the forms of a comparison: which tasks, commands and values of parameters are faster,
 * and metrics.
 */
export async function analyzeRates(
  source: ResultsSource,
  { format, where = [], plot, html }: Analysis,
  terminal: Terminal,
): Promise<0> {
  if (format === 'junit' || format === 'github-annotations') {
    throw new UsageError(
      'ERR_BENCH_COMMAND',
      `--format ${format} shows a comparison, and ${inputName(source.files[0])} has rates of run: measure two subjects with bench-cli compare, or leave --format out`,
    );
  }
  checkPlotFile(plot);
  const { samples, recordings, files } = await readSamples(source, terminal);
  const conditions = where.map(parseCondition);
  const cases = Map.groupBy(casesWhere(samples, conditions), caseKey);
  if (cases.size === 0)
    throw new UsageError('ERR_BENCH_NO_RUN', 'there is nothing to show: no run succeeded');
  const [recording] = recordings;
  const selected = (kind: 'runs' | 'metricRuns') =>
    recordings.flatMap((each) => succeededRuns(each[kind]).filter((run) => cases.has(caseKey(run))));
  const runs = selected('runs');
  const rated =
    recording === undefined
      ? Array.from(cases.values()).flatMap((ofCase) => {
          const rates = ofCase.flatMap((each) => Array.from(each.rates));
          return ofCase.slice(0, 1).map((first) => ({ ...first, rates, first }));
        })
      : samplesOf(runs, files);
  const adaptive = recording && adaptiveRuns(recording.session.request.runs);
  const groups = rateGroups(rated, { files, adaptive, noteOf: sampleNote });
  const legend = ratesLegend(groups, adaptive);
  if (html !== undefined) {
    const { renderRatesPage } = await import('@bench-cli/report/page');
    const title = groups.length === 1 ? (groups[0]?.benchmark ?? '') : counted(groups.length, 'benchmark');
    writeOutput(html, renderRatesPage({ title, groups, legend, recordings }));
    terminal.notice(`${html}: ${counted(groups.length, 'benchmark')}`);
  }
  if (format === 'json') terminal.json(ratesDocument(groups, recordings));
  else if (format === 'markdown') terminal.data(renderRunMarkdown(groups, legend));
  else if (isRateFormat(format)) terminal.data(rateFormats[format](exportedRows(groups)));
  else if (format === 'csv') terminal.data(csvOf(RUN_CSV_HEADER, runs.map(runCsvRow), { recordings }));
  else {
    // Only these are tables. Another format needs a writer above.
    format satisfies 'rates' | 'table' | 'bars' | undefined;
    await showTables(groups, terminal);
    showLegend(legend, terminal);
    if (recording !== undefined)
      await showMetrics({ session: recording.session, runs, metricRuns: selected('metricRuns') }, terminal);
  }
  await writePlot(plot, ({ groupPlot }) => groupPlot(groups));
  return 0;
}

function csvOf(
  header: string,
  rows: readonly string[],
  { recordings }: Pick<JudgedResults, 'recordings'>,
): string {
  if (rows.length > 0) return [header, ...rows, ''].join('\n');
  if (recordings.length > 0)
    throw new UsageError('ERR_BENCH_NO_RUN', 'there is nothing to show: no run succeeded');
  throw new UsageError(
    'ERR_BENCH_COMMAND',
    '--format csv shows the runs of results files, and this is a CSV: leave --format out',
  );
}
