import { caseKey } from '../case.ts';
import { type RunRecord, scheduledConfiguration } from './line.ts';

/**
 * Tells whether a run is new in its session. Repeated runs are those of a second process, or repeated lines.
 * One process can have several results of a round, and several processes look at a case before it takes turns.
 */
export function firstRuns(): (run: RunRecord) => boolean {
  const firsts = new Map<string, { readonly startedAt: string; readonly results: number }>();
  return (run) => {
    const { kind, benchmark, subject, round, result = 0, startedAt } = run;
    const ofCase = caseKey({ benchmark, configuration: scheduledConfiguration(run) });
    const key = JSON.stringify([kind, ofCase, subject, round, kind === 'look' ? startedAt : '']);
    const first = firsts.get(key) ?? { startedAt, results: 0 };
    if (first.startedAt !== startedAt || result < first.results) return false;
    firsts.set(key, { startedAt, results: result + 1 });
    return true;
  };
}
