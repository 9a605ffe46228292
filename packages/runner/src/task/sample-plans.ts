import type { SamplePlan, SamplingOrder } from '@bench-cli/core/protocol';
import { type Case, caseKey } from '@bench-cli/results';
import { type RunRecord, type SucceededRun, scheduledConfiguration } from '@bench-cli/results/recording';
import {
  bestSampling,
  betweenVariance,
  changesRatio,
  leastDifference,
  meanOf,
  possibleSamplings,
  type SamplingChoice,
} from '@bench-cli/stats/internal';

/** The rounds that show how much processes differ. */
const firstRounds = 4;

/**
 * Plans how long the processes of each case sample. The first runs of a case are the pilot of all its
 * subjects. The rounds after the pilot get the plan that is made of it, and those after the fourth the plan
 * that also knows how much the processes differ. If the ratio of two subjects, or the rate of an only one,
 * differs between the plan and the declared times, the next round is another pilot. If the second pilot shows
 * the same difference, the plan is given up, and the case keeps its declared times. Plans depend only on
 * whole rounds of the case, so that a resumed session makes the same plans.
 * @param subjects names, the baseline first
 * @param margin a difference that does not matter, a fraction
 * @param onGivenUp gets each case whose plan is given up
 */
export function samplePlans(subjects: readonly string[], margin: number, onGivenUp: (given: Case) => void) {
  const cases = new Map<string, ReturnType<typeof casePlans>>();
  return {
    take(run: RunRecord): void {
      if (run.kind !== 'rate' || run.status === 'failed' || run.round >= firstRounds) return;
      const scheduled = { benchmark: run.benchmark, configuration: scheduledConfiguration(run) };
      const key = caseKey(scheduled);
      const plans = cases.get(key) ?? casePlans(subjects, margin, () => onGivenUp(scheduled));
      cases.set(key, plans);
      plans.take(run);
    },
    /** How the runs of a case in a round sample. @param open the subjects that run in it */
    of(scheduled: Case, open: readonly string[], round: number): SamplingOrder | undefined {
      const plans = cases.get(caseKey(scheduled));
      return plans === undefined ? 'pilot' : plans.at(round, open);
    },
  };
}

/** @param names of the subjects, the baseline first */
function casePlans(names: readonly string[], margin: number, onGivenUp: () => void) {
  /** The runs of the first rounds. */
  const runs: SucceededRun[] = [];
  let possible: readonly SamplingChoice[] | undefined;
  /** Undefined for a case whose declared times stay. */
  let first: SamplePlan | undefined;
  let final: SamplePlan | undefined;
  /** Whether the first plan waits for another pilot. */
  let isDoubtful = false;

  const runsOf = (name: string) => runs.filter(({ subject }) => subject === name);
  /** The first or the second runs of subjects, the baseline first. */
  const pilotOf = (number: number) => names.flatMap((name) => runsOf(name)[number] ?? []);
  /** Whether a plan measures another ratio than the declared times, by one pilot or by two. */
  const isOther = (plan: SamplePlan | undefined, count: number) => {
    const again = new Set(pilotOf(count - 1).map(({ subject }) => subject));
    const pilots = Array.from({ length: count }, (_, number) =>
      pilotOf(number).flatMap(({ subject, sampling }) =>
        again.has(subject) && sampling?.pilot ? { ...sampling, ...sampling.pilot } : [],
      ),
    );
    const declared = pilots[0]?.[0];
    const isPartial =
      again.size < Math.min(2, names.length) || pilots.some(({ length }) => length < again.size);
    if (plan === undefined || declared === undefined || isPartial) return false;
    const { warmUpMs, longestMs: measuredMs } = declared;
    const traces = pilots.map((pilot) => pilot.map(({ windows }) => windows));
    return changesRatio(traces, plan, { warmUpMs, measuredMs }, margin);
  };
  /** @param rounds the runs of each round, one of each subject */
  const best = (choices: readonly SamplingChoice[], rounds: readonly (readonly SucceededRun[])[]) => {
    const [baseline = '', ...others] = names;
    const logsOf = (ofRound: readonly SucceededRun[], name: string) =>
      ofRound.flatMap(({ subject, values }) => (subject === name ? Math.log(values.rate) : []));
    const differences = others.map((other) =>
      rounds.flatMap((each) =>
        logsOf(each, other).flatMap((log) => logsOf(each, baseline).map((base) => log - base)),
      ),
    );
    const isCompared = differences.length > 0;
    const perRun = isCompared
      ? differences.map((each) => each.map((log) => log / Math.SQRT2))
      : [rounds.flatMap((each) => logsOf(each, baseline))];
    const { within = 0 } = choices.find(({ plan }) => plan === first) ?? {};
    const difference = isCompared ? leastDifference(differences) : undefined;
    return bestSampling(choices, betweenVariance(perRun, within), margin, difference);
  };

  return {
    take: (run: SucceededRun) => void runs.push(run),
    at(round: number, subjects: readonly string[]): SamplingOrder | undefined {
      const lacks = (count: number) => subjects.some((name) => runsOf(name).length < count);
      if (possible === undefined) {
        const samplings = samplingsOf(pilotOf(0));
        // If other runs fail, one is enough to show that there is no plan.
        if (lacks(1)) return round > 0 && samplings.length === 0 ? undefined : 'pilot';
        possible = samplings;
        first = best(possible, [pilotOf(0)]);
        isDoubtful = isOther(first, 1);
      }
      if (isDoubtful) {
        if (lacks(2)) return 'pilot';
        isDoubtful = false;
        if (isOther(first, 2)) {
          first = undefined;
          onGivenUp();
        }
      }
      if (round < firstRounds || first === undefined) return first;
      if (final === undefined) {
        const last = best(possible, [...Map.groupBy(runs, ({ round }) => round).values()]);
        final = isOther(last, 1) ? first : last;
      }
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
