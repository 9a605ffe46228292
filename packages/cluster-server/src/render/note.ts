import { percent } from '@bench-cli/report';
import { WARM_UP } from '../block/messages.ts';
import type { ClientComparison } from '../comparison/client-comparison.ts';

/** The smallest drift from round to round that gets a note. */
const NOTABLE_DRIFT = 0.1;

/** The shortest and the longest mean warm-up, seconds. */
function warmUpText(standings: ClientComparison['standings']): string {
  const ascending = standings.map(({ warmUpMs }) => warmUpMs / 1000).sort((a, b) => a - b);
  const ends = [ascending.at(0), ascending.at(-1)].map((seconds = 0) => seconds.toFixed(1));
  return [...new Set(ends)].join(' to ');
}

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
    ...ties.map((tie) => `Tie, because no difference between them is certain: ${tie.join(', ')}.`),
    ...standings.flatMap(({ name, rounds, unsteadyRounds }) =>
      unsteadyRounds === 0
        ? []
        : `${name} was not steady after ${WARM_UP.limitMs / 1000} s of warm-up in ${unsteadyRounds} of its ${rounds} rounds.`,
    ),
    ...(options.samples === 1 || standings.length === 0
      ? []
      : [`Warm-up until the rate was steady: ${warmUpText(standings)} s per round.`]),
    ...unsettled.map(
      ({ name, tolerance, reason }) =>
        `${name} did not settle: its tolerance is ${tolerance === null ? 'unknown' : `${percent(tolerance)} %`}, above ${options.errorThreshold} %; ${reason}.`,
    ),
    ...(drift !== null && drift > NOTABLE_DRIFT
      ? [
          `The speed of the machine varied by ${percent(drift, 0)} % from round to round. Differences and ties are judged within rounds; rates and tolerances contain it.`,
        ]
      : []),
    ...warnings.map((warning) => `${warning}.`),
    ...skipped.map(({ name, reason }) => `${name} was not measured: ${reason}.`),
  ];
}
