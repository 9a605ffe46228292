import { percent } from '@bench-cli/report';
import type { ClientComparison } from '../comparison/client-comparison.ts';

/** The smallest drift from round to round that gets a note. */
const NOTABLE_DRIFT = 0.1;

/** The notes below a table, one sentence each. */
export function notesOf(comparison: ClientComparison): readonly string[] {
  const { options, standings, ties, failed, skipped, unsettled, drift, warnings } = comparison;
  return [
    ...failed.map(({ name, error, round }) => `${name} failed in round ${round} and has no rank: ${error}`),
    ...(standings.some(({ tolerance }) => tolerance === null)
      ? [
          'With one sample there is no tolerance, so differences mean nothing: set SAMPLES=auto, or at least 10.',
        ]
      : []),
    ...ties.map((tie) => `Tie, because their 95 % intervals overlap: ${tie.join(', ')}.`),
    ...unsettled.map(
      ({ name, tolerance, reason }) =>
        `${name} did not settle: its tolerance is ${tolerance === null ? 'unknown' : `${percent(tolerance)} %`}, above ${options.errorThreshold} %; ${reason}.`,
    ),
    ...(drift !== null && drift > NOTABLE_DRIFT
      ? [
          `The speed of the machine varied by ${percent(drift, 0)} % from round to round. Tolerances and differences are corrected for that, rates are not.`,
        ]
      : []),
    ...warnings.map((warning) => `${warning}.`),
    ...skipped.map(({ name, reason }) => `${name} was not measured: ${reason}.`),
  ];
}
