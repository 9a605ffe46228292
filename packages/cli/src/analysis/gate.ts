import { comparisonName, type NewCase, pValue, ratioChange } from '@bench-cli/report';
import { caseName, comparisonKey, counted, UsageError } from '@bench-cli/results';
import type { MetricDescription, SessionRequest } from '@bench-cli/results/recording';
import {
  applyGates,
  type Comparison,
  type ComparisonList,
  type Gate,
  type GatedComparison,
  type MetricList,
  parseGate,
} from '@bench-cli/stats';
import type { GateOptions } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { latencyMetrics } from './latency-metrics.ts';
import { shortList } from './recording-text.ts';

/**
 * The gates that `--fail-on` names.
 *
 * @throws UsageError for an invalid threshold, and for --allow-missing without one
 */
export function gatesOf({ failOn = [], allowMissing }: GateOptions): readonly Gate[] {
  if (allowMissing && failOn.length === 0) {
    throw new UsageError(
      'ERR_BENCH_OPTION_CONFLICT',
      '--allow-missing requires --fail-on: add a threshold, or remove --allow-missing',
    );
  }
  return failOn.map(parseGate);
}

const latencies = latencyMetrics.map(({ metric }) => metric);

/**
 * Checks that the metrics of gates were measured.
 * @throws UsageError for one that was not
 */
export function checkGates(gates: readonly Gate[], measured: readonly MetricDescription[]): void {
  const names = measured.map(({ name }) => name);
  const unknown = gates.find(({ metric }) => metric !== undefined && !names.includes(metric));
  if (unknown === undefined) return;
  const { metric: name, text } = unknown;
  const problem = latencies.some((each) => each.name === name)
    ? `there is no "${name}" to judge, which requires benchmarks that call bench.http() and a fixed number of runs; measure these with --runs 30`
    : `the metric "${name}" is not measured; measure with --metric ${name}`;
  throw new UsageError(
    'ERR_BENCH_GATE',
    `--fail-on ${text}: ${problem}, or use ${['slower', 'faster', ...names].join(', ')}`,
  );
}

/**
 * Checks that a session can measure the metrics of gates. Whether a benchmark has latencies shows in its runs.
 * @throws UsageError as `checkGates`
 */
export function checkPlannedGates(gates: readonly Gate[], { metrics, runs }: SessionRequest): void {
  checkGates(gates, [...(metrics?.metrics ?? []), ...(typeof runs === 'number' ? latencies : [])]);
}

/** A longer list is cut. */
const mostListed = 50;

/**
 * Shows what crosses gates, and what they cannot judge.
 *
 * @param metrics the comparisons of the metrics that were measured
 * @param missing missing results, which fail the command; undefined to accept all that is missing
 * @param newCases cases that are not compared, so that a comparison without any other passes
 * @returns whether the command fails
 */
export function gateIsCrossed(
  list: ComparisonList,
  metrics: readonly MetricList[],
  gates: readonly Gate[],
  missing: readonly string[] | undefined,
  newCases: readonly NewCase[],
  terminal: Terminal,
): boolean {
  if (list.comparisons.length === 0 && newCases.length === 0) {
    terminal.failure(`--fail-on has nothing to judge: no run succeeded`);
    return true;
  }
  const { crossed, uncertain, unjudged } = applyGates(list, gates, metrics);
  const thresholds = gates.map(({ text }) => text).join(' or ');
  const isMissing = (comparison: Comparison) =>
    (comparison.old === null || comparison.new === null) &&
    missing?.some((text) => text.startsWith(`${caseName(comparison)}: `)) === true;
  const open = [
    ...(missing ?? []),
    ...unjudged
      .filter(({ comparison }) => comparison.metric !== undefined || !isMissing(comparison))
      .map((each) => `${nameOf(each)}: too few or too noisy runs`),
    ...withoutMetric(list, metrics, gates),
  ];
  if (open.length > 0) {
    const lines = open.slice(0, mostListed);
    if (open.length > mostListed) lines.push(`and ${open.length - mostListed} more`);
    const what = `--fail-on cannot judge ${counted(open.length, 'item')}`;
    const listed = lines.map((line) => `\n    ${line}`).join('');
    if (missing === undefined) terminal.notice(`warning: ${what}${listed}`);
    else
      terminal.failure(
        `${what}, so the comparison does not pass: measure what is missing, or accept it with --allow-missing${listed}`,
      );
  }
  if (uncertain.length > 0) {
    const what = counted(uncertain.length, 'comparison');
    const advice =
      list.kind === 'sequential'
        ? 'adaptive runs continue for the --fail-on of compare itself, up to --max-runs: measure with it, or with more --max-runs'
        : 'measure again with more --runs';
    terminal.notice(
      `warning: ${what} measured beyond ${thresholds}, but not certain to be: ${advice} (${shortList(uncertain.map(withInterval))})`,
    );
  }
  if (crossed.length > 0) {
    const names = crossed.map(
      ({ adjustedP, ...of }) => `${withInterval(of)}, corrected p ${pValue(adjustedP)}`,
    );
    const judged = new Set(gates.map(({ metric }) => metric));
    const count = metrics
      .filter(({ metric }) => judged.has(metric.name))
      .reduce((sum, { list: ofMetric }) => sum + ofMetric.comparisons.length, 0);
    terminal.failure(
      `${crossed.length} of ${count + (judged.has(undefined) ? list.comparisons.length : 0)} comparisons crossed ${thresholds} (${shortList(names)})`,
    );
  }
  return crossed.length > 0 || (missing !== undefined && open.length > 0);
}

/** Names the comparisons of the rate that a metric with a gate lacks. */
function withoutMetric(
  list: ComparisonList,
  metrics: readonly MetricList[],
  gates: readonly Gate[],
): readonly string[] {
  const comparisons: readonly Comparison[] = list.comparisons;
  return metrics
    .filter(({ metric }) => gates.some((gate) => gate.metric === metric.name))
    .flatMap(({ metric, list: ofMetric }) => {
      const known = new Set(ofMetric.comparisons.map(comparisonKey));
      return comparisons
        .filter((comparison) => !known.has(comparisonKey(comparison)))
        .map((comparison) => `${metric.name} of ${comparisonName(comparison, list)}: no value`);
    });
}

function nameOf({ comparison, list }: GatedComparison): string {
  const name = comparisonName(comparison, list);
  return comparison.metric === undefined ? name : `${comparison.metric.name} of ${name}`;
}

function withInterval(of: GatedComparison): string {
  const { ratio } = of.comparison.judgement;
  const interval = ratio === null ? '' : `: ${ratioChange(ratio.low)} to ${ratioChange(ratio.high)}`;
  return `${nameOf(of)}${interval}`;
}
