import { createServer } from 'node:http';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from './support/command.ts';
import { temporarySuite } from './support/suite.ts';

const url = 'https://git.example/o/bench-cli';
const complete = {
  name: '@bench-cli/a',
  version: '1.0.0',
  repository: { type: 'git', url: `git+${url}.git`, directory: 'packages/a' },
  homepage: `${url}#readme`,
  bugs: `${url}/issues`,
};

/** Knows no package, and counts what it is sent. */
let sent = 0;
const registry = createServer((request, response) => {
  if (request.method === 'PUT') sent++;
  response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
});
beforeAll(() => new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve)));
afterAll(() => registry.close());

async function check(manifest: object) {
  const address = registry.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const publishConfig = { registry: `http://127.0.0.1:${port}/` };
  using project = temporarySuite({
    'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
    'packages/a/package.json': JSON.stringify({ ...manifest, publishConfig }),
  });
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [join(root, 'scripts/release-check.ts')],
    {
      cwd: project.directory,
      reject: false,
    },
  );
  return { exitCode, first: stderr.split('\n')[0], output: stdout + stderr };
}

it('refuses a release of packages that do not say where their source is', async () => {
  expect(await check({ name: 'a' })).toMatchObject({
    exitCode: 1,
    first: 'packages/a/package.json: set repository, homepage, bugs',
  });
  const elsewhere = { ...complete, repository: { ...complete.repository, directory: 'packages/b' } };
  expect(await check(elsewhere)).toMatchObject({
    exitCode: 1,
    first: 'packages/a/package.json: set repository',
  });
});

it('does all of a release but the upload, and fails if that fails', async () => {
  expect(await check(complete)).toMatchObject({ exitCode: 0, output: expect.stringContaining('a@1.0.0') });
  const scripts = { prepublishOnly: 'exit 1' };
  expect((await check({ ...complete, scripts })).exitCode).toBe(1);
  expect(sent).toBe(0);
});
