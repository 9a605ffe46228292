import type { LoadLatency } from '@bench-cli/core';
import type { RateGroup } from '@bench-cli/report';
import {
  adaptiveRuns,
  alternativeOf,
  type CaseSample,
  calledCommand,
  caseKey,
  caseName,
  isEmptyOperation,
  ownValue,
  reportedMetrics,
  samplesOf,
  shortList,
  succeededRuns,
  wrapped,
} from '@bench-cli/results';
import type { Recording, RunRecord, SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import type { SessionListener } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';
import type { ResultOutput } from './session-view.ts';

/** Gets the successful runs of the rate. */
export function onRate(take: (run: SucceededRun) => unknown): NonNullable<SessionListener['run']> {
  return ({ record }) => (record.kind === 'rate' && record.status === 'ok' ? take(record) : undefined);
}

/** The latency of the answers of a run, to follow its rate; empty without a load. */
export function latencyNote({ load }: Pick<SucceededRun, 'load'>): string {
  const text = load === undefined ? '' : latencyText(load.latency);
  return text === '' ? '' : ` (${text})`;
}

/** The percentiles of a latency: `p50 0.41 ms, p90 0.73 ms`. Empty if the load tool reports none. */
export function latencyText({ p50Ms, p90Ms, p99Ms, p999Ms }: LoadLatency): string {
  const figures = { p50: p50Ms, p90: p90Ms, p99: p99Ms, 'p99.9': p999Ms };
  return Object.entries(figures)
    .flatMap(([name, ms]) => (ms === null ? [] : `${name} ${msText(ms)}`))
    .join(', ');
}

export function msText(ms: number): string {
  return `${Number(ms.toPrecision(3))} ms`;
}

export const emptyOperationText = 'the compiler removed the operation, or computes its result in advance';

/** The percentiles of several runs have no common value. */
export function sampleNote({ rates, first }: CaseSample<Pick<SucceededRun, 'load' | 'latency'>>): string {
  if (first.latency && isEmptyOperation(first.latency.p50Ns)) return emptyOperationText;
  return rates.length === 1 ? latencyNote(first).trim() : '';
}

/** The figures beside the names of groups, in words; empty without a row. */
export function ratesLegend(groups: readonly RateGroup[], request: SessionRequest | undefined): string {
  const adaptive = request && adaptiveRuns(request.runs);
  const rows = groups.flatMap((group) => group.rows);
  if (rows.length === 0) return '';
  if (rows.every(({ summary }) => summary.n === 1))
    return 'One run each, so the spread is unknown: --runs 10 shows it, and ranks the values of parameters.';
  const ofRates =
    adaptive === undefined
      ? 'ops/s: mean rate; ±: standard deviation of the runs.'
      : 'ops/s: geometric mean rate, with its 95 % interval.';
  const margin = adaptive?.margin ?? Number.POSITIVE_INFINITY;
  const vague = rows.filter(({ interval }) => interval && (interval.high / interval.low) ** 0.5 - 1 > margin);
  const ranked = adaptive === undefined ? 'mean time' : 'geometric mean of the times';
  const parts = [
    rows.some(({ times }) => times === undefined) && ofRates,
    rows.some(({ times }) => times !== undefined) &&
      `±: standard deviation of the runs; commands are ranked by the ${ranked}.`,
    rows.some(({ times }) => times?.userMs !== undefined) &&
      'user, system: CPU time, which the system counts in steps of 10 ms.',
    vague.length > 0 &&
      `Their runs vary too much to know these rates within ±${100 * margin} %: ${shortList(vague.map(({ title }) => title))} (${calledCommand(['machine'])} shows what disturbs).`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}

/** Shows tables of mean rates, one per benchmark or group of tasks, each with its ranking. */
export async function showTables(groups: readonly RateGroup[], terminal: Terminal): Promise<void> {
  const { renderRunTable } = await import('@bench-cli/report');
  for (const group of groups) terminal.result(`\n${renderRunTable(group, terminal.resultWidth)}`);
}

export function showLegend(legend: string, terminal: Terminal): void {
  if (legend !== '') terminal.result(`\n${wrapped(legend, terminal.resultWidth)}\n`);
}

/** The rates of runs of one subject, by benchmark or group of tasks. */
export async function rateGroupsOf(runs: readonly RunRecord[], { files, runs: rule }: SessionRequest) {
  const { rateGroups } = await import('@bench-cli/report');
  return rateGroups(samplesOf(succeededRuns(runs), files), {
    ...{ files, adaptive: adaptiveRuns(rule), noteOf: sampleNote },
    failed: runs.filter(({ status }) => status === 'failed'),
  });
}

/** A table per benchmark or group of tasks at its end: a line per case, and which values are faster. */
export function runTableOutput(request: SessionRequest, terminal: Terminal): ResultOutput {
  let waiting: RunRecord[] = [];
  const { files } = request;
  const groupOf = (benchmark: string) => alternativeOf(benchmark, files)?.group ?? benchmark;
  const shown: RateGroup[] = [];
  const show = async (runs: readonly RunRecord[]) => {
    const groups = await rateGroupsOf(runs, request);
    shown.push(...groups);
    await showTables(groups, terminal);
  };
  return {
    run: ({ record }) => {
      if (record.kind === 'rate') waiting.push(record);
    },
    // With --runs auto, which goes over all benchmarks in rounds, no benchmark ends before the others.
    'benchmark end': async (event) => {
      const group = groupOf(event.benchmark);
      const { ended = [], others = [] } = Object.groupBy(waiting, ({ benchmark }) =>
        groupOf(benchmark) === group ? 'ended' : 'others',
      );
      waiting = others;
      await show(ended);
    },
    showResult: async (result) => {
      await show(waiting);
      showLegend(ratesLegend(shown, request), terminal);
      await showMetrics([result], terminal);
    },
  };
}

/** Prints the metrics of one subject as tables, if its session has some. */
export async function showMetrics(recordings: readonly Recording[], terminal: Terminal): Promise<void> {
  const runs = recordings.flatMap((each) => succeededRuns(each.runs));
  const metricRuns = recordings.flatMap((each) => succeededRuns(each.metricRuns));
  const { metrics: measured = [], runs: count } = recordings[0]?.session.request.metrics ?? {};
  const tables = [
    { metrics: measured, measuredRuns: metricRuns, text: `${count} runs that do not count for the rate` },
    { metrics: reportedMetrics(runs), measuredRuns: runs, text: 'all runs' },
  ].filter(({ metrics, measuredRuns }) => metrics.length > 0 && measuredRuns.length > 0);
  if (tables.length === 0) return;
  const [{ renderMetricTable }, { summarizeSample }] = await Promise.all([
    import('@bench-cli/report'),
    import('@bench-cli/stats'),
  ]);
  for (const { metrics, measuredRuns, text } of tables) {
    const cases = Array.from(Map.groupBy(measuredRuns, caseKey).values()).flatMap((ofCase) => {
      const summaries = metrics.flatMap(({ name }) => {
        const values = ofCase.flatMap((run) => ownValue(run.values, name) ?? []);
        return values.length === 0 ? [] : [[name, summarizeSample(values)] as const];
      });
      return ofCase.slice(0, 1).map((run) => ({ name: caseName(run), summaries: new Map(summaries) }));
    });
    terminal.result(`\n${renderMetricTable(metrics, cases, text)}`);
  }
}
