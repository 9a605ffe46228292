import { existsSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type Recording, readRecording, type SucceededRun } from '@bench-cli/results/recording';
import type { Tally } from './tally.ts';

/** The session in a file; undefined if nothing was recorded before the first line was complete. */
export function recordingIn(file: string): Recording | undefined {
  return existsSync(file) && readFileSync(file).includes('\n') ? readRecording(file) : undefined;
}

/** Whether a file has so many runs already, whole or not. */
export function hasRuns(file: string, count: number): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').split('{"type":"run"').length > count;
}

export interface ExpectedRuns {
  /** What the file contained before. */
  readonly former: Recording | undefined;
  /** The highest and the lowest true rate of a run. */
  readonly rateOf: (run: SucceededRun) => number | readonly [least: number, most: number];
  readonly told: string;
}

/** Counts runs that are lost, changed, double or failed, and rates that are not the true ones. */
export function expectRuns(
  tally: Tally,
  recording: Recording | undefined,
  { former, rateOf, told }: ExpectedRuns,
): void {
  const runs = recording?.runs ?? [];
  const before = former?.runs ?? [];
  if (!isDeepStrictEqual(runs.slice(0, before.length), before)) {
    tally.add('lost', `${before.length} runs before, ${runs.length} after ${told}`);
  }
  if ((recording?.repeated ?? 0) > 0) tally.add('double', `${recording?.repeated} runs after ${told}`);
  for (const run of runs) {
    if (run.status === 'failed') {
      tally.add('lost', `${told}: ${run.failure.message}`);
      continue;
    }
    const { rate } = run.values;
    const truth = rateOf(run);
    const [least, most] = typeof truth === 'number' ? [truth, truth] : truth;
    if (rate < least || rate > most) {
      tally.add('wrong figures', `${rate} for ${least} to ${most}, ${JSON.stringify(run)}, ${told}`);
    }
  }
}

/** Counts a session that is not complete. @param count of runs; undefined if the runs decide it */
export function expectComplete(
  tally: Tally,
  recording: Recording | undefined,
  count: number | undefined,
  told: string,
): void {
  const runs = recording?.runs.length ?? 0;
  if (recording?.ended !== true || runs !== (count ?? runs))
    tally.add('lost', `${runs} runs in a complete session, ${told}`);
}
