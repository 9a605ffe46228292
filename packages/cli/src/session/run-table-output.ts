import {
  alternativeOf,
  type CaseSample,
  caseKey,
  nameCase,
  samplesByGroup,
  samplesOf,
  TASK,
} from '@bench-cli/results';
import type { SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import type { Decision } from '@bench-cli/runner';
import type { SampleSummary } from '@bench-cli/stats';
import type { Terminal } from '../terminal.ts';
import { showMetrics } from './metric-output.ts';
import { latencyNote, precisionInterval } from './rate-note.ts';
import type { ResultOutput } from './session-view.ts';

/** A table per benchmark or group of tasks when its runs have ended: one line per case, and which values or tasks are faster. */
export function runTableOutput({ files, runs: rule }: SessionRequest, terminal: Terminal): ResultOutput {
  const runsByGroup = new Map<string, SucceededRun[]>();
  const groupOf = (benchmark: string) => alternativeOf(benchmark, files)?.group ?? benchmark;
  const decisions: Decision[] = [];
  let mostRuns = 0;
  let hasTies = false;
  const adaptive = typeof rule === 'number' ? undefined : rule;

  async function show(group: string): Promise<void> {
    const runs = runsByGroup.get(group) ?? [];
    runsByGroup.delete(group);
    const [{ rankOf, renderRankings, renderRunTable }, { summarizeSample }, { rankParameters }] =
      await Promise.all([
        import('@bench-cli/report'),
        import('@bench-cli/stats'),
        import('@bench-cli/stats/internal'),
      ]);
    for (const [benchmark, samples] of samplesByGroup(samplesOf(runs), files)) {
      const rankings = rankParameters(samples, adaptive?.maxRuns);
      const ofTasks = rankings.find(({ parameter }) => parameter === TASK);
      const isRanked = ofTasks?.others.length === samples.length - 1;
      hasTies ||= isRanked && ofTasks.ties.length > 0;
      const rows = samples.map((sample) => {
        const rank = isRanked ? rankOf(sample.configuration[TASK], ofTasks) : undefined;
        return { ...rowOf(sample, summarizeSample(sample.rates)), rank };
      });
      const table = renderRunTable(benchmark, rows, terminal.resultWidth);
      terminal.result(`\n${table}${renderRankings(rankings)}`);
    }
  }

  function rowOf(sample: CaseSample<SucceededRun>, { n, mean, variance }: SampleSummary) {
    mostRuns = Math.max(mostRuns, n);
    const key = caseKey(sample.first);
    const judgement = decisions.find((each) => caseKey(each) === key)?.judgement;
    const known = judgement !== undefined && 'mean' in judgement ? judgement.mean : null;
    const deviation = variance === null || mean === 0 ? null : Math.sqrt(variance) / mean;
    const rate = known?.rate ?? mean;
    const isCommand = files.some(({ name, command }) => name === sample.first.benchmark && command);
    return {
      ...nameCase(sample),
      rate,
      spread: known === null ? deviation : (known.high / known.low) ** 0.5 - 1,
      runs: n,
      // The percentiles of several runs have no common value.
      note: isCommand ? `${(1000 / rate).toFixed(1)} ms` : n === 1 ? latencyNote(sample.first).trim() : '',
    };
  }

  return {
    run: (run) => {
      const group = groupOf(run.benchmark);
      const runs = runsByGroup.get(group) ?? [];
      runs.push(run);
      runsByGroup.set(group, runs);
    },
    event: async (event) => {
      if (event.type === 'decision') decisions.push(event.decision);
      // Not with --runs auto, which goes over all benchmarks in rounds.
      if (event.type === 'benchmark end') await show(groupOf(event.benchmark));
    },
    end: async (result) => {
      for (const benchmark of [...runsByGroup.keys()]) await show(benchmark);
      if (mostRuns === 0) return;
      const spread = adaptive ? precisionInterval(adaptive) : 'standard deviation of the runs';
      const legend =
        mostRuns === 1
          ? 'One run each, so the spread is unknown: --runs 10 shows it, and ranks the values of parameters.'
          : `ops/s: mean rate; ±: ${spread}.${hasTies ? ' Tasks with the same letter cannot be told apart.' : ''}`;
      const { wrapped } = await import('@bench-cli/report');
      terminal.result(`\n${wrapped(legend, terminal.resultWidth)}\n`);
      await showMetrics(result, terminal);
    },
  };
}
