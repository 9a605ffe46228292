import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { freePort } from '../../../test/support/free-port.ts';

it('fetch fills the cache, so that the exact version is found without a network', async () => {
  const { stdout, exitCode } = await benchCli(['fetch', 'node@22']);
  const [, version = ''] = /^node@22: Node\.js (22\.\d+\.\d+)\n$/.exec(stdout) ?? [];
  expect({ exitCode, version }).toEqual({ exitCode: 0, version: expect.stringMatching(/^22/) });
  const registry = `http://127.0.0.1:${await freePort()}`;
  const env = { npm_config_registry: registry, npm_config_fetch_retries: '0' };
  expect(await benchCli(['fetch', `node@${version}`], { env })).toEqual({
    exitCode: 0,
    stdout: `node@${version}: Node.js ${version}\n`,
    stderr: '',
  });
  expect(await benchCli(['fetch', 'node@22.0.0-missing'], { env })).toMatchObject(usageError('REGISTRY'));
});
