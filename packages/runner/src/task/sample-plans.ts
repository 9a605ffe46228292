import type { SamplePlan, SamplingOrder } from '@bench-cli/core/protocol';
import { type Case, caseKey } from '@bench-cli/results';
import { type RunRecord, type SucceededRun, scheduledConfiguration } from '@bench-cli/results/recording';
import {
  bestSampling,
  betweenVariance,
  leastDifference,
  meanOf,
  possibleSamplings,
  type SamplingChoice,
} from '@bench-cli/stats/internal';

/** The rounds that show how much processes differ. */
const firstRounds = 4;

/**
 * Plans how long the processes of each case sample. The first runs of a case are the pilot of all its subjects; the rounds after it get the
 * plan that is made of it, and those after the fourth the plan that also knows how much the processes differ. Plans depend only on whole
 * rounds of the case, so that a resumed session makes the same.
 * @param subjects names, the baseline first
 * @param margin a difference that does not matter, a fraction
 */
export function samplePlans(subjects: readonly string[], margin: number) {
  const cases = new Map<string, ReturnType<typeof casePlans>>();
  return {
    /** Takes a run of this session, executed now or before an interruption. */
    take(run: RunRecord): void {
      if (run.kind !== 'rate' || run.status === 'failed' || run.round >= firstRounds) return;
      const key = caseKey({ benchmark: run.benchmark, configuration: scheduledConfiguration(run) });
      const plans = cases.get(key) ?? casePlans(subjects, margin);
      cases.set(key, plans);
      plans.take(run);
    },
    /** How the runs of a case in a round sample. @param open the subjects that run in it */
    of(scheduled: Case, open: readonly string[], round: number): SamplingOrder | undefined {
      const plans = cases.get(caseKey(scheduled));
      return plans?.hasPilots(open) ? plans.at(round) : 'pilot';
    },
  };
}

/** @param names of the subjects, the baseline first */
function casePlans(names: readonly string[], margin: number) {
  /** The first run of each subject. */
  const pilots = new Map<string, SucceededRun>();
  /** The logarithms of the rates by subject, then by round. */
  const logs = new Map(names.map((name) => [name, new Map<number, number>()]));
  let possible: readonly SamplingChoice[] | undefined;
  /** Undefined for a case whose declared times stay. */
  let first: SamplePlan | undefined;
  let final: SamplePlan | undefined;

  /** The differences of the other subjects to the baseline in each round. */
  const differencesOf = ([baseline = new Map<number, number>(), ...others]: readonly Map<number, number>[]) =>
    others.map((other) =>
      [...other].flatMap(([round, log]) => {
        const base = baseline.get(round);
        return base === undefined ? [] : [log - base];
      }),
    );
  const best = (choices: readonly SamplingChoice[], rates: readonly Map<number, number>[]) => {
    const differences = differencesOf(rates);
    const isCompared = differences.length > 0;
    const perRun = isCompared
      ? differences.map((each) => each.map((log) => log / Math.SQRT2))
      : rates.map((each) => [...each.values()]);
    const { within = 0 } = choices.find(({ plan }) => plan === first) ?? {};
    const difference = isCompared ? leastDifference(differences) : 0;
    return bestSampling(choices, betweenVariance(perRun, within), margin, difference);
  };

  return {
    take(run: SucceededRun): void {
      if (!pilots.has(run.subject)) pilots.set(run.subject, run);
      logs.get(run.subject)?.set(run.round, Math.log(run.values.rate));
    },
    hasPilots: (subjects: readonly string[]) =>
      possible !== undefined || subjects.every((name) => pilots.has(name)),
    at(round: number): SamplePlan | undefined {
      if (possible === undefined) {
        possible = samplingsOf(names.flatMap((name) => pilots.get(name) ?? []));
        const rates = names.flatMap((name) => pilots.get(name)?.values.rate ?? []);
        first = best(
          possible,
          rates.map((rate) => new Map([[0, Math.log(rate)]])),
        );
      }
      if (round < firstRounds) return first;
      final ??= best(
        possible,
        names.map((name) => logs.get(name) ?? new Map()),
      );
      return final;
    },
  };
}

/** @param runs of the pilot, the baseline first */
function samplingsOf(runs: readonly SucceededRun[]): readonly SamplingChoice[] {
  const pilots = runs.flatMap(({ sampling, durationMs }) =>
    sampling?.pilot === undefined
      ? []
      : [{ ...sampling.pilot, processMs: durationMs - sampling.warmUpMs - sampling.measuredMs }],
  );
  // Without measure(), or if an operation is too long for it.
  if (pilots.length < runs.length) return [];
  return possibleSamplings(
    pilots.map(({ windows }) => windows),
    {
      longestMs: Math.min(...pilots.map(({ longestMs }) => longestMs)),
      // A round has a process of each.
      processMs: Math.max(0, meanOf(pilots.map(({ processMs }) => processMs))),
      inTurns: runs.every(({ inTurns }) => inTurns),
    },
  );
}
