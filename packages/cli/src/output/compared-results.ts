import { reportedConfiguration, type SessionRecord, type SucceededRun } from '@bench-cli/core/runner';
import { compareConfiguration, judgeRuns, type SamplePair, type SequentialResults } from '@bench-cli/stats';

/** Two subjects' rates, with what is known about where they come from. */
export interface ComparedResults {
  readonly pairs: readonly SamplePair[];
  readonly names: Record<'oldName' | 'newName', string>;
  /** How the runs were judged while they came in, where they were. */
  readonly sequential: SequentialResults | undefined;
}

/** The results of a session that compares. */
export function comparedResults(session: SessionRecord, runs: readonly SucceededRun[]): ComparedResults {
  return { pairs: samplePairs(runs), names: namesOf(session), sequential: sequentialResults(session, runs) };
}

function sequentialResults(
  { request }: SessionRecord,
  runs: readonly SucceededRun[],
): SequentialResults | undefined {
  if (typeof request.runs === 'number') return undefined;
  const judgements = judgeRuns(
    runs.map((run) => ({
      key: pairKey(run.benchmark, compareConfiguration(reportedConfiguration(run))),
      subject: roleOf(run.subject),
      round: run.round,
      rate: run.rate,
    })),
    request.runs,
  );
  return {
    judgementOf: ({ benchmark, configuration }) => judgements.get(pairKey(benchmark, configuration)) ?? null,
    errorRate: request.runs.errorRate,
  };
}

function pairKey(benchmark: string, configuration: string): string {
  return JSON.stringify([benchmark, configuration]);
}

/** The samples of recorded runs. */
function samplePairs(runs: readonly SucceededRun[]): SamplePair[] {
  const pairs = new Map<string, { benchmark: string; configuration: string; old: number[]; new: number[] }>();
  for (const run of runs) {
    const configuration = compareConfiguration(reportedConfiguration(run));
    const key = pairKey(run.benchmark, configuration);
    const pair = pairs.get(key) ?? { benchmark: run.benchmark, configuration, old: [], new: [] };
    pair[roleOf(run.subject)].push(run.rate);
    pairs.set(key, pair);
  }
  return [...pairs.values()];
}

/** The role of a subject by its name. */
export function roleOf(subject: string): 'old' | 'new' {
  return subject === 'old' ? 'old' : 'new';
}

/** What a person calls the two subjects: what was asked for, with the version where that does not say it. */
function namesOf({ request }: SessionRecord): Record<'oldName' | 'newName', string> {
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
