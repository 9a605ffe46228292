/**
 * Results files: the types of their lines, reading and validating them, and merging the files of several machines.
 * `@bench-cli/runner` writes them.
 *
 * @packageDocumentation
 */
export { executedAs, withCount } from './calibration.ts';
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
export { LINE_LIMIT_BYTES, RECORD_FORMAT, scheduledConfiguration } from './line.ts';
export { LineReader } from './line-reader.ts';
export { mergeRecordings, readRecordings } from './merge.ts';
export { changedBenchmark } from './merge-check.ts';
export { type RecordedSession, type Recording, readRecording, readSessions } from './read.ts';
