import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { split } from 'shlex';
import { expect, it } from 'vitest';
import { benchCli, root } from '../../../test/support/command.ts';

const document = readFileSync(join(root, 'docs/web-frameworks.md'), 'utf8');

/** Executes a command of the document, with few runs and one request instead of each load. */
async function done(name: string) {
  const [, words = ''] = new RegExp(`^npx bench-cli (${name} .*)$`, 'm').exec(document) ?? [];
  const quick = ['--runs', '3', '--set', 'benchmarker=test-double-http'];
  const { stdout, stderr, exitCode } = await benchCli([...split(words), ...quick], {
    cwd: join(root, 'examples'),
  });
  expect({ stderr, exitCode }).toEqual({ stderr: expect.not.stringContaining('failed'), exitCode: 0 });
  return stdout;
}

it('ranks four frameworks, with letters', async () => {
  const table = await done('run');
  for (const framework of ['express', 'fastify', 'hono', 'koa'])
    expect(table).toMatch(new RegExp(`^  framework=${framework} .* 3  (fastest )?a$`, 'm'));
});

it('compares two versions of fastify', async () => {
  const rows = (await done('compare')).trimEnd().split('\n').slice(1);
  expect(rows.map((row) => row.split(',')[0]).sort()).toEqual([
    ...['"new"', '"new"', '"new"'],
    ...['"old"', '"old"', '"old"'],
  ]);
});
