/**
 * Results files: the types of their lines, reading and validating them, and merging the files of several machines.
 * `@bench-cli/runner` writes them. Also the reports of other tools.
 *
 * @packageDocumentation
 */

export { isToolReport, readToolReport } from '../tool-report/tool-report.ts';
export { difference, inherited } from './difference.ts';
export { executedAs, withCount } from './executed-case.ts';
export type {
  AdaptiveRuns,
  BenchmarkFailure,
  BenchmarkFile,
  CalibrationRecord,
  Cost,
  Environment,
  FailedRun,
  Failure,
  LoadedCode,
  LoadedRecord,
  MetricDescription,
  MetricRequest,
  PlanRecord,
  RecordLine,
  RunKind,
  RunRecord,
  Runtime,
  SessionRecord,
  SessionRequest,
  SessionSettings,
  Shard,
  Subject,
  SubjectPackage,
  SubjectSource,
  SucceededRun,
  Values,
  VersionRecord,
} from './line.ts';
export {
  CONTROL_ROUNDS,
  LINE_LIMIT_BYTES,
  RECORD_FORMAT,
  runtimeNames,
  scheduledConfiguration,
} from './line.ts';
export { LineReader } from './line-reader.ts';
export { mergeRecordings, readRecordings } from './merge.ts';
export { changedBenchmark, changedFile } from './merge-check.ts';
export { extended, type Recording, readRecording, readSessions, recordingOf } from './read.ts';
export { recordedSettings, settingsOfRequest, settingWords } from './recorded-settings.ts';
export { subjectOrders } from './subject-order.ts';
