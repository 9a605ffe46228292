import { caseKey, nameCase, type Sample } from '@bench-cli/results';
import type { SucceededRun } from '@bench-cli/results/recording';
import type { Decision } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';
import { latencyNote } from './latency-text.ts';
import { showMetrics } from './metric-output.ts';
import { precisionInterval } from './precision-text.ts';
import type { ResultOutput } from './session-view.ts';

/** A table per benchmark when its runs have ended: one line per case, and which values of a parameter are faster. */
export function runTableOutput(terminal: Terminal): ResultOutput {
  const runsByBenchmark = new Map<string, SucceededRun[]>();
  const decisions: Decision[] = [];
  let mostRuns = 0;
  /** Undefined for a fixed number of runs. */
  let maxRuns: number | undefined;

  async function show(benchmark: string): Promise<void> {
    const runs = runsByBenchmark.get(benchmark) ?? [];
    runsByBenchmark.delete(benchmark);
    if (runs.length === 0) return;
    const [{ renderRankings, renderRunTable }, { summarizeSample }] = await Promise.all([
      import('@bench-cli/report'),
      import('@bench-cli/stats'),
    ]);
    const samples = samplesOf(runs);
    const ofBenchmark = new Map(
      decisions.filter((each) => each.benchmark === benchmark).map((each) => [caseKey(each), each.judgement]),
    );
    const rows = samples.map((sample) => {
      const { n, mean, variance } = summarizeSample(sample.rates);
      mostRuns = Math.max(mostRuns, n);
      const judgement = ofBenchmark.get(caseKey(sample));
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
    });
    const rankings = renderRankings(samples, maxRuns);
    terminal.result(`\n${renderRunTable(benchmark, rows, terminal.resultWidth)}${rankings}`);
  }

  return {
    run: (run, { request }) => {
      if (typeof request.runs !== 'number') maxRuns = request.runs.maxRuns;
      const runs = runsByBenchmark.get(run.benchmark) ?? [];
      runs.push(run);
      runsByBenchmark.set(run.benchmark, runs);
    },
    decision: (decision) => void decisions.push(decision),
    benchmarkEnd: show,
    end: async (result) => {
      const { request } = result.session;
      for (const benchmark of [...runsByBenchmark.keys()]) await show(benchmark);
      if (mostRuns === 0) return false;
      const isAdaptive = typeof request.runs !== 'number';
      const spread = isAdaptive ? precisionInterval(request.runs) : 'standard deviation of the runs';
      const legend =
        mostRuns === 1
          ? 'One run each, so the spread is unknown: --runs 10 shows it, and ranks the values of parameters.'
          : `ops/s: mean rate; ±: ${spread}.`;
      const { wrapped } = await import('@bench-cli/report');
      terminal.result(`\n${wrapped(legend, terminal.resultWidth)}\n`);
      await showMetrics(result, terminal);
      return false;
    },
  };
}

/** The rates of each case, in the order of the first runs. */
function samplesOf(runs: readonly SucceededRun[]): readonly (Sample & { readonly first: SucceededRun })[] {
  return Array.from(Map.groupBy(runs, caseKey).values()).flatMap((ofCase) => {
    const [first] = ofCase;
    if (first === undefined) return [];
    const { benchmark, configuration } = first;
    return [{ benchmark, configuration, rates: ofCase.map(({ values }) => values.rate), first }];
  });
}
