import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bin, root } from '../../../test/support/command.ts';
import { errorCode } from '../../../test/support/error-with.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';
import { typeCommand } from '../../../test/support/typed-command.ts';

/** The page for agents: its commands, exit codes and fields, for a patch that makes the code faster. */
const page = readFileSync(join(root, 'docs/for-agents.md'), 'utf8');
const commands = [...page.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command);

let project: TemporaryRepository;

const type = (command: string) =>
  typeCommand(command, {
    cwd: project.directory,
    programs: project.path('bin'),
    env: { BENCH_CLI_CACHE: project.path('cache') },
  });

beforeAll(() => {
  project = gitRepository({
    '.gitignore': 'node_modules\nbin\ncache\n',
    'rate.js': 'export const rate = 1000;\n',
    'benchmarks/text/join.js': benchmark(
      '{ n: 1 }',
      "const { rate } = await import('../../rate.js'); bench.report(rate + (process.pid % 7), 1n);",
    ),
    'bin/bench-cli': `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
  });
  chmodSync(project.path('bin/bench-cli'), 0o755);
  privateCache(project);
});
afterAll(() => project[Symbol.dispose]());

it('cannot be asked about a patch that changes nothing', async () => {
  const { exitCode, stderr } = await type(commands[0] ?? '');
  expect([exitCode, errorCode(stderr)]).toEqual([2, 'ERR_BENCH_SAME_SUBJECTS']);
});

it.each(commands)('%s', { timeout: 60_000 }, async (command) => {
  writeFileSync(project.path('rate.js'), 'export const rate = 1500;\n');
  const { exitCode, stderr } = await type(command);
  expect(exitCode, stderr).toBe(0);
  if (!command.includes('patch.json')) return;
  const document = JSON.parse(readFileSync(project.path('patch.json'), 'utf8'));
  const [comparison] = document.comparisons;
  expect(comparison).toMatchObject({ verdict: 'faster', benchmark: 'text/join.js' });
  expect(comparison.leastChange).toBeGreaterThan(0.4);
  const fields = [...page.matchAll(/^\| (`\w.*?) +\|/gm)].flatMap(([, cell = '']) =>
    Array.from(cell.matchAll(/`(?:comparisons\[\]\.)?(\w+)`/g), ([, field = '']) => field),
  );
  expect(fields.length).toBeGreaterThan(6);
  expect(Object.keys({ ...document, ...comparison })).toEqual(expect.arrayContaining(fields));
});
