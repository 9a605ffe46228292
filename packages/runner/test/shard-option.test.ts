import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { readShard } from '../src/shard/shard-option.ts';

const expectRefused = (
  text: string,
  variables: Readonly<Record<string, string>>,
  code: string,
  ...values: readonly string[]
) => expect(() => readShard(text, variables)).toThrow(errorWith(code, ...values));

describe('--shard', () => {
  it('counts from 1', () => {
    expect(readShard('3/8', {})).toEqual({ index: 3, count: 8 });
    expect(readShard('1/1', {})).toEqual({ index: 1, count: 1 });
  });

  it.each([
    '',
    '3',
    '8/',
    '/8',
    '3/8/1',
    '-1/8',
    '3.5/8',
    'x/8',
    'auto/x',
    'automatic',
    '1/9999999',
    '1/10001',
    '0/8',
    '9/8',
    '0/0',
    'auto/0',
  ])('refuses "%s"', (text) => {
    expectRefused(text, { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '1' }, 'SHARD', `--shard ${text} `);
  });
});

describe('--shard auto', () => {
  const slurm = (id: string, min: string, max: string, count: string, step: string) => ({
    SLURM_ARRAY_TASK_ID: id,
    SLURM_ARRAY_TASK_MIN: min,
    SLURM_ARRAY_TASK_MAX: max,
    SLURM_ARRAY_TASK_COUNT: count,
    SLURM_ARRAY_TASK_STEP: step,
  });

  it.each<[system: string, variables: Readonly<Record<string, string>>]>([
    ['GitLab, from 1', { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '8' }],
    ['CircleCI, from 0', { CIRCLE_NODE_INDEX: '2', CIRCLE_NODE_TOTAL: '8' }],
    ['Buildkite, from 0', { BUILDKITE_PARALLEL_JOB: '2', BUILDKITE_PARALLEL_JOB_COUNT: '8' }],
    ['Semaphore, from 1', { SEMAPHORE_JOB_INDEX: '3', SEMAPHORE_JOB_COUNT: '8' }],
    ['Slurm, --array=1-8', slurm('3', '1', '8', '8', '1')],
    ['Slurm, --array=0-7', slurm('2', '0', '7', '8', '1')],
    ['Slurm, --array=10-80:10', slurm('30', '10', '80', '8', '10')],
  ])('reads the variables of %s', (_, variables) => {
    expect(readShard('auto', variables)).toEqual({ index: 3, count: 8 });
    expect(readShard('auto/8', variables)).toEqual({ index: 3, count: 8 });
  });

  it('takes the count from the option if the environment does not contain it, as in Kubernetes', () => {
    const variables = { JOB_COMPLETION_INDEX: '2' };
    expect(readShard('auto/8', variables)).toEqual({ index: 3, count: 8 });
    const values = ['Kubernetes', 'JOB_COMPLETION_INDEX=2', '--shard auto/8'];
    expectRefused('auto', variables, 'SHARD_VARIABLES', ...values);
  });

  it('lists the variables that it knows if none is set', () => {
    expectRefused(
      'auto',
      { CI_NODE_TOTAL: '1', CIRCLE_NODE_INDEX: '' },
      'SHARD_VARIABLES',
      'CI_NODE_INDEX (GitLab with "parallel")',
      'CIRCLE_NODE_INDEX (CircleCI)',
      'BUILDKITE_PARALLEL_JOB (Buildkite)',
      'SEMAPHORE_JOB_INDEX (Semaphore)',
      'JOB_COMPLETION_INDEX (a Kubernetes Indexed Job)',
      'SLURM_ARRAY_TASK_ID (a Slurm array)',
      '--shard 3/8',
    );
  });

  it('shows the expressions of GitHub Actions, which has no variables for it', () => {
    const expressions = `--shard \${{ matrix.shard }}/\${{ strategy.job-total }}`;
    expectRefused('auto', { GITHUB_ACTIONS: 'true' }, 'SHARD_VARIABLES', expressions);
  });

  it.each<[what: string, variables: Readonly<Record<string, string>>, values: string[]]>([
    ['text', { CI_NODE_INDEX: 'three', CI_NODE_TOTAL: '8' }, ['CI_NODE_INDEX=three']],
    ['an index below the first', { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '8' }, ['CI_NODE_INDEX=0']],
    [
      'an index above the last',
      { CIRCLE_NODE_INDEX: '8', CIRCLE_NODE_TOTAL: '8' },
      ['CIRCLE_NODE_INDEX=8, CIRCLE_NODE_TOTAL=8'],
    ],
    ['a count of 0', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '0' }, ['CIRCLE_NODE_TOTAL=0']],
    ['an index without a count', { CI_NODE_INDEX: '3' }, ['CI_NODE_INDEX=3', '--shard auto/8']],
    [
      'a Slurm task without the first',
      { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '8' },
      ['SLURM_ARRAY_TASK_MIN'],
    ],
    ['a Slurm array with gaps', slurm('3', '1', '7', '3', '1'), ['SLURM_ARRAY_TASK_MAX=7', '3 shards']],
    ['a Slurm task between the steps', slurm('4', '1', '7', '4', '2'), ['SLURM_ARRAY_TASK_ID=4']],
    [
      'two systems that disagree',
      { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2', ...slurm('3', '1', '8', '8', '1') },
      ['GitLab with "parallel"', '1/2', 'a Slurm array', '3/8'],
    ],
  ])('refuses %s', (_, variables, values) => {
    expectRefused('auto', variables, 'SHARD_VARIABLES', ...values);
  });

  it('accepts two systems that agree', () => {
    const variables = { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '8', JOB_COMPLETION_INDEX: '2' };
    expect(readShard('auto/8', variables)).toEqual({ index: 3, count: 8 });
  });

  it('refuses a single repeated job as one of several shards', () => {
    const values = ['SLURM_ARRAY_TASK_COUNT=1', '--shard 3/8'];
    expectRefused('auto/8', slurm('3', '3', '3', '1', '1'), 'SHARD_VARIABLES', ...values);
  });
});
