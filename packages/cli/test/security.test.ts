import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandNames } from '@bench-cli/results/settings';
import { afterEach, expect, it, vi } from 'vitest';
import { benchCli, root, startBenchCli } from '../../../test/support/command.ts';
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
const script = `#!/bin/sh\necho "\${0##*/}" >> "$STARTED"\nexit 1\n`;
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

afterEach(() => vi.unstubAllEnvs());

// Those of which nothing is remembered in a process are called as functions.
it.each<[start: typeof benchCli | typeof startBenchCli, command: string, ...words: string[]]>([
  [benchCli, 'init', 'workflow'],
  [startBenchCli, 'run', 'measured.mjs', '--runs', '1'],
  [startBenchCli, 'compare', 'measured.mjs', '--old', 'git:HEAD', '--allow-same', '--runs', '2'],
  [startBenchCli, 'check', 'measured.mjs'],
  [benchCli, 'analyze', 'a.csv', '--html', 'page.html'],
  [benchCli, 'machine'],
  [benchCli, 'history', 'history.jsonl'],
  [benchCli, 'completion', 'bash'],
])('$1 starts only programs that its row names', async (start, command, ...words) => {
  const started = project.path(`.git/started-${command}`);
  const env = { PATH: project.path('bin'), STARTED: started, BENCH_CLI_CACHE: project.path('cache') };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  await start([command, ...words], { cwd: project.directory, env });
  const names = existsSync(started) ? readFileSync(started, 'utf8').trim().split('\n') : [];
  const [, own = ''] = rows.get(command) ?? [];
  const executes = `${own} ${measuring.includes(`\`${command}\``) ? measuring : ''}`;
  expect(names.filter((name) => !executes.includes(name))).toEqual([]);
});
