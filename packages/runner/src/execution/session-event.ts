import type { Case, Configuration, Profiles } from '@bench-cli/results';
import type {
  BenchmarkFailure,
  CalibrationRecord,
  ImportedRecord,
  PlanRecord,
  RunRecord,
  SessionRecord,
  VersionRecord,
} from '@bench-cli/results/recording';
import type {
  PrecisionJudgement,
  SearchedVersion,
  SearchResult,
  SequentialJudgement,
} from '@bench-cli/stats/internal';
import type { CheckedCase } from '../check/finding.ts';
import type { ScheduledRun } from '../plan/schedule.ts';

/** The events of a session, in order. */
export type SessionEvent =
  | { readonly type: 'session'; readonly session: SessionRecord }
  | { readonly type: 'planning'; readonly benchmark: string; readonly index: number; readonly count: number }
  /** The cases of the session, all shards together. */
  | { readonly type: 'plan'; readonly record: PlanRecord }
  /** The next run loaded files that planning did not. */
  | { readonly type: 'imported'; readonly record: ImportedRecord }
  /** The part of the session that is executed here. */
  | { readonly type: 'planned'; readonly benchmarks: readonly PlanSummary[]; readonly totalRuns: number }
  | { readonly type: 'benchmark start'; readonly benchmark: string }
  | { readonly type: 'benchmark end'; readonly benchmark: string; readonly durationMs: number }
  /** The search for the count of operations of a configuration begins. */
  | { readonly type: 'calibrating'; readonly benchmark: string; readonly configuration: Configuration }
  | { readonly type: 'calibrated'; readonly record: CalibrationRecord; readonly resumed: boolean }
  /** A process begins. */
  | { readonly type: 'start'; readonly run: ScheduledRun }
  | {
      readonly type: 'run';
      /** Its kind says what it measured: the rate or metrics. */
      readonly record: RunRecord;
      /** Whether it was executed before the session was interrupted. */
      readonly resumed: boolean;
    }
  /** The configuration of this run has failed too often. Its later runs are skipped. */
  | { readonly type: 'give up'; readonly run: ScheduledRun }
  | { readonly type: 'skip'; readonly run: ScheduledRun }
  /** A case of an adaptive session gets no more runs. */
  | { readonly type: 'decision'; readonly decision: Decision }
  /** A round of an adaptive session has ended, and there is another one. */
  | {
      readonly type: 'outlook';
      /** Scheduled cases that need more runs. */
      readonly open: number;
      /** Milliseconds until the last of them is decided, or until the time limit. */
      readonly leftMs: number;
    }
  /** A version of a bisection is about to be measured for the first time, or is skipped. */
  | { readonly type: 'version'; readonly record: VersionRecord; readonly resumed: boolean }
  /** A bisection leaves a version, to which it can return. */
  | { readonly type: 'step'; readonly step: SearchedVersion }
  /** The search of a bisection has ended. */
  | { readonly type: 'searched'; readonly result: SearchResult }
  | { readonly type: 'checked'; readonly checked: CheckedCase }
  | { readonly type: 'profiled'; readonly case: Case; readonly profiles: readonly Profiles[] }
  | { readonly type: 'failure'; readonly record: BenchmarkFailure }
  | {
      readonly type: 'warning';
      readonly message: string;
      /** The results file from now on, if another program took away the one before. */
      readonly movedTo?: string | undefined;
    };

export interface PlanSummary {
  readonly benchmark: string;
  readonly configurations: number;
  /** In an adaptive session the maximum. */
  readonly totalRuns: number;
  /** Whether it is measured and not compared. */
  readonly isNew: boolean;
}

/** The judgement of a case that gets no more runs under a subject. */
export interface Decision extends Case {
  /** In a comparison, the subject that is compared with the baseline. */
  readonly subject: string;
  readonly judgement: SequentialJudgement | PrecisionJudgement;
}
