import type { BenchmarkFailure, CalibrationRecord, PlanRecord, SessionRecord } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';
import type { Execution } from './execution.ts';
import type { Decision } from './pace.ts';

/** What happens in a session, in order. */
export type SessionEvent =
  | { readonly type: 'session'; readonly session: SessionRecord }
  /** The configurations of a benchmark are about to be asked for. */
  | { readonly type: 'planning'; readonly benchmark: string; readonly index: number; readonly count: number }
  /** What the session executes, all shards together. */
  | { readonly type: 'plan'; readonly record: PlanRecord }
  /** What is executed here. */
  | { readonly type: 'planned'; readonly benchmarks: readonly PlanSummary[]; readonly totalRuns: number }
  | { readonly type: 'benchmark start'; readonly benchmark: string }
  | { readonly type: 'benchmark end'; readonly benchmark: string; readonly durationMs: number }
  /** The count of operations of a configuration is about to be found. */
  | { readonly type: 'calibrating'; readonly benchmark: string; readonly configuration: Configuration }
  | { readonly type: 'calibrated'; readonly record: CalibrationRecord; readonly resumed: boolean }
  | Execution
  /** A configuration of an adaptive session gets no more runs. */
  | { readonly type: 'decision'; readonly decision: Decision }
  | { readonly type: 'failure'; readonly record: BenchmarkFailure }
  | { readonly type: 'warning'; readonly message: string };

export interface PlanSummary {
  readonly benchmark: string;
  readonly configurations: number;
  /** In an adaptive session the most there can be. */
  readonly totalRuns: number;
}
