import type { SamplePlan, SamplingOrder } from '@bench-cli/core/protocol';
import { type Case, caseKey } from '@bench-cli/results';
import { type RunRecord, type SucceededRun, scheduledConfiguration } from '@bench-cli/results/recording';
import {
  bestSampling,
  betweenVariance,
  possibleSamplings,
  type SamplingChoice,
} from '@bench-cli/stats/internal';

/** The rounds that show how much processes differ. */
const firstRounds = 4;

/**
 * Plans how long the processes of each case sample. The first round of a case is the pilot of all its subjects; the rounds after it get the
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
      if (run.status === 'failed' || run.round >= firstRounds) return;
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

function casePlans([baseline = '', ...others]: readonly string[], margin: number) {
  /** The runs by subject, then by round. */
  const runs = new Map<string, Map<number, SucceededRun>>();
  const runsOf = (name: string) => runs.get(name) ?? new Map<number, SucceededRun>();
  let possible: readonly SamplingChoice[] | undefined;
  /** Undefined for a case whose declared times stay. */
  let first: SamplePlan | undefined;
  let final: SamplePlan | undefined;

  /** The variance between processes, from the differences of each round if there are several subjects. */
  const between = (samplings: readonly SamplingChoice[]) => {
    const { within = 0 } = samplings.find(({ plan }) => plan === first) ?? {};
    const logsOf = (name: string) =>
      [...runsOf(name)].map(([round, { values }]) => [round, Math.log(values.rate)] as const);
    const logs = logsOf(baseline);
    if (others.length === 0) return betweenVariance([logs.map(([, log]) => log)], within);
    const ofBaseline = new Map(logs);
    const differences = others.map((name) =>
      logsOf(name).flatMap(([round, log]) => {
        const other = ofBaseline.get(round);
        return other === undefined ? [] : [(log - other) / Math.SQRT2];
      }),
    );
    return betweenVariance(differences, within);
  };

  return {
    take(run: SucceededRun): void {
      runs.set(run.subject, runsOf(run.subject).set(run.round, run));
    },
    hasPilots: (subjects: readonly string[]) =>
      possible !== undefined || subjects.every((name) => runs.has(name)),
    at(round: number): SamplePlan | undefined {
      if (possible === undefined) {
        possible = samplingsOf([...runs.values()].flatMap((rounds) => [...rounds.values()].slice(0, 1)));
        first = bestSampling(possible, betweenVariance([], 0), margin);
      }
      if (round < firstRounds) return first;
      final ??= bestSampling(possible, between(possible), margin);
      return final;
    },
  };
}

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
      processMs: Math.max(0, Math.min(...pilots.map(({ processMs }) => processMs))),
    },
  );
}
