/**
 * The API for programs, which can do all that the commands do (`docs/embed.md`). Benchmark files import
 * `@bench-cli/core`.
 *
 * @packageDocumentation
 */
export { comparisonJson, renderComparison, summarize } from '@bench-cli/report';
export { renderReport } from '@bench-cli/report/page';
export { samplePairs } from '@bench-cli/results';
export {
  type CompareOptions,
  type CompareResult,
  checkBenchmarks,
  compare,
  createRequest,
  profileCases,
  type Recording,
  type Request,
  type RequestOptions,
  type ResumeOptions,
  type RunRecord,
  readRecording,
  readRecordings,
  readSubject,
  resumeSession,
  runSession,
  type SessionEvent,
  type SessionOptions,
  type SessionRequest,
  type SubjectRequest,
  type SubjectRequests,
  UsageError,
  writeRecordings,
} from '@bench-cli/runner';
export { compareFixed, rankValues, verdictWord } from '@bench-cli/stats';
