import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { npmPackages } from '../src/npm-packages.ts';
import { runtimeRelease } from '../src/runtime-release.ts';

it('packages from npm are installed with their dependencies and the digest of the registry', async () => {
  using cache = temporarySuite({});
  const [chalk] = await npmPackages([{ name: 'chalk', range: '4.1.2' }], { cache: cache.path('npm') });
  expect(chalk).toMatchObject({
    ...{ name: 'chalk', range: '4.1.2', version: '4.1.2' },
    integrity:
      'sha512-oKnbhFyRIXpUuez8iBMmyEa4nbj4IOQyuhc/wy9kY7/WVPcwIO9VA668Pu8RkO7+0G76SLROeyw9CpQ061i4mA==',
  });
  expect(existsSync(join(chalk?.directory ?? '', '../ansi-styles/package.json'))).toBe(true);
});

it('a release of Node.js is the newest of its line in the registry', async () => {
  const executable = await runtimeRelease('node@20', 'node');
  const { stdout } = await execa(executable, ['--version']);
  expect(stdout).toMatch(/^v20\.\d+\.\d+$/);
  expect(executable).toContain(`${stdout.slice(1)}/node`);
});

it('a release that the registry does not have is an error, which says how to list the releases', async () => {
  await expect(runtimeRelease('node@22.999.0', 'node')).rejects.toThrow(
    errorWith('RELEASE', 'npm view node versions'),
  );
});
