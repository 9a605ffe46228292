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
export { UsageError } from '@bench-cli/results';
export {
  type AdaptiveRuns,
  type BenchmarkFailure,
  type BenchmarkFile,
  type CalibrationRecord,
  type Cost,
  type Environment,
  type FailedRun,
  type Failure,
  type FailureKind,
  mergeRecordings,
  type PlanRecord,
  type RecordedSession,
  type Recording,
  type RecordLine,
  type RunRecord,
  type Runtime,
  readRecording,
  readRecordings,
  type SessionRecord,
  type SessionRequest,
  type Shard,
  type Subject,
  type SucceededRun,
} from '@bench-cli/results/recording';
export { type BenchmarkerConfig, findConfigFile, loadConfigFile } from './http/config-file.ts';
export { cacheDirectory } from './locations.ts';
export type { AdaptiveOptions } from './plan/request.ts';
export { createRequest, type Request, type RequestOptions } from './plan/request.ts';
export { type ScheduledRun, schedule } from './plan/schedule.ts';
export {
  fastGovernor,
  type Governor,
  readGovernors,
  setGovernor,
  usualGovernor,
} from './process/governor.ts';
export { defaultRecordPath } from './record/record-file.ts';
export {
  type Calibration,
  type CalibrationEvent,
  type CalibrationOptions,
  calibrate,
  type Trial,
} from './session/calibration.ts';
export { type ComparedCase, type CompareOptions, type CompareResult, compare } from './session/compare.ts';
export type { Execution } from './session/execution.ts';
export type { Decision } from './session/pace.ts';
export { resumeSession, runSession, type SessionOptions } from './session/session.ts';
export type { PlanSummary, SessionEvent } from './session/session-event.ts';
export { readCosts } from './shard/cost.ts';
export { readShard } from './shard/shard-option.ts';
export { resolveSubject, type SubjectRequest } from './subject/subject.ts';
export { type Discovery, discover, type Selection } from './suite/discover.ts';
