import type { Shard } from '@bench-cli/results/recording';
import { UsageError } from '@bench-cli/results';

/** The variables of a process's environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** How a CI system or a scheduler tells a job its place among its like. */
interface JobArray {
  readonly name: string;
  /** The variable with the place of this job. */
  readonly index: string;
  /** The place of the first job: a number, or the variable that has it. */
  readonly first: number | string;
  /** The variable with the distance from one place to the next. Default: 1. */
  readonly step?: string;
  /** The variable with the place of the last job, where places may be left out. */
  readonly last?: string;
  /** The variable with the number of jobs, where there is one. */
  readonly count?: string;
}

const jobArrays: readonly JobArray[] = [
  { name: 'GitLab with "parallel"', index: 'CI_NODE_INDEX', first: 1, count: 'CI_NODE_TOTAL' },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', first: 0, count: 'CIRCLE_NODE_TOTAL' },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', first: 0, count: 'BUILDKITE_PARALLEL_JOB_COUNT' },
  { name: 'Semaphore', index: 'SEMAPHORE_JOB_INDEX', first: 1, count: 'SEMAPHORE_JOB_COUNT' },
  // A pod is not told how many completions its job has.
  { name: 'a Kubernetes Indexed Job', index: 'JOB_COMPLETION_INDEX', first: 0 },
  {
    name: 'a Slurm array',
    index: 'SLURM_ARRAY_TASK_ID',
    first: 'SLURM_ARRAY_TASK_MIN',
    step: 'SLURM_ARRAY_TASK_STEP',
    last: 'SLURM_ARRAY_TASK_MAX',
    count: 'SLURM_ARRAY_TASK_COUNT',
  },
];

/**
 * Which shard this process is, by the variables of the CI system or scheduler that started it.
 * @param count how many there are, for systems that do not tell
 * @throws UsageError when the variables say nothing, contradict each other or `count`, or are no numbers
 */
export function shardFromVariables(variables: Variables, count?: number): Shard {
  const option = `--shard auto${count === undefined ? '' : `/${count}`}`;
  const [found, ...others] = jobArrays.filter(({ index }) => isSet(variables[index]));
  if (found === undefined) {
    const lookedFor = jobArrays.map(({ index, name }) => `${index} (${name})`).join(', ');
    const hint =
      variables['GITHUB_ACTIONS'] === 'true'
        ? `; GitHub Actions has no variables for it, write --shard \${{ matrix.shard }}/\${{ strategy.job-total }}`
        : '; say which shard this is, as in --shard 3/8';
    throw new UsageError('ERR_BENCH_SHARD', `${option}: the environment has none of ${lookedFor}${hint}`);
  }
  const shard = shardOf(found, variables, count, option);
  for (const other of others) {
    const { index, count: of } = shardOf(other, variables, count, option);
    if (index === shard.index && of === shard.count) continue;
    throw new UsageError('ERR_BENCH_SHARD', 
      `${option}: ${found.name} says ${shard.index}/${shard.count}, ${other.name} says ${index}/${of}; say which shard this is, as in --shard 3/8`,
    );
  }
  return shard;
}

function shardOf(array: JobArray, variables: Variables, given: number | undefined, option: string): Shard {
  const number = (name: string, least: number): number => {
    const text = variables[name] ?? '';
    if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
    throw new UsageError('ERR_BENCH_SHARD', 
      text === ''
        ? `${option}: ${array.name} set ${array.index} but not ${name}; say which shard this is, as in --shard 3/8`
        : `${option}: ${name}=${text} is no whole number from ${least} on, as ${array.name} sets it; say which shard this is, as in --shard 3/8`,
    );
  };
  const told = array.count !== undefined && isSet(variables[array.count]) ? array.count : undefined;
  const count = told === undefined ? given : number(told, 1);
  if (count === undefined) {
    throw new UsageError('ERR_BENCH_SHARD', 
      `${option}: ${array.name} tells the index (${array.index}=${variables[array.index]}), but not how many shards there are; write --shard auto/8 for eight`,
    );
  }
  if (given !== undefined && given !== count) {
    throw new UsageError('ERR_BENCH_SHARD', 
      `${option}: ${told}=${count} tells of another number of shards; if this job repeats one of ${given}, say which, as in --shard 3/${given}`,
    );
  }
  const first = typeof array.first === 'number' ? array.first : number(array.first, 0);
  const step = array.step !== undefined && isSet(variables[array.step]) ? number(array.step, 1) : 1;
  const index = (number(array.index, first) - first) / step + 1;
  const lastIndex = array.last === undefined ? count : (number(array.last, first) - first) / step + 1;
  if (!Number.isInteger(index) || index > count || lastIndex !== count) {
    const values = [array.index, array.first, array.last, array.step, told]
      .filter((name) => typeof name === 'string' && isSet(variables[name]))
      .map((name) => `${name}=${variables[name ?? '']}`);
    throw new UsageError('ERR_BENCH_SHARD', 
      `${option}: ${values.join(', ')} make no shard of ${count}, as ${array.name} numbers them; say which shard this is, as in --shard 3/8`,
    );
  }
  return { index, count };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
