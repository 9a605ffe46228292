import type { SessionSettings } from '@bench-cli/results/recording';
import type { Failure, Subject } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';
import type { Script } from './script.ts';
import type { Supervisor } from '../process/supervisor.ts';

/** A kind of suite: how its benchmarks are found, planned and started. All that comes after is the same for all. */
export interface SuiteKind {
  readonly name: string;
  /** Whether a directory, with groups below it, is a suite of this kind. */
  recognises(directory: string): boolean;
  /** The paths of the benchmarks in a group or one of its directories, in order. */
  benchmarksIn(directory: string): readonly string[];
  /** Asks a script for its configurations; nothing is measured. */
  plan(path: string, suite: string, session: PlanningSession): Promise<ScriptPlan | Failure>;
}

/** What planning a script takes besides the script. */
export interface PlanningSession {
  readonly subject: Subject;
  readonly settings: SessionSettings;
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal | undefined;
}

/** What a script is under one subject. */
export interface ScriptPlan {
  readonly script: Script;
  readonly configurations: readonly Configuration[];
  /** The names of its parameters. */
  readonly parameters: readonly string[];
  readonly setup: boolean;
  readonly teardown: boolean;
  /**
   * Why the script does not tell its configurations, if it does not: then it runs all of them itself, in one process,
   * and `configurations` holds an empty one that stands for them.
   */
  readonly unplanned?: string | undefined;
  /** Why the script ended in good order without a benchmark, if it did: what it printed, such as that it lacks something. */
  readonly skipped?: string | undefined;
}
