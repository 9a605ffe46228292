import type { ClientComparison } from '../comparison/client-comparison.ts';

/** A drift from round to round that is worth telling. */
const NOTABLE_DRIFT = 0.1;

/** What has to be said below a table, a sentence each. */
export function notesOf(comparison: ClientComparison): readonly string[] {
  const { options, standings, ties, failed, skipped, unsettled, drift, warnings } = comparison;
  return [
    ...failed.map(
      ({ name, error, round }) => `${name} failed in round ${round} and has no rank: it ${error}`,
    ),
    ...(standings.some(({ tolerance }) => tolerance === null)
      ? [
          'With one sample there is no tolerance, and nobody can say whether a difference is one: set SAMPLES=auto, or at least 10.',
        ]
      : []),
    ...ties.map((tie) => `A tie, since their 95 % intervals overlap: ${tie.join(', ')}.`),
    ...unsettled.map(
      ({ name, tolerance, reason }) =>
        `${name} would not settle: its tolerance is ${tolerance === null ? 'unknown' : `${(tolerance * 100).toFixed(2)} %`}, above ${options.errorThreshold} %; ${reason}.`,
    ),
    ...(drift !== null && drift > NOTABLE_DRIFT
      ? [
          `The machine was faster and slower by ${(drift * 100).toFixed(0)} % from round to round. That is taken out of tolerances and differences, but rates would be others at another time.`,
        ]
      : []),
    ...warnings.map((warning) => `${warning}.`),
    ...skipped.map(({ name, reason }) => `${name} was not measured: ${reason}.`),
  ];
}
