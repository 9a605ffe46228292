import { expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';

it('fetch fills the cache, so that the exact version is found without a network', async () => {
  const { stdout, exitCode } = await benchCli(['fetch', 'node@22']);
  const [, version = ''] = /^node@22: Node\.js (22\.\d+\.\d+)\n$/.exec(stdout) ?? [];
  expect({ exitCode, version }).toEqual({ exitCode: 0, version: expect.stringMatching(/^22/) });
  // No name of this domain has an address.
  const env = { npm_config_registry: 'http://registry.invalid', npm_config_fetch_retries: '0' };
  expect(await benchCli(['fetch', `node@${version}`], { env })).toEqual({
    exitCode: 0,
    stdout: `node@${version}: Node.js ${version}\n`,
    stderr: '',
  });
});
