import type { Configuration } from '@bench-cli/results';
import { withCount } from '@bench-cli/results/recording';
import type { Executor, RunOutcome } from './execution.ts';

/** The outcome of a run with one count of operations. */
export interface CountTrial {
  readonly outcome: RunOutcome;
  /** Milliseconds between `start()` and `end()`; 0 if the run failed. */
  readonly measuredMs: number;
}

/** Executes runs of a benchmark with different counts of operations, in search of the best one. */
export class CountTrials {
  readonly #executor: Executor;
  readonly #benchmark: string;
  readonly #parameter: string;
  readonly #signal: AbortSignal | undefined;
  #runs = 0;
  #spentMs = 0;

  /** @param parameter the parameter that counts operations */
  constructor(executor: Executor, benchmark: string, parameter: string, signal: AbortSignal | undefined) {
    this.#executor = executor;
    this.#benchmark = benchmark;
    this.#parameter = parameter;
    this.#signal = signal;
  }

  /** The number of runs so far. */
  get runs(): number {
    return this.#runs;
  }

  /** Milliseconds of wall time of all runs so far. */
  get spentMs(): number {
    return this.#spentMs;
  }

  async run(configuration: Configuration, count: number, subject: string, round = 0): Promise<CountTrial> {
    const tried = withCount(configuration, this.#parameter, count);
    const run = { benchmark: this.#benchmark, configuration: tried, subject, round };
    const outcome = await this.#executor.execute(run, this.#signal);
    this.#runs++;
    this.#spentMs += outcome.durationMs;
    return { outcome, measuredMs: outcome.status === 'ok' ? Number(outcome.time) * 1000 : 0 };
  }
}
