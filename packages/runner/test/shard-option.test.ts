import { describe, expect, it } from 'vitest';
import { readShard } from '../src/shard/shard-option.ts';

function complaint(text: string, variables: Readonly<Record<string, string>> = {}): string {
  try {
    readShard(text, variables);
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : '';
  }
  throw new Error('nothing was wrong');
}

describe('--shard', () => {
  it('counts from 1', () => {
    expect(readShard('3/8', {})).toEqual({ index: 3, count: 8 });
    expect(readShard('1/1', {})).toEqual({ index: 1, count: 1 });
  });

  it.each(['', '3', '8/', '/8', '3/8/1', '-1/8', '3.5/8', 'x/8', 'auto/x', 'automatic', '1/9999999'])(
    'takes no "%s"',
    (text) => {
      expect(complaint(text)).toBe(
        `UsageError: --shard ${text}: it takes the form 3/8 (the third of eight), or auto, or auto/8 where only the index is in the environment`,
      );
    },
  );

  it.each(['0/8', '9/8'])('takes no %s, and says what there is', (text) => {
    expect(complaint(text)).toMatch(/shards count from 1, so there are 1\/8 to 8\/8$/);
  });

  it('takes no part of nothing', () => {
    expect(complaint('0/0')).toMatch(/there must be at least one shard$/);
    expect(complaint('auto/0')).toMatch(/there must be at least one shard$/);
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

  it('is told how many there are where the environment does not tell, as that of Kubernetes', () => {
    const variables = { JOB_COMPLETION_INDEX: '2' };
    expect(readShard('auto/8', variables)).toEqual({ index: 3, count: 8 });
    expect(complaint('auto', variables)).toBe(
      'UsageError: --shard auto: a Kubernetes Indexed Job tells the index (JOB_COMPLETION_INDEX=2), but not how many shards there are; write --shard auto/8 for eight',
    );
  });

  it('names all that it looked for when there is nothing', () => {
    const message = complaint('auto', { CI_NODE_TOTAL: '1', CIRCLE_NODE_INDEX: '' });
    for (const name of [
      'CI_NODE_INDEX (GitLab with "parallel")',
      'CIRCLE_NODE_INDEX (CircleCI)',
      'BUILDKITE_PARALLEL_JOB (Buildkite)',
      'SEMAPHORE_JOB_INDEX (Semaphore)',
      'JOB_COMPLETION_INDEX (a Kubernetes Indexed Job)',
      'SLURM_ARRAY_TASK_ID (a Slurm array)',
    ]) {
      expect(message).toContain(name);
    }
    expect(message).toMatch(/; say which shard this is, as in --shard 3\/8$/);
  });

  it('tells how it is written on GitHub Actions, which has no variables for it', () => {
    expect(complaint('auto', { GITHUB_ACTIONS: 'true' })).toMatch(
      /write --shard \$\{\{ matrix\.shard \}\}\/\$\{\{ strategy\.job-total \}\}$/,
    );
  });

  it.each<[what: string, variables: Readonly<Record<string, string>>, says: RegExp]>([
    [
      'words',
      { CI_NODE_INDEX: 'three', CI_NODE_TOTAL: '8' },
      /CI_NODE_INDEX=three is no whole number from 1 on/,
    ],
    ['an index below the first', { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '8' }, /CI_NODE_INDEX=0 is no whole/],
    [
      'an index beyond the last',
      { CIRCLE_NODE_INDEX: '8', CIRCLE_NODE_TOTAL: '8' },
      /CIRCLE_NODE_INDEX=8, CIRCLE_NODE_TOTAL=8 make no shard of 8/,
    ],
    ['no jobs', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '0' }, /CIRCLE_NODE_TOTAL=0 is no whole/],
    [
      'an index alone',
      { CI_NODE_INDEX: '3' },
      /CI_NODE_INDEX=3\), but not how many .* write --shard auto\/8/,
    ],
    [
      'a Slurm task alone',
      { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '8' },
      /not SLURM_ARRAY_TASK_MIN/,
    ],
    [
      'a Slurm array with gaps',
      slurm('3', '1', '7', '3', '1'),
      /SLURM_ARRAY_TASK_MAX=7.* make no shard of 3/,
    ],
    [
      'a Slurm task beside the steps',
      slurm('4', '1', '7', '4', '2'),
      /SLURM_ARRAY_TASK_ID=4.* make no shard/,
    ],
    [
      'two systems that disagree',
      { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '2', ...slurm('3', '1', '8', '8', '1') },
      /GitLab with "parallel" says 1\/2, a Slurm array says 3\/8/,
    ],
  ])('refuses %s', (_, variables, says) => {
    expect(complaint('auto', variables)).toMatch(says);
  });

  it('takes two systems that agree', () => {
    const variables = { CI_NODE_INDEX: '3', CI_NODE_TOTAL: '8', JOB_COMPLETION_INDEX: '2' };
    expect(readShard('auto/8', variables)).toEqual({ index: 3, count: 8 });
  });

  it('does not take a job that is repeated alone for the whole', () => {
    expect(complaint('auto/8', slurm('3', '3', '3', '1', '1'))).toMatch(
      /SLURM_ARRAY_TASK_COUNT=1 tells of another number of shards; if this job repeats one of 8, say which, as in --shard 3\/8$/,
    );
  });
});
