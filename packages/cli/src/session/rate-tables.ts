import type { LoadLatency } from '@bench-cli/core';
import {
  adaptiveRuns,
  alternativeOf,
  type Case,
  type CaseSample,
  caseKey,
  caseName,
  nameCase,
  reportedMetrics,
  samplesByGroup,
  samplesOf,
  succeededRuns,
} from '@bench-cli/results';
import type { BenchmarkFile, Recording, SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import { percentage } from '@bench-cli/results/settings';
import type { Decision, SessionListener } from '@bench-cli/runner';
import type { SampleSummary } from '@bench-cli/stats';
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

/** The percentiles of a latency on one line: `p50 0.41 ms, p90 0.73 ms`. Empty if the load tool does not report any. */
export function latencyText({ p50Ms, p90Ms, p99Ms, p999Ms }: LoadLatency): string {
  const figures = [
    ['p50', p50Ms],
    ['p90', p90Ms],
    ['p99', p99Ms],
    ['p99.9', p999Ms],
  ] as const;
  return figures
    .flatMap(([name, ms]) => (ms === null ? [] : `${name} ${Number(ms.toPrecision(3))} ms`))
    .join(', ');
}

export function precisionInterval({ errorRate }: { readonly errorRate: number }): string {
  return `repeated ${percentage
    .write(1 - errorRate)
    .join()
    .replace('%', ' %')} interval of the mean logarithm of the rate, valid at every look`;
}

type RatedCase = CaseSample<Case & Pick<SucceededRun, 'load'>>;

const oneRun =
  'One run each, so the spread is unknown: --runs 10 shows it, and ranks the values of parameters.';

/**
 * Tables of mean rates, one per benchmark or group of tasks, each with its ranking.
 * @param maxRuns of an adaptive session
 */
export function rateTables(terminal: Terminal, files: readonly BenchmarkFile[], maxRuns: number | undefined) {
  let mostRuns = 0;
  let hasTies = false;
  const kinds = { rates: false, times: false, cpu: false };
  const rowOf = (sample: RatedCase, { n, mean, variance }: SampleSummary, decisions: readonly Decision[]) => {
    mostRuns = Math.max(mostRuns, n);
    kinds[sample.isCommand ? 'times' : 'rates'] = true;
    kinds.cpu ||= sample.cpu !== undefined;
    const key = caseKey(sample.first);
    const judgement = decisions.find((each) => caseKey(each) === key)?.judgement;
    const known = judgement !== undefined && 'mean' in judgement ? judgement.mean : null;
    const deviation = variance === null || mean === 0 ? null : Math.sqrt(variance) / mean;
    return {
      ...nameCase(sample),
      rate: known?.rate ?? mean,
      spread: known === null ? deviation : (known.high / known.low) ** 0.5 - 1,
      runs: n,
      // The percentiles of several runs have no common value.
      note: n === 1 ? latencyNote(sample.first).trim() : '',
    };
  };
  return {
    /** @param decisions about the rates of an adaptive session, which have intervals */
    async show(cases: readonly RatedCase[], decisions: readonly Decision[] = []): Promise<void> {
      const [{ rankOf, renderRankings, renderRunTable, timesOf }, { rankParameters, summaryOf }] =
        await Promise.all([import('@bench-cli/report'), import('@bench-cli/stats/internal')]);
      for (const [benchmark, samples] of samplesByGroup(cases, files)) {
        const rankings = rankParameters(samples, maxRuns);
        hasTies ||= rankings.some(({ ties }) => ties.length > 0);
        // Where only one parameter varies, each of its values has a row.
        const ofRows = rankings.find(({ others }) => others.length === samples.length - 1);
        const rows = samples.flatMap((sample) => {
          const summary = summaryOf(sample.rates, sample);
          if (summary === null) return [];
          const rank = ofRows && rankOf(sample.configuration[ofRows.parameter], ofRows);
          const times = sample.isCommand && timesOf(summary, sample.cpu);
          return { ...rowOf(sample, summary, decisions), times, rank };
        });
        const table = renderRunTable(benchmark, rows, terminal.resultWidth);
        terminal.result(`\n${table}${renderRankings(rankings)}`);
      }
    },
    /**
     * Explains the tables, if there are some.
     * @param spread what follows a rate, which is unknown if each case has a single run
     */
    async end(spread = 'standard deviation of the runs'): Promise<void> {
      if (mostRuns === 0) return;
      const ranked = maxRuns === undefined ? 'mean time' : 'geometric mean of the times';
      const legend = [
        kinds.rates && `ops/s: mean rate; ±: ${spread}.`,
        kinds.times && `±: standard deviation of the runs; commands are ranked by the ${ranked}.`,
        kinds.cpu && 'user, system: CPU time, which the system counts in steps of 10 ms.',
        hasTies && 'Tasks or values with the same letter cannot be told apart.',
      ];
      const text = mostRuns === 1 ? oneRun : legend.filter((part) => part !== false).join(' ');
      const { wrapped } = await import('@bench-cli/report');
      terminal.result(`\n${wrapped(text, terminal.resultWidth)}\n`);
    },
  };
}

/** A table per benchmark or group of tasks when its runs have ended: one line per case, and which values or tasks are faster. */
export function runTableOutput({ files, runs: rule }: SessionRequest, terminal: Terminal): ResultOutput {
  let waiting: SucceededRun[] = [];
  const groupOf = (benchmark: string) => alternativeOf(benchmark, files)?.group ?? benchmark;
  const decisions: Decision[] = [];
  const adaptive = adaptiveRuns(rule);
  const tables = rateTables(terminal, files, adaptive?.maxRuns);
  return {
    run: onRate((run) => waiting.push(run)),
    decision: ({ decision }) => decisions.push(decision),
    // With --runs auto, which goes over all benchmarks in rounds, no benchmark ends before the others.
    'benchmark end': async (event) => {
      const group = groupOf(event.benchmark);
      const { ended = [], others = [] } = Object.groupBy(waiting, ({ benchmark }) =>
        groupOf(benchmark) === group ? 'ended' : 'others',
      );
      waiting = others;
      await tables.show(samplesOf(ended, files), decisions);
    },
    showResult: async (result) => {
      await tables.show(samplesOf(waiting, files), decisions);
      await tables.end(adaptive && precisionInterval(adaptive));
      await showMetrics(result, terminal);
    },
  };
}

/** Prints the metrics of one subject as tables, if the session has some. */
export async function showMetrics(
  recording: Pick<Recording, 'session' | 'runs' | 'metricRuns'>,
  terminal: Terminal,
): Promise<void> {
  const [runs, metricRuns] = [succeededRuns(recording.runs), succeededRuns(recording.metricRuns)];
  const { metrics: measured = [], runs: count } = recording.session.request.metrics ?? {};
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
        const values = ofCase.flatMap((run) => run.values[name] ?? []);
        return values.length === 0 ? [] : [[name, summarizeSample(values)] as const];
      });
      return ofCase.slice(0, 1).map((run) => ({ name: caseName(run), summaries: new Map(summaries) }));
    });
    terminal.result(`\n${renderMetricTable(metrics, cases, text)}`);
  }
}
