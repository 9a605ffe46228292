import type { SamplePlan, SamplingOrder } from '@bench-cli/core/protocol';
import { type Case, caseKey } from '@bench-cli/results';
import { type RunRecord, type SucceededRun, scheduledConfiguration } from '@bench-cli/results/recording';
import { bestSampling, betweenVariance, possibleSamplings, type Sampling } from '@bench-cli/stats/internal';

/** The rounds that show how much processes differ. */
const firstRounds = 4;

/**
 * Plans how long the processes of each case sample. The first round of a case is the pilot of all its subjects; the rounds after it get the
 * plan that is made of it, and those after the fourth the plan that also knows how much the processes differ. Plans depend only on whole
 * rounds of the case, so that a resumed session makes the same.
 */
export class SamplePlans {
  readonly #cases = new Map<string, CasePlans>();
  readonly #subjects: readonly string[];

  /** @param subjects names, the baseline first */
  constructor(subjects: readonly string[]) {
    this.#subjects = subjects;
  }

  /** Takes a run of this session, executed now or before an interruption. */
  take(run: RunRecord): void {
    if (run.status === 'failed' || run.round >= firstRounds) return;
    const key = caseKey({ benchmark: run.benchmark, configuration: scheduledConfiguration(run) });
    const plans = this.#cases.get(key) ?? new CasePlans();
    this.#cases.set(key, plans);
    plans.take(run);
  }

  /** How the runs of a case in a round sample. @param open the subjects that run in it */
  of(scheduled: Case, open: readonly string[], round: number): SamplingOrder | undefined {
    const plans = this.#cases.get(caseKey(scheduled));
    if (!plans?.hasPilots(open)) return 'pilot';
    return plans.at(round, this.#subjects);
  }
}

class CasePlans {
  /** By subject, then by round. */
  readonly #runs = new Map<string, Map<number, SucceededRun>>();
  #possible: readonly Sampling[] | undefined;
  /** Undefined for a case whose declared times stay. */
  #first: SamplePlan | undefined;
  #final: SamplePlan | undefined;

  take(run: SucceededRun): void {
    const ofSubject = this.#runs.get(run.subject) ?? new Map<number, SucceededRun>();
    this.#runs.set(run.subject, ofSubject.set(run.round, run));
  }

  hasPilots(subjects: readonly string[]): boolean {
    return this.#possible !== undefined || subjects.every((name) => this.#runs.has(name));
  }

  at(round: number, subjects: readonly string[]): SamplePlan | undefined {
    if (this.#possible === undefined) {
      this.#possible = samplingsOf(
        [...this.#runs.values()].flatMap((runs) => [...runs.values()].slice(0, 1)),
      );
      this.#first = bestSampling(this.#possible, betweenVariance([], 0));
    }
    if (round < firstRounds) return this.#first;
    this.#final ??= bestSampling(this.#possible, this.#between(subjects));
    return this.#final;
  }

  /** The variance between processes, from the differences of each round if there are several subjects. */
  #between([baseline = '', ...others]: readonly string[]): number {
    const { within = 0 } = this.#possible?.find(({ plan }) => plan === this.#first) ?? {};
    const rates = this.#runs.get(baseline) ?? new Map<number, SucceededRun>();
    const logs = (runs: ReadonlyMap<number, SucceededRun>) =>
      [...runs].map(([round, { values }]) => [round, Math.log(values.rate)] as const);
    if (others.length === 0) return betweenVariance([logs(rates).map(([, log]) => log)], within);
    const ofBaseline = new Map(logs(rates));
    const differences = others.map((name) =>
      logs(this.#runs.get(name) ?? new Map<number, SucceededRun>()).flatMap(([round, log]) => {
        const other = ofBaseline.get(round);
        return other === undefined ? [] : [(log - other) / Math.SQRT2];
      }),
    );
    return betweenVariance(differences, within);
  }
}

function samplingsOf(runs: readonly SucceededRun[]): readonly Sampling[] {
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
