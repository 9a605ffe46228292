import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { ownPort } from '../../../../test/support/own-port.ts';
import { httpSuite, serverBenchmark } from './http-suite.ts';

const packages = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a script without the runner, in a project with a copy of core and with links to other packages. */
async function runIn(links: Readonly<Record<string, string>>) {
  const load = `await bench.http({ benchmarker: 'test-double-http' });`;
  using suite = httpSuite({ 'project/b.js': serverBenchmark({ load }) });
  const modules = suite.path('project/node_modules');
  for (const path of ['package.json', 'lib']) {
    cpSync(`${packages}/core/${path}`, `${modules}/@bench-cli/core/${path}`, { recursive: true });
  }
  for (const [name, directory] of Object.entries(links)) {
    mkdirSync(dirname(`${modules}/${name}`), { recursive: true });
    symlinkSync(`${packages}/${directory}`, `${modules}/${name}`);
  }
  return await execa(process.execPath, [suite.path('project/b.js')], {
    // The command that starts the tests may set NODE_PATH.
    env: { PORT: String(await ownPort()), NODE_PATH: '' },
    reject: false,
  });
}

describe('bench.http() in a script that is started without bench-cli', () => {
  it.each([
    ['npm', { '@bench-cli/runner': 'runner' }],
    ['pnpm', { '@bench-cli/cli': 'cli' }],
  ])('loads the server if %s has installed bench-cli', async (_, links) => {
    const { stdout, stderr, exitCode } = await runIn(links);
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(/^project\/b\.js n=1 benchmarker=test-double-http: /);
  });

  it('asks for bench-cli in one sentence if it is not installed', async () => {
    const { stdout, stderr, exitCode } = await runIn({});
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(
      /^error: .*: npm install --save-dev @bench-cli\/cli\n {4}at .*\/b\.js:\d+:\d+\nfailed: /,
    );
  });
});
