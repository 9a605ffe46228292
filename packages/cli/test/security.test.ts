import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandNames } from '@bench-cli/results/settings';
import { expect, it } from 'vitest';
import { root, startBenchCli } from '../../../test/support/command.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const document = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const rows = new Map(
  Array.from(document.matchAll(/^\| `([a-z ]+)` +\|(.*)\|$/gm), ([, command = '', cells = '']) => [
    command,
    cells.split('|').map((cell) => cell.trim()),
  ]),
);

it('SECURITY.md says of every command what it reads, executes, sends and writes', () => {
  expect([...rows.keys()].sort()).toEqual([...commandNames].sort());
  for (const [command, cells] of rows) {
    expect([command, cells.length, cells.includes('')]).toEqual([command, 4, false]);
  }
});

const programs = ['git', 'npm', 'perf', 'flock', 'taskset', 'wrk'];
const script = '#!/bin/sh\nbasename "$0" >> "$STARTED"\nexit 1\n';
const project = untilEnd(
  gitRepository({
    ...Object.fromEntries(programs.map((name) => [`bin/${name}`, script])),
    'package.json': '{ "name": "p", "type": "module", "exports": "./index.js" }',
    'measured.mjs':
      "import { createBenchmark } from '@bench-cli/core';\ncreateBenchmark((_, bench) => bench.report(1, 1n), {});",
    'index.js': 'throw new Error("imported");\nexport function f(text) {}\n',
    'a.csv':
      '"binary","filename","configuration","rate","time"\n"old","a.js","n=1",1,1\n"new","a.js","n=1",2,1\n',
    'history.jsonl': '',
  }),
);
mkdirSync(project.path('cache'), { mode: 0o700 });

/** Programs that the commands that measure start besides those of their rows. */
const [, measuring = ''] = /The commands that measure \(([\s\S]*?)\n"Cache"/.exec(document) ?? [];

it.each([
  ['init', 'workflow'],
  ['run', 'measured.mjs', '--runs', '1'],
  ['compare', 'measured.mjs', '--old', 'git:HEAD', '--allow-same', '--runs', '2'],
  ['check', 'measured.mjs'],

  ['analyze', 'a.csv', '--html', 'page.html'],
  ['machine'],
  ['history', 'history.jsonl'],
  ['completion', 'bash'],
])('%s starts only programs that its row names', async (command, ...words) => {
  const started = project.path(`.git/started-${command}`);
  const env = { PATH: project.path('bin'), STARTED: started, BENCH_CLI_CACHE: project.path('cache') };
  await startBenchCli([command, ...words], { cwd: project.directory, env });
  const names = existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : [];
  const [, own = ''] = rows.get(command) ?? [];
  const executes = `${own} ${measuring.includes(`\`${command}\``) ? measuring : ''}`;
  expect(names.filter((name) => !executes.includes(name))).toEqual([]);
});
