import { caseName, counted, mostRuns, shownIn } from '@bench-cli/results';
import type {
  BenchmarkFailure,
  FailedRun,
  Failure,
  PlanRecord,
  SessionRequest,
  Shard,
} from '@bench-cli/results/recording';

export function shardText({ index, count }: Shard, plan: PlanRecord): string {
  const shards = plan.benchmarks.flatMap((benchmark) => benchmark.shards ?? []);
  const part = shards.filter((shard) => shard === index).length;
  return part === 0
    ? `shard ${index}/${count} has nothing to run: the session has ${counted(shards.length, 'case')}`
    : `shard ${index}/${count} has ${part} of ${shards.length} cases`;
}

export function failedRunText(run: FailedRun, { subjects, runs }: SessionRequest): string {
  const details = [
    ...(subjects.length > 1 ? [run.subject] : []),
    ...(mostRuns(runs) > 1 ? [`run ${run.round + 1}`] : []),
  ];
  return failureText(`${caseName(run)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`, run.failure);
}

const phases = {
  plan: 'could not be planned',
  setup: 'setup failed, so it does not run',
  teardown: 'teardown failed',
} as const;

export function benchmarkFailureText(
  { benchmark, phase, subject, failure }: BenchmarkFailure,
  comparing: boolean,
): string {
  const name = `${shownIn('name', benchmark)}${comparing ? ` (${subject})` : ''}`;
  return failureText(`${name}: ${phases[phase]}`, failure);
}

function failureText(heading: string, { message, place, output }: Failure): string {
  const lines = [`${heading}: ${message}`];
  if (place !== undefined) lines.push(`    at ${place}`);
  const isInternal = (line: string) => /^\s+at .*\bnode:internal\//.test(line);
  const printed = output === '' ? [] : output.split('\n').filter((line) => !isInternal(line));
  if (printed.length > 0) lines.push('    it printed:', ...printed.slice(-20).map((line) => `    | ${line}`));
  return lines.join('\n');
}
