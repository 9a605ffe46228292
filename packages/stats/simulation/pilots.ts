import type { SamplePlan, TraceWindow } from '@bench-cli/core/protocol';
import { bestSampling, betweenVariance, changesRatio, possibleSamplings } from '../src/sampling-plan.ts';
import { type Estimate, shareOf } from './estimate.ts';
import { autocorrelatedRuns } from './noise.ts';
import type { Random } from './random.ts';

const WINDOW_MS = 15;
const MARGIN = 0.02;
const declared = { warmUpMs: 250, measuredMs: 1000 };
const windows = Math.ceil((declared.warmUpMs + declared.measuredMs) / WINDOW_MS);

/** The noise within processes: deviations of the logarithms of the rates of windows. */
interface WindowNoise {
  readonly name: string;
  readonly draw: (random: Random) => Float64Array;
}

const autocorrelated = (correlation: number, deviation: number): WindowNoise => ({
  name: `${100 * deviation} %, autocorrelation ${correlation}`,
  draw: (random) => autocorrelatedRuns(correlation)(random, windows, deviation),
});

export const windowNoises: readonly WindowNoise[] = [
  ...[0.01, 0.05, 0.3].flatMap((deviation) =>
    [0, 0.5, 0.8].map((correlation) => autocorrelated(correlation, deviation)),
  ),
  {
    name: 'slow moments of 150 ms',
    draw: (random) => {
      let left = 0;
      return Float64Array.from({ length: windows }, () => {
        left = left > 0 ? left - 1 : random.uniform() < 1 / 40 ? 9 : 0;
        return 0.01 * random.normal() + (left > 0 ? Math.log(0.7) : 0);
      });
    },
  },
  {
    name: 'a collection of 30 ms every 200 ms',
    draw: (random) => {
      const phase = Math.floor(13 * random.uniform());
      return Float64Array.from(
        { length: windows },
        (_, at) => 0.01 * random.normal() + ((at + phase) % 13 < 2 ? Math.log(0.5) : 0),
      );
    },
  },
];

/** How the ratio of two subjects changes while their processes run. */
export interface RatioChange {
  /** A fraction of the first rate. */
  readonly change: number;
  readonly atMs: number;
}

export interface PilotResult extends RatioChange {
  readonly noise: string;
  /** The share of cases whose plan is given up. */
  readonly givenUp: Estimate;
  /** The share of cases with a second pilot. */
  readonly again: Estimate;
  /** The share of cases that measure a ratio that differs from that of the declared times by more than the margin. */
  readonly other: Estimate;
}

/** Plans cases by pilots of two subjects, each in a process of its own. */
export function simulatePilots(
  noise: WindowNoise,
  { change, atMs }: RatioChange,
  cases: number,
  random: Random,
): PilotResult {
  const traceOf = (isNew: boolean): readonly TraceWindow[] =>
    Array.from(noise.draw(random), (deviation, at) => {
      const endMs = WINDOW_MS * (at + 1);
      return [endMs, 1e6 * Math.exp(deviation) * (isNew && endMs > atMs ? 1 + change : 1)];
    });
  const ratioOf = ({ warmUpMs, measuredMs }: SamplePlan) => {
    const changed = Math.min(measuredMs, Math.max(0, warmUpMs + measuredMs - atMs));
    return 1 + (change * changed) / measuredMs;
  };
  let [again, givenUp, other] = [0, 0, 0];
  for (let each = 0; each < cases; each++) {
    const pilots = [0, 1].map(() => [traceOf(false), traceOf(true)]);
    const [first = []] = pilots;
    const possible = possibleSamplings(first, {
      longestMs: declared.measuredMs,
      processMs: 80,
      inTurns: true,
    });
    const plan = bestSampling(possible, betweenVariance([], 0), MARGIN);
    if (plan === undefined) continue;
    if (changesRatio([first], plan, declared, MARGIN)) again++;
    if (changesRatio(pilots, plan, declared, MARGIN)) givenUp++;
    else if (Math.abs(Math.log(ratioOf(plan) / ratioOf(declared))) > Math.log1p(MARGIN)) other++;
  }
  const shares = {
    again: shareOf(again, cases),
    givenUp: shareOf(givenUp, cases),
    other: shareOf(other, cases),
  };
  return { noise: noise.name, change, atMs, ...shares };
}
