import type { Case, Profiles, TracedFunction } from '@bench-cli/results';
import type {
  BenchmarkFailure,
  EndRecord,
  LoadedRecord,
  PlanRecord,
  RunRecord,
  SessionRecord,
  VersionRecord,
} from '@bench-cli/results/recording';
import type { Judgement } from '@bench-cli/stats';
import type { PrecisionJudgement, SearchedVersion, SearchResult } from '@bench-cli/stats/internal';
import type { CheckedCase } from '../check/finding.ts';
import type { ScheduledRun } from '../plan/schedule.ts';

/** The events of a session by their type, in their order. */
interface EventContents {
  readonly session: { readonly session: SessionRecord };
  readonly planning: { readonly benchmark: string; readonly index: number; readonly count: number };
  /** The cases of the session, all shards together. */
  readonly plan: { readonly record: PlanRecord };
  /** The next run loaded files that planning did not. */
  readonly loaded: { readonly record: LoadedRecord };
  /** The part of the session that is executed here. */
  readonly planned: { readonly benchmarks: readonly PlanSummary[]; readonly totalRuns: number };
  readonly 'benchmark start': { readonly benchmark: string };
  readonly 'benchmark end': { readonly benchmark: string; readonly durationMs: number };
  readonly start: { readonly run: ScheduledRun };
  readonly run: {
    /** Its kind says what it measured: the rate or metrics. */
    readonly record: RunRecord;
    /** Whether it was executed before the session was interrupted. */
    readonly resumed: boolean;
  };
  /** The configuration of this run has failed too often. Its later runs are skipped. */
  readonly 'give up': { readonly run: ScheduledRun };
  readonly skip: { readonly run: ScheduledRun };
  /** A case of an adaptive session gets no more runs. */
  readonly decision: { readonly decision: Decision };
  /** A round of an adaptive session has ended, and there is another one. */
  readonly outlook: {
    /** Scheduled cases that need more runs. */
    readonly open: number;
    /** Milliseconds until the last of them is decided, or until the time limit. */
    readonly leftMs: number;
  };
  /** A version of a bisection is about to be measured for the first time, or is skipped. */
  readonly version: { readonly record: VersionRecord; readonly resumed: boolean };
  /** A bisection leaves a version, to which it can return. */
  readonly step: { readonly step: SearchedVersion };
  readonly searched: { readonly result: SearchResult };
  readonly checked: { readonly checked: CheckedCase };
  readonly profiled: { readonly case: Case; readonly profiles: readonly Profiles[] };
  readonly traced: { readonly functions: readonly TracedFunction[] };
  readonly failure: { readonly record: BenchmarkFailure };
  readonly warning: {
    readonly message: string;
    /** The results file from now on, if another program took away the one before. */
    readonly movedTo?: string | undefined;
  };
  /** Everything that the session could measure is measured. */
  readonly end: { readonly record: EndRecord };
}

type EventType = keyof EventContents;

export type SessionEvent<Type extends EventType = EventType> = {
  readonly [Each in Type]: { readonly type: Each } & EventContents[Each];
}[Type];

/** Methods that get the events of the type that they are named after. */
type EventMethods = { readonly [Type in EventType]?: (event: SessionEvent<Type>) => unknown };

/** Follows a session, which waits for promises that methods return, so that nothing is measured meanwhile. */
export interface SessionListener extends EventMethods {
  readonly event?: ((event: SessionEvent) => unknown) | undefined;
}

/** Passes an event to listeners in their order. An error that one of them throws ends the session. */
export async function notify(listeners: readonly SessionListener[], event: SessionEvent): Promise<void> {
  for (const listener of listeners) {
    await callMethod(listener, event);
    await listener.event?.(event);
  }
}

function callMethod<Type extends EventType>(methods: EventMethods, event: SessionEvent<Type>): unknown {
  return methods[event.type]?.(event);
}

export interface PlanSummary {
  readonly benchmark: string;
  readonly configurations: number;
  /** In an adaptive session the maximum. */
  readonly totalRuns: number;
  /** Whether it is measured and not compared. */
  readonly isNew: boolean;
  /** Whether a process of its setup lives while it runs. */
  readonly isHeld: boolean;
}

/** The judgement of a case that gets no more runs under a subject. */
export interface Decision extends Case {
  /** In a comparison, the subject that is compared with the baseline. */
  readonly subject: string;
  readonly judgement: Judgement | PrecisionJudgement;
}
