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
export type { AnyConfiguration } from '../parameters.ts';
export type { Latency, ProcessUsage } from '../protocol.ts';
export type { AdaptiveOptions, AdaptiveRuns } from './adaptive-runs.ts';
export type { BenchmarkFile } from './benchmark-file.ts';
export { cacheDirectory } from './cache.ts';
export {
  type Calibration,
  type CalibrationEvent,
  type CalibrationOptions,
  calibrate,
  type Trial,
} from './calibration.ts';
export { type ComparedConfiguration, type CompareOptions, type CompareResult, compare } from './compare.ts';
export { comparedRun } from './compared-run.ts';
export { readCosts } from './cost.ts';
export { type Discovery, discover, type Selection } from './discover.ts';
export type { Environment } from './environment.ts';
export type { Execution } from './execution.ts';
export { type Failure, type FailureKind, UsageError } from './failure.ts';
export { fastGovernor, type Governor, readGovernors, setGovernor, usualGovernor } from './governor.ts';
export { mergeRecordings, readRecordings } from './merge.ts';
export type { Decision } from './pace.ts';
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
} from './record.ts';
export { reportedConfiguration } from './record.ts';
export { defaultRecordPath, type RecordedSession, type Recording, readRecording } from './record-file.ts';
export { createRequest, type Request, type RequestOptions } from './request.ts';
export { type ScheduledRun, schedule } from './schedule.ts';
export { resumeSession, runSession, type SessionOptions } from './session.ts';
export type { PlanSummary, SessionEvent } from './session-event.ts';
export type { Cost, Shard } from './shard.ts';
export { readShard } from './shard-option.ts';
export { type Runtime, resolveSubject, type Subject, type SubjectRequest } from './subject.ts';
export { subjectNames } from './subject-names.ts';
