import { UsageError } from '@bench-cli/results';
import { MOST_SHARDS, type Shard } from '@bench-cli/results/recording';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads `3/8` (the third of eight), `auto` (from the variables of a CI system or scheduler), or `auto/8` (the variables
 * contain only the index).
 * @throws UsageError for anything else, and for missing or invalid variables
 */
export function readShard(text: string, variables: Variables): Shard {
  const [, which, total] = /^(auto|\d{1,6})(?:\/(\d{1,6}))?$/.exec(text) ?? [];
  const given = total === undefined ? undefined : Number(total);
  const { index, count = 0 } =
    which === 'auto' && given !== 0
      ? shardFromVariables(variables, given)
      : { index: Number(which), count: given };
  if (index >= 1 && index <= count && count <= MOST_SHARDS) return { index, count };
  throw new UsageError(
    'ERR_BENCH_SHARD',
    `--shard ${text} is invalid: write 3/8 for the third of eight shards (they count from 1, up to ${MOST_SHARDS}), auto, or auto/8 if the environment contains only the index`,
  );
}

/** The variables with which a CI system or scheduler numbers parallel jobs. */
interface JobArray {
  readonly name: string;
  /** The variable with the number of this job. */
  readonly index: string;
  /** The number of the first job, or the variable that contains it. */
  readonly first: number | string;
  /** The variable with the distance between two numbers. Default: 1. */
  readonly step?: string;
  /** The variable with the number of the last job, if numbers can be missing. */
  readonly last?: string;
  /** The variable with the count of jobs, if there is one. */
  readonly count?: string;
}

const jobArrays: readonly JobArray[] = [
  { name: 'GitLab with "parallel"', index: 'CI_NODE_INDEX', first: 1, count: 'CI_NODE_TOTAL' },
  { name: 'CircleCI', index: 'CIRCLE_NODE_INDEX', first: 0, count: 'CIRCLE_NODE_TOTAL' },
  { name: 'Buildkite', index: 'BUILDKITE_PARALLEL_JOB', first: 0, count: 'BUILDKITE_PARALLEL_JOB_COUNT' },
  { name: 'Semaphore', index: 'SEMAPHORE_JOB_INDEX', first: 1, count: 'SEMAPHORE_JOB_COUNT' },
  // A pod has no variable with the number of completions.
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
 * The shard of this process, from the variables of the CI system or scheduler that started it.
 * @param count the number of shards, for systems without a variable for it
 * @throws UsageError if the variables are missing or invalid, or contradict each other or `count`
 */
function shardFromVariables(variables: Variables, count?: number): Shard {
  const option = `--shard auto${count === undefined ? '' : `/${count}`}`;
  const [found, ...others] = jobArrays.filter(({ index }) => isSet(variables[index]));
  if (found === undefined) {
    const names = jobArrays.map(({ index, name }) => `${index} (${name})`).join(', ');
    throw variablesError(
      `${option}: the environment contains none of ${names}`,
      variables['GITHUB_ACTIONS'] === 'true'
        ? `GitHub Actions has no such variables, write --shard \${{ matrix.shard }}/\${{ strategy.job-total }}`
        : undefined,
    );
  }
  const shard = shardOf(found, variables, count, option);
  for (const other of others) {
    const { index, count: total } = shardOf(other, variables, count, option);
    if (index === shard.index && total === shard.count) continue;
    throw variablesError(
      `${option}: the variables of ${found.name} give shard ${shard.index}/${shard.count}, but those of ${other.name} give ${index}/${total}`,
    );
  }
  return shard;
}

function variablesError(problem: string, remedy = 'give the shard, such as --shard 3/8'): UsageError {
  return new UsageError('ERR_BENCH_SHARD_VARIABLES', `${problem}: ${remedy}`);
}

function shardOf(array: JobArray, variables: Variables, given: number | undefined, option: string): Shard {
  const number = (name: string, least: number): number => {
    const text = variables[name] ?? '';
    if (/^\d+$/.test(text) && Number(text) >= least) return Number(text);
    throw variablesError(
      text === ''
        ? `${option}: ${array.index} of ${array.name} is set, but ${name} is not`
        : `${option}: ${name}=${text} of ${array.name} is not an integer, at least ${least}`,
    );
  };
  const countName = array.count !== undefined && isSet(variables[array.count]) ? array.count : undefined;
  const count = countName === undefined ? given : number(countName, 1);
  if (count === undefined) {
    throw variablesError(
      `${option}: the variables of ${array.name} contain the index (${array.index}=${variables[array.index]}), but not the number of shards`,
      'add it, such as --shard auto/8',
    );
  }
  if (given !== undefined && given !== count) {
    throw variablesError(
      `${option}: ${countName}=${count} contradicts the ${given} shards of the option`,
      `if this job repeats one shard, give it, such as --shard 3/${given}`,
    );
  }
  const first = typeof array.first === 'number' ? array.first : number(array.first, 0);
  const step = array.step !== undefined && isSet(variables[array.step]) ? number(array.step, 1) : 1;
  const index = (number(array.index, first) - first) / step + 1;
  const lastIndex = array.last === undefined ? count : (number(array.last, first) - first) / step + 1;
  if (!Number.isInteger(index) || index > count || lastIndex !== count) {
    const values = [array.index, array.first, array.last, array.step, countName]
      .filter((name) => typeof name === 'string' && isSet(variables[name]))
      .map((name) => `${name}=${variables[name ?? '']}`);
    throw variablesError(
      `${option}: ${values.join(', ')} of ${array.name} do not give one of ${count} shards`,
    );
  }
  return { index, count };
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
