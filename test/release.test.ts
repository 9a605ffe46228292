import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { root } from './support/command.ts';
import { temporarySuite } from './support/suite.ts';

const url = 'https://git.example/o/bench-cli';
const complete = {
  name: 'a',
  repository: { type: 'git', url: `git+${url}.git`, directory: 'packages/a' },
  homepage: `${url}#readme`,
  bugs: `${url}/issues`,
};

async function check(manifest: object) {
  using project = temporarySuite({ 'packages/a/package.json': JSON.stringify(manifest) });
  const { exitCode, stderr } = await execa(process.execPath, [join(root, 'scripts/release-check.ts')], {
    cwd: project.directory,
    reject: false,
  });
  return { exitCode, first: stderr.split('\n')[0] };
}

it('refuses a release of packages that do not say where their source is', async () => {
  expect(await check({ name: 'a' })).toEqual({
    exitCode: 1,
    first: 'packages/a/package.json: set repository, homepage, bugs',
  });
  const elsewhere = { ...complete, repository: { ...complete.repository, directory: 'packages/b' } };
  expect(await check(elsewhere)).toEqual({ exitCode: 1, first: 'packages/a/package.json: set repository' });
  expect(await check(complete)).toEqual({ exitCode: 0, first: '' });
});
