import { configurationText } from '@bench-cli/results';
import type { BenchmarkFailure, FailedRun, Failure } from '@bench-cli/results/recording';

/** A failed run, for a person: which, why, where, and what it had printed. */
export function failedRunText(
  { benchmark, configuration, subject, failure }: FailedRun,
  comparing: boolean,
): string {
  const heading = [benchmark, configurationText(configuration), ...(comparing ? [`(${subject})`] : [])]
    .filter((part) => part !== '')
    .join(' ');
  return textOf(heading, failure);
}

const phases = {
  plan: 'could not be planned',
  setup: 'setup failed, so it does not run',
  teardown: 'teardown failed',
} as const;

/** A benchmark that could not be prepared, for a person. */
export function benchmarkFailureText(
  { benchmark, phase, subject, failure }: BenchmarkFailure,
  comparing: boolean,
): string {
  return textOf(`${benchmark}${comparing ? ` (${subject})` : ''}: ${phases[phase]}`, failure);
}

function textOf(heading: string, { message, place, output }: Failure): string {
  const lines = [`${heading}: ${message}`];
  if (place !== undefined) lines.push(`    at ${place}`);
  const printed = output === '' ? [] : output.split('\n');
  if (printed.length > 0) lines.push('    it printed:', ...printed.slice(-20).map((line) => `    | ${line}`));
  return lines.join('\n');
}
