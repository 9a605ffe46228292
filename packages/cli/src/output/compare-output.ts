import { reportedConfiguration, type SessionRecord, type SucceededRun } from '@bench-cli/core/runner';
import { COMPARE_CSV_HEADER, compareConfiguration, compareCsvRow, type SamplePair } from '@bench-cli/stats';
import type { ResultOutput } from '../session-view.ts';
import type { Terminal } from '../terminal.ts';
import { showComparisons } from './comparison-view.ts';
import type { CompareFormat } from './formats.ts';

/** The forms in which `compare` shows results; CSV, that of Node core's compare.js, comes run by run. */
export function compareOutput(format: CompareFormat, terminal: Terminal): ResultOutput {
  if (format === 'csv') {
    terminal.result(`${COMPARE_CSV_HEADER}\n`);
    return {
      run: (run) => {
        const { subject, benchmark: name, rate, time } = run;
        const configuration = reportedConfiguration(run);
        terminal.result(`${compareCsvRow({ binary: roleOf(subject), name, configuration, rate, time })}\n`);
      },
    };
  }
  return {
    end: ({ session, runs }) => {
      if (runs.length > 0) showComparisons(samplePairs(runs), namesOf(session), { format }, terminal);
    },
  };
}

/** The samples of recorded runs. */
export function samplePairs(runs: readonly SucceededRun[]): SamplePair[] {
  const pairs = new Map<string, { benchmark: string; configuration: string; old: number[]; new: number[] }>();
  for (const run of runs) {
    const configuration = compareConfiguration(reportedConfiguration(run));
    const key = JSON.stringify([run.benchmark, configuration]);
    const pair = pairs.get(key) ?? { benchmark: run.benchmark, configuration, old: [], new: [] };
    pair[roleOf(run.subject)].push(run.rate);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

function roleOf(subject: string): 'old' | 'new' {
  return subject === 'old' ? 'old' : 'new';
}

/** What a person calls the two subjects: what was asked for, with the version where that does not say it. */
export function namesOf({ request }: SessionRecord): Record<'oldName' | 'newName', string> {
  const [old, new_] = request.subjects.map(({ label, runtime, flags }) => {
    const runtimeName = label.startsWith('node@')
      ? `Node.js ${runtime.version}`
      : `${label} (${runtime.version})`;
    return [runtimeName, ...flags].join(' ');
  });
  return old === new_
    ? { oldName: 'old', newName: 'new' }
    : { oldName: old ?? 'old', newName: new_ ?? 'new' };
}
