/**
 * Finds, plans, schedules, executes and records benchmarks: the programmatic API, and all that the command line does
 * before it shows something. It is not for statistics (`@bench-cli/stats`), and not what a benchmark script imports
 * (`@bench-cli/core`).
 *
 * @example
 * const { request } = await createRequest('compare', { old: { runtime: 'node@22' }, new: { runtime: 'node@26' } }, {
 *   items: ['string_decoder'],
 *   runs: 10,
 * });
 * for await (const event of runSession(request, { out: 'results.jsonl' })) {
 *   if (event.type === 'run' && event.record.status === 'ok') console.log(event.record.benchmark, event.record.rate);
 * }
 */
export type { AnyConfiguration } from '@bench-cli/core';
export type { Latency, ProcessUsage } from '@bench-cli/core';
export type { AdaptiveOptions, AdaptiveRuns } from '@bench-cli/results';
export type { BenchmarkFile } from './suite/benchmark-file.ts';
export { cacheDirectory } from './subject/cache.ts';
export {
  type Calibration,
  type CalibrationEvent,
  type CalibrationOptions,
  calibrate,
  type Trial,
} from './session/calibration.ts';
export { type ComparedConfiguration, type CompareOptions, type CompareResult, compare } from './session/compare.ts';
export { comparedRun } from './session/compared-run.ts';
export { readCosts } from './shard/cost.ts';
export { type Discovery, discover, type Selection } from './suite/discover.ts';
export type { Environment } from './process/environment.ts';
export type { Execution } from './session/execution.ts';
export { type Failure, type FailureKind, UsageError } from './process/failure.ts';
export { fastGovernor, type Governor, readGovernors, setGovernor, usualGovernor } from './process/governor.ts';
export { mergeRecordings, readRecordings } from '@bench-cli/results';
export type { Decision } from './session/pace.ts';
export type {
  BenchmarkFailure,
  CalibrationRecord,
  FailedRun,
  PlanRecord,
  RecordLine,
  RunRecord,
  SessionRecord,
  SessionRequest,
  SucceededRun,
} from '@bench-cli/results';
export { reportedConfiguration } from '@bench-cli/results';
export { defaultRecordPath, type RecordedSession, type Recording, readRecording } from './record/record-file.ts';
export { createRequest, type Request, type RequestOptions } from './plan/request.ts';
export { type ScheduledRun, schedule } from './plan/schedule.ts';
export { resumeSession, runSession, type SessionOptions } from './session/session.ts';
export type { PlanSummary, SessionEvent } from './session/session-event.ts';
export type { Cost, Shard } from '@bench-cli/results';
export { readShard } from './shard/shard-option.ts';
export { type Runtime, resolveSubject, type Subject, type SubjectRequest } from './subject/subject.ts';
export { subjectNames } from '@bench-cli/results';
