import { comparisonName, type NewCase, pValue, ratioChange } from '@bench-cli/report';
import { caseName, UsageError } from '@bench-cli/results';
import { applyGates, type Comparison, type ComparisonList, type Gate, parseGate } from '@bench-cli/stats';
import type { GateOptions } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { counted, shortList } from './recording-text.ts';

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

/** A longer list is cut. */
const mostListed = 50;

/**
 * Shows what crosses gates, and what they cannot judge.
 *
 * @param missing missing results, which fail the command; undefined to accept all that is missing
 * @param newCases cases that are not compared, so that a comparison without any other passes
 * @returns whether the command fails
 */
export function gateIsCrossed(
  list: ComparisonList,
  gates: readonly Gate[],
  missing: readonly string[] | undefined,
  newCases: readonly NewCase[],
  terminal: Terminal,
): boolean {
  const failed = terminal.paint('red', 'failed:', 'stderr');
  if (list.comparisons.length === 0 && newCases.length === 0) {
    terminal.notice(`${failed} --fail-on has nothing to judge: no run succeeded`);
    return true;
  }
  const { crossed, uncertain, unjudged } = applyGates(list, gates);
  const thresholds = gates.map(({ text }) => text).join(' or ');
  const isMissing = (comparison: Comparison) =>
    (comparison.old === null || comparison.new === null) &&
    missing?.some((text) => text.startsWith(`${caseName(comparison)}: `)) === true;
  const open = [
    ...(missing ?? []),
    ...unjudged
      .filter((comparison) => !isMissing(comparison))
      .map((comparison) => `${comparisonName(comparison, list)}: too few or too noisy runs`),
  ];
  if (open.length > 0) {
    const lines = open.slice(0, mostListed);
    if (open.length > mostListed) lines.push(`and ${open.length - mostListed} more`);
    const what = `--fail-on cannot judge ${counted(open.length, 'item')}`;
    terminal.notice(
      [
        missing === undefined
          ? `warning: ${what}`
          : `${failed} ${what}, so the comparison does not pass: measure what is missing, or accept it with --allow-missing`,
        ...lines.map((line) => `    ${line}`),
      ].join('\n'),
    );
  }
  if (uncertain.length > 0) {
    const what = counted(uncertain.length, 'comparison');
    const advice =
      list.kind === 'sequential'
        ? 'adaptive runs continue for the --fail-on of compare itself, up to --max-runs: measure with it, or with more --max-runs'
        : 'measure again with more --runs';
    terminal.notice(
      `warning: ${what} measured beyond ${thresholds}, but not certain to be: ${advice} (${shortList(uncertain.map((comparison) => withInterval(comparison, list)))})`,
    );
  }
  if (crossed.length > 0) {
    const names = crossed.map(
      ({ comparison, adjustedP }) => `${withInterval(comparison, list)}, corrected p ${pValue(adjustedP)}`,
    );
    terminal.notice(
      `${failed} ${crossed.length} of ${list.comparisons.length} comparisons crossed ${thresholds} (${shortList(names)})`,
    );
  }
  return crossed.length > 0 || (missing !== undefined && open.length > 0);
}

function withInterval(comparison: Comparison, list: ComparisonList): string {
  const { ratio } = comparison.judgement;
  const interval = ratio === null ? '' : `: ${ratioChange(ratio.low)} to ${ratioChange(ratio.high)}`;
  return `${comparisonName(comparison, list)}${interval}`;
}
