import { caseKey } from '@bench-cli/results';
import { withCount, type CalibrationRecord, type SessionRequest } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';
import { findCount } from './operation-count.ts';
import type { Preparation } from './preparation.ts';
import type { SessionEvent } from './session-event.ts';

/**
 * The configurations of a benchmark with the counts of operations that are to be used: found, known from before, or as
 * declared. Those that differ only in a count which was replaced become one.
 * @param former what was found before the session was cut off
 */
export async function* calibratedConfigurations(
  { benchmark: { file, configurations }, executor }: Preparation,
  { subjects, settings }: SessionRequest,
  former: readonly CalibrationRecord[],
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, readonly Configuration[], void> {
  // A test runs each configuration with a count of 1.
  if (!settings.calibrate || settings.test) return configurations;
  const known = new Map(former.map((record) => [caseKey(record), record]));
  const names = subjects.map(({ name }) => name);
  const calibrated = new Map<string, Configuration>();
  for (const configuration of configurations) {
    const recorded = known.get(caseKey({ benchmark: file.name, configuration }));
    if (recorded === undefined) yield { type: 'calibrating', benchmark: file.name, configuration };
    const record = recorded ?? (await findCount(file.name, configuration, names, executor, signal));
    if (record !== undefined) yield { type: 'calibrated', record, resumed: recorded !== undefined };
    const used = record === undefined ? configuration : withCount(configuration, record.count);
    calibrated.set(JSON.stringify(used), used);
  }
  return [...calibrated.values()];
}
