/**
 * Statistics of benchmark results: judgements of samples of rates, with intervals, tests, corrections for
 * many comparisons, and the rules that stop adaptive runs. All functions are pure, and their figures agree
 * with R's.
 *
 * This package does not read files (`@bench-cli/results`) or render results (`@bench-cli/report`). It has
 * only the methods that benchmark rates need.
 * @packageDocumentation
 */
export { changePoints } from './change-points.ts';
export type { Comparison, ComparisonList, MetricList } from './comparison.ts';
export { compareFixed, compareMetrics } from './fixed-method.ts';
export { type Gate, type GateOutcome, judgeGates, parseGate } from './gate.ts';
export { type JudgedResults, judgeResults, type NewCase } from './judged-results.ts';
export { type Judgement, methods, type Verdict } from './judgement.ts';
export { rankValues } from './ranking.ts';
export type { RatioInterval } from './ratio.ts';
export { type SampleSummary, summarizeSample } from './sample.ts';
export { scatterTable } from './scatter.ts';
export { compareSequentially } from './sequential/sequential-method.ts';
export { rateWords, verdictWord } from './verdict-word.ts';
