import { alternativeOf, samplesOf } from '@bench-cli/results';
import type { SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import type { Decision } from '@bench-cli/runner';
import type { Terminal } from '../terminal.ts';
import { showMetrics } from './metric-output.ts';
import { precisionInterval } from './rate-note.ts';
import { RateTables } from './rate-tables.ts';
import type { ResultOutput } from './session-view.ts';

/** A table per benchmark or group of tasks when its runs have ended: one line per case, and which values or tasks are faster. */
export function runTableOutput({ files, runs: rule }: SessionRequest, terminal: Terminal): ResultOutput {
  const runsByGroup = new Map<string, SucceededRun[]>();
  const groupOf = (benchmark: string) => alternativeOf(benchmark, files)?.group ?? benchmark;
  const decisions: Decision[] = [];
  const adaptive = typeof rule === 'number' ? undefined : rule;
  const tables = new RateTables(terminal, files, adaptive?.maxRuns);

  async function show(group: string): Promise<void> {
    const runs = runsByGroup.get(group) ?? [];
    runsByGroup.delete(group);
    await tables.show(samplesOf(runs), decisions);
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
      await tables.end(adaptive && precisionInterval(adaptive));
      await showMetrics(result, terminal);
    },
  };
}
