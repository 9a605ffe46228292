import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { split } from 'shlex';
import { expect, it } from 'vitest';
import { benchCli, root } from '../../../test/support/command.ts';

const document = readFileSync(join(root, 'docs/web-frameworks.md'), 'utf8');

it('ranks four frameworks', async () => {
  const [, words = ''] = /^npx bench-cli (run .*)$/m.exec(document) ?? [];
  // One request instead of each load.
  const quick = ['--runs', '3', '--set', 'benchmarker=test-double-http'];
  const { stdout, stderr, exitCode } = await benchCli([...split(words), ...quick], {
    cwd: join(root, 'examples'),
  });
  expect({ stderr, exitCode }).toEqual({ stderr: expect.not.stringContaining('failed'), exitCode: 0 });
  for (const framework of ['express', 'fastify', 'hono', 'koa'])
    expect(stdout).toMatch(new RegExp(`^  framework=${framework} .* 3$`, 'm'));
});
