/**
 * Results files: the types of their lines, reading and checking them, and merging those of several machines. Writing them
 * while runs end is the task of `@bench-cli/runner`.
 *
 * @packageDocumentation
 */
export { COUNT_PARAMETER, executedAs, withCount } from './calibration.ts';
export type {
  AdaptiveRuns,
  BenchmarkFailure,
  BenchmarkFile,
  CalibrationRecord,
  Cost,
  Environment,
  FailedRun,
  Failure,
  FailureKind,
  PlanRecord,
  RecordLine,
  RunRecord,
  Runtime,
  SessionRecord,
  SessionRequest,
  SessionSettings,
  Shard,
  Subject,
  SucceededRun,
} from './line.ts';
export { RECORD_FORMAT, scheduledConfiguration } from './line.ts';
export { LineReader } from './line-reader.ts';
export { mergeRecordings, readRecordings } from './merge.ts';
export { changedBenchmark } from './merge-check.ts';
export { type RecordedSession, type Recording, readRecording, readSessions } from './read.ts';
