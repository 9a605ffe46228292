import type { SamplePlan, SamplingOrder } from '@bench-cli/core/protocol';
import { type Case, caseKey } from '@bench-cli/results';
import { type RunRecord, type SucceededRun, scheduledConfiguration } from '@bench-cli/results/recording';
import { planSampling } from '@bench-cli/stats/internal';

/**
 * Plans how long the processes of each case sample. The first round of a case is the pilot of all its subjects; all later rounds get
 * the plan that is made of it. Plans depend only on the runs so far, so that a resumed session makes the same.
 */
export class SamplePlans {
  /** The runs of the cases without a plan, by key. */
  readonly #pilots = new Map<string, SucceededRun[]>();
  /** Undefined for a case whose declared times stay. */
  readonly #plans = new Map<string, SamplePlan | undefined>();

  /** Takes a run of this session, executed now or before an interruption. */
  take(run: RunRecord): void {
    const key = caseKey({ benchmark: run.benchmark, configuration: scheduledConfiguration(run) });
    if (run.status === 'failed' || this.#plans.has(key)) return;
    this.#pilots.set(key, [...(this.#pilots.get(key) ?? []), run]);
  }

  /** How the runs of a case in its next round sample. @param subjects the subjects that run in it */
  of(scheduled: Case, subjects: readonly string[]): SamplingOrder | undefined {
    const key = caseKey(scheduled);
    if (!this.#plans.has(key)) {
      const pilots = this.#pilots.get(key) ?? [];
      if (!subjects.every((name) => pilots.some(({ subject }) => subject === name))) return 'pilot';
      this.#plans.set(key, planOf(pilots));
      this.#pilots.delete(key);
    }
    return this.#plans.get(key);
  }
}

function planOf(runs: readonly SucceededRun[]): SamplePlan | undefined {
  const pilots = runs.flatMap(({ sampling, durationMs }) =>
    sampling?.pilot === undefined
      ? []
      : [{ ...sampling.pilot, processMs: durationMs - sampling.warmUpMs - sampling.measuredMs }],
  );
  // Without measure(), or if an operation is too long for it.
  if (pilots.length < runs.length) return undefined;
  return planSampling(
    pilots.map(({ windows }) => windows),
    {
      longestMs: Math.min(...pilots.map(({ longestMs }) => longestMs)),
      processMs: Math.max(0, Math.min(...pilots.map(({ processMs }) => processMs))),
    },
  );
}
