import { comparedRun, type SessionRecord, type SucceededRun, subjectNames } from '@bench-cli/core/runner';
import { judgePairs, type SamplePair, type SequentialResults, samplePairs } from '@bench-cli/stats';

/** Two subjects' rates, with what is known about where they come from. */
export interface ComparedResults {
  readonly pairs: readonly SamplePair[];
  readonly names: Record<'oldName' | 'newName', string>;
  /** How the runs were judged while they came in, where they were. */
  readonly sequential: SequentialResults | undefined;
}

/** The results of a session that compares. */
export function comparedResults(session: SessionRecord, runs: readonly SucceededRun[]): ComparedResults {
  const compared = runs.map(comparedRun);
  const { runs: planned } = session.request;
  return {
    pairs: samplePairs(compared),
    names: subjectNames(session),
    sequential: typeof planned === 'number' ? undefined : judgePairs(compared, planned),
  };
}
