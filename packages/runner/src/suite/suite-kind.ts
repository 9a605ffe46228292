import type { Configuration } from '@bench-cli/results';
import type { Failure, SessionSettings, Subject } from '@bench-cli/results/recording';
import type { Supervisor } from '../process/supervisor.ts';
import type { Script } from './script.ts';

/** A kind of suite: how its benchmarks are found, planned and started. Everything after that is the same for all kinds. */
export interface SuiteKind {
  readonly name: string;
  /** Whether a directory, with groups below it, is a suite of this kind. */
  recognises(directory: string): boolean;
  /** The paths of the benchmarks in a group or one of its directories, in order. */
  benchmarksIn(directory: string): readonly string[];
  /** Gets the configurations of a script without measuring. */
  plan(path: string, suite: string, session: PlanningSession): Promise<ScriptPlan | Failure>;
}

/** The context in which a script is planned. */
export interface PlanningSession {
  readonly subject: Subject;
  readonly settings: SessionSettings;
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal | undefined;
}

/** The plan of a script under one subject. */
export interface ScriptPlan {
  readonly script: Script;
  readonly configurations: readonly Configuration[];
  /** The names of its parameters. */
  readonly parameters: readonly string[];
  readonly setup: boolean;
  readonly teardown: boolean;
  /**
   * Why the configurations are unknown, if they are. The script then runs all of them in one process, and
   * `configurations` has one empty configuration in place of them.
   */
  readonly unplanned?: string | undefined;
  /** The output of a script that exited normally without creating a benchmark, for example for a missing dependency. */
  readonly skipped?: string | undefined;
}
