import { describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const suite = sharedSuite({
  'g/ours.mjs': benchmark('{ n: 1 }'),
  'g/declared.bench.mjs': "import { Bench } from 'tinybench';\nnew Bench().add('a', () => {});\n",
  'g/node.mjs': "import { bench } from 'node:bench';\nbench('a', { tags: ['slow'] }, (b) => b.start());\n",
  'config/bench-cli.config.mjs':
    "export default { defaults: { samples: 3, prepare: 'false', tags: 'x', allowNewValues: true } };\n",
  'config/ours.mjs': benchmark('{ n: 1 }'),
  'config/g/ours.mjs': benchmark('{ n: 1 }'),
});

const dryRun = (command: string, item: string, options: readonly string[], cwd = '.') =>
  benchCli([command, item, '--dry-run', ...options], { cwd: suite.path(cwd) });

const own = ['--old', process.execPath, '--new', `${process.execPath},flags=--no-opt`];

describe('an option', () => {
  it.each([
    ['run', 'echo x', ['--samples', '2']],
    ['run', 'echo x', ['--tag', 'slow']],
    ['run', 'echo x', ['--declared-times', '--runs', 'auto']],
    ['run', 'echo x', ['--shortest']],
    ['run', 'echo x', ['--suite', 'g']],
    ['run', 'echo x', ['--metric', 'cpu']],
    ['run', 'echo x', ['--prepare', 'make']],
    ['run', 'g/ours.mjs', ['--warmup', '2']],
    ['run', 'g/ours.mjs', ['--before-each', 'true']],
    ['run', 'g/ours.mjs', ['--after-each', 'true']],
    ['run', 'g/ours.mjs', ['--ignore-failure']],
    ['run', 'g/ours.mjs', ['--tag', 'slow']],
    ['run', 'g/node.mjs', ['--declared-times', '--runs', 'auto']],
    ['compare', 'g/ours.mjs', [...own, '--prepare', 'make']],
    ['compare', 'g/ours.mjs', [...own, '--install-scripts']],
    ['compare', 'g/ours.mjs', [...own, '--benchmarks-from', 'subject']],
    ['run', 'g/ours.mjs', ['--allow-new-values']],
  ])('without effect is refused: %s %s %j', async (command, item, options) => {
    const option = options.findLast((word) => word.startsWith('--') && word !== '--runs') ?? '';
    expect(await dryRun(command, item, options)).toEqual(usageError('OPTION_CONFLICT', option));
  });

  it('that needs adaptive runs is refused without them', async () => {
    expect(await dryRun('run', 'g/ours.mjs', ['--declared-times'])).toEqual(
      usageError('USAGE', '--declared-times'),
    );
  });

  it.each([
    ['run', 'echo x', ['--warmup', '2', '--before-each', 'true', '--ignore-failure']],
    ['run', 'g/node.mjs', ['--warmup', '2', '--samples', '2', '--tag', 'slow']],
    ['run', 'all', ['--suite', '.', '--warmup', '2', '--exclude', 'config']],
    ['run', 'g/declared.bench.mjs', ['--declared-times', '--runs', 'auto', '--shortest']],
    [
      'compare',
      'g/ours.mjs',
      ['--old', '.', '--new', './config', '--benchmarks-from', 'subject', '--allow-same'],
    ],
  ])('with effect is accepted: %s %s %j', async (command, item, options) => {
    expect(await dryRun(command, item, options)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('that a config file gives may be without effect', async () => {
    expect(await dryRun('run', 'ours.mjs', [], 'config')).toMatchObject({ exitCode: 0, stderr: '' });
  });
});
