import { originText, type RateGroup, rateGroups, renderScatter } from '@bench-cli/report';
import {
  calledCommand,
  caseKey,
  caseName,
  casesWhere,
  comparisonKey,
  counted,
  failedCases,
  nameCase,
  parseCondition,
  recordingWhere,
  requireParameters,
  resultsWhere,
  type Sample,
  shortList,
  UsageError,
} from '@bench-cli/results';
import { type CommandSettings, optionOf, settings } from '@bench-cli/results/settings';
import { judgeGates, judgeResults, scatterTable } from '@bench-cli/stats';
import type { AnalysisFormat } from '../options.ts';
import { rateGroupsOf, ratesLegend } from '../session/rate-tables.ts';
import type { Terminal } from '../terminal.ts';
import { checkGrouping } from './comparison-output.ts';
import { gateOptions, gatesOf, showGates } from './gate-output.ts';
import { inputName } from './input-file.ts';
import { checkPlotFile, writeOutput, writePlot } from './output-file.ts';
import { type ResultsSource, readComparedResults, readSamples, showFailed } from './results-file.ts';
import { nothingToShow, type Writer, writers } from './writers.ts';

type Analysis = CommandSettings<'analyze'>;

/** @returns 1 if a threshold of `failOn` is crossed, or cannot be judged for lack of results */
export async function analyzeCompare(
  source: ResultsSource,
  options: Analysis,
  terminal: Terminal,
): Promise<0 | 1> {
  // Only compare.R's table has groups.
  const { groupBy = [], format = groupBy.length > 0 ? 'table' : 'rates', where = [], plot, html } = options;
  checkGrouping(format, groupBy);
  const write = writerOf(format, 'comparison', source);
  const conditions = where.map(parseCondition);
  // An invalid threshold fails before large files are read.
  gatesOf({ failOn: options.failOn });
  checkPlotFile(plot);
  const results = resultsWhere(await readComparedResults(source, terminal), conditions);
  const { recordings, pairs } = results;
  const requests = recordings.map(({ session }) => session.request);
  const { allowMissing = false, ...given } = gateOptions(options, requests);
  const gates = gatesOf({ ...given, allowMissing });
  requireParameters(pairs, groupBy);
  const judged = judgeResults(results);
  const { list, names } = judged;
  const outcome = gates.length === 0 ? undefined : judgeGates(judged, gates, allowMissing);
  await write({ judged, groupBy, gates, allowMissing, outcome }, terminal);
  if (html !== undefined) {
    const { writeReport } = await import('./report.ts');
    writeReport(source.files[0], judged, html, terminal);
  }
  const [recording, ...more] = recordings;
  if (format === 'rates' && recording !== undefined && more.length === 0 && conditions.length === 0) {
    const { sessionAdvice } = await import('../session/undecided-advice.ts');
    const advice = sessionAdvice(list, recording);
    if (advice !== undefined) terminal.notice(advice);
  }
  if (outcome !== undefined) showGates(outcome, list, gates, allowMissing, terminal);
  await writePlot(plot, originText(recordings), ({ barPlot, boxPlot }) => {
    if (format === 'bars') return barPlot(list, names);
    const pairByKey = new Map(pairs.map((pair) => [comparisonKey(pair), pair]));
    const ordered = list.comparisons.flatMap((comparison) => pairByKey.get(comparisonKey(comparison)) ?? []);
    return boxPlot(ordered, names, list.kind);
  });
  return outcome?.passes === false ? 1 : 0;
}

/** @throws UsageError for a format that is not for such results */
function writerOf<Kind extends keyof Writer>(
  format: AnalysisFormat,
  kind: Kind,
  { files: [file] }: ResultsSource,
): NonNullable<Writer[Kind]> {
  const write = writers[format][kind];
  if (write !== undefined) return write;
  const others = Object.entries(writers).flatMap(([name, writer]) => (writer[kind] ? name : []));
  const problem = `--format ${format} shows a comparison, and ${inputName(file)} has rates of run: use ${others.join(', ')}, or measure two subjects with ${calledCommand(['compare'])}`;
  throw new UsageError('ERR_BENCH_COMMAND', problem);
}

/** Shows the rates of files by two parameters, averaged over all others. */
export async function analyzeScatter(
  source: ResultsSource,
  xaxis: string,
  { groupBy: [category, ...more] = [], where = [], plot, log = false }: Analysis,
  terminal: Terminal,
): Promise<0> {
  if (more.length > 0) {
    const problem = `${optionOf(settings.xaxis)} takes one parameter of ${optionOf(settings.groupBy)}: leave out ${more.join(', ')}`;
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem, { option: 'groupBy' });
  }
  const conditions = where.map(parseCondition);
  checkPlotFile(plot);
  const { samples: all, recordings: read } = await readSamples(source, terminal);
  const samples = casesWhere(all, conditions);
  const recordings = read.map((each) => recordingWhere(each, conditions));
  const failed = failedCases(recordings.flatMap(({ runs }) => runs)).map((each) => caseName(nameCase(each)));
  await showFailed(recordings, terminal);
  if (failed.length > 0) terminal.failure(`all runs of ${shortList(failed)}`);
  const table = scatterTable(samples, xaxis, category);
  terminal.result(renderScatter(table, terminal.resultWidth));
  const title = samples[0]?.benchmark ?? '';
  await writePlot(plot, originText(recordings), ({ scatterPlot }) => scatterPlot(table, title, log));
  return 0;
}

/** Shows the rates of one subject as `run` does. */
export async function analyzeRates(
  source: ResultsSource,
  { format = 'table', where = [], plot, html }: Analysis,
  terminal: Terminal,
): Promise<0> {
  const write = writerOf(format, 'rates', source);
  checkPlotFile(plot);
  const { samples, recordings: read } = await readSamples(source, terminal);
  const conditions = where.map(parseCondition);
  const cases = Map.groupBy(casesWhere(samples, conditions), caseKey);
  if (cases.size === 0) throw nothingToShow();
  const recordings = read.map((each) => recordingWhere(each, conditions));
  const runs = recordings.flatMap((each) => each.runs);
  const request = recordings[0]?.session.request;
  const groups = request === undefined ? csvGroups([...cases.values()]) : await rateGroupsOf(runs, request);
  const legend = ratesLegend(groups, request);
  if (html !== undefined) {
    const { renderRatesPage } = await import('@bench-cli/report/page');
    const title = groups.length === 1 ? (groups[0]?.benchmark ?? '') : counted(groups.length, 'benchmark');
    writeOutput(html, renderRatesPage({ title, groups, legend, recordings }));
    terminal.notice(`${html}: ${counted(groups.length, 'benchmark')}`);
  }
  await write({ groups, legend, recordings }, terminal);
  await showFailed(recordings, terminal);
  await writePlot(plot, originText(recordings), ({ groupPlot }) => groupPlot(groups));
  return 0;
}

function csvGroups(cases: readonly (readonly Sample[])[]): readonly RateGroup[] {
  const samples = cases.flatMap((ofCase) => {
    const rates = ofCase.flatMap((each) => Array.from(each.rates));
    return ofCase.slice(0, 1).map((first) => ({ ...first, rates, first }));
  });
  return rateGroups(samples, { files: [] });
}
