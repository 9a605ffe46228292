import { afterEach, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { keepRelease } from '../../../test/support/kept-release.ts';
import { fakeNpm, unreachable } from '../../../test/support/npm.ts';
import { privateCache, temporarySuite } from '../../../test/support/suite.ts';

afterEach(() => vi.unstubAllEnvs());

// A release of the registry is fetched in fetch.measured.test.ts.
it('fetch needs no network for an exact version in the cache, and names what it cannot fetch', async () => {
  using suite = temporarySuite({});
  const cache = privateCache(suite);
  vi.stubEnv('BENCH_CLI_CACHE', cache);
  keepRelease(cache, '22.23.3');
  using _npm = fakeNpm(unreachable);
  const stdout = 'node@22.23.3: Node.js 22.23.3\n';
  expect(await benchCli(['fetch', 'node@22.23.3'])).toEqual({ exitCode: 0, stdout, stderr: '' });
  expect(await benchCli(['fetch', 'node@22.0.0-missing'])).toEqual(
    usageError('REGISTRY', 'node@22.0.0-missing'),
  );
});
