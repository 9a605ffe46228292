/**
 * Finds, plans, schedules, executes and records benchmarks: the programmatic API of bench-cli. The command
 * line adds only arguments, progress and output.
 *
 * It is not for statistics (`@bench-cli/stats`) or for reading CSV (`@bench-cli/results`), and benchmark
 * scripts import `@bench-cli/core`.
 *
 * @example
 * const subjects = { old: { runtime: 'node@22' }, new: { runtime: 'node@26' } };
 * const { request } = await createRequest('compare', subjects, { items: ['string_decoder'], runs: 10 });
 * for await (const event of runSession(request, { out: 'results.jsonl' })) {
 *   if (event.type === 'run' && event.record.status === 'ok') console.log(event.record.values.rate);
 * }
 *
 * @packageDocumentation
 */
export { UsageError } from '@bench-cli/results';
export {
  type Recording,
  type RunRecord,
  readRecording,
  readRecordings,
  type SessionRequest,
  writeRecordings,
} from '@bench-cli/results/recording';
export {
  type NamedSubject,
  type PackageRequest,
  readSubject,
  type SourceRequest,
  type SubjectRequest,
  type SubjectRequests,
} from '@bench-cli/subjects';
export type { CheckedCase, FindingKind } from './check/finding.ts';
export { type Decision, notify, type SessionEvent, type SessionListener } from './execution/session-event.ts';
export { benchmarkersOf } from './http/configured-benchmarkers.ts';
export { type Disturbance, diagnose, examineMachine, type MachineState } from './machine/diagnosis.ts';
export { setGovernor } from './machine/governor.ts';
export { type ScheduledRun, scheduleRound } from './plan/schedule.ts';
export type { ScriptedExecutor } from './process/supervisor.ts';
export { defaultRecordPath, formerComparisons } from './record/record-file.ts';
export { type ComparedCase, type CompareOptions, type CompareResult, compare } from './session/compare.ts';
export { type AdaptiveOptions, createRequest, type Request, type RequestOptions } from './session/request.ts';
export { type ResumeOptions, resumeSession, runSession, type SessionOptions } from './session/session.ts';
export { failedRuns, judgeSession, sessionCollector } from './session/session-result.ts';
export { hasBenchmarks, itemsIn, offeredItems } from './suite/discover.ts';
export { affectedFiles } from './task/affected-files.ts';
export { type CheckOptions, checkBenchmarks } from './task/benchmark-check.ts';
export { traceFunctions } from './task/function-trace.ts';
export { type ProfileOptions, profileCases } from './task/profiling.ts';
