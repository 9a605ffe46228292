import { appendFileSync, chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { resumeSession, runSession } from '@bench-cli/runner';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { readLines, writeLines } from '../../../test/support/recording.ts';
import { requestIn, type SessionOptions } from '../../../test/support/session-events.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const late = ['lib/late-1.js', 'lib/late-2.js', 'lib/late.cjs'];

/** It also collects what V8 can forget of a module. */
const loadLate = `
  await import('../lib/late-' + conf.n + '.js');
  createRequire(import.meta.url)('../lib/late.cjs');
  const own = new URL('../lib/written.js', import.meta.url);
  writeFileSync(own, '// ' + performance.now());
  await import(own);
  setFlagsFromString('--stress-flush-code');
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();`;

/** A package whose benchmark imports what it has built, a helper, and a package in node_modules. */
const project = () =>
  temporarySuite({
    'package.json': '{ "name": "mine", "type": "module", "exports": "./dist/index.js" }',
    'dist/index.js': 'export const speed = 1;',
    'node_modules/dep/package.json': '{ "exports": "./index.cjs" }',
    'node_modules/dep/index.cjs': "require('./inner.cjs');",
    'node_modules/dep/inner.cjs': '// 1',
    'lib/helper.ts': 'export const helper: number = 1;',
    ...Object.fromEntries(late.map((name) => [name, '// 1'])),
    'bench/a.ts': benchmark('{ n: [1, 2] }', `${loadLate} bench.report(speed * helper, 1n);`, {
      head: "import { createRequire } from 'node:module'; import { writeFileSync } from 'node:fs'; import { setFlagsFromString } from 'node:v8'; import { runInNewContext } from 'node:vm'; import { speed } from 'mine'; import { helper } from '../lib/helper.ts'; import 'dep';",
    }),
    'bin/node': `#!/bin/sh\nexec '${process.execPath}' "$@"\n`,
  });

/** A session of it that was left after its first run, which tests try to resume. */
const files = untilEnd(project());
let left = '';
/** The files that tests change, with their texts. */
let before: Readonly<Record<string, string>> = {};

beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'test');
  chmodSync(files.path('bin/node'), 0o755);
  const subjects = { node: { runtime: files.path('bin/node') } };
  left = await interrupted(files, { subjects, items: [files.path('bench/a.ts')], runs: 2 });
  const names = [...['dist/index.js', 'lib/helper.ts', 'node_modules/dep/inner.cjs', 'bin/node'], ...late];
  before = Object.fromEntries(
    [...names.map((name) => files.path(name)), left].map((path) => [path, readFileSync(path, 'utf8')]),
  );
});
afterEach(() => {
  for (const [path, text] of Object.entries(before)) writeFileSync(path, text);
  vi.unstubAllEnvs();
});

/** Begins a session, and leaves it after its first run. */
async function interrupted(suite: TemporarySuite, options: SessionOptions): Promise<string> {
  const out = suite.path(`${performance.now()}.jsonl`);
  const request = await requestIn(suite, { runs: 3, ...options });
  for await (const event of runSession(request, { out })) if (event.type === 'run') break;
  return out;
}

const resume = (path: string) => Array.fromAsync(resumeSession(path, { trust: true }));

it.each<[what: string, change: () => void, name: string]>([
  ['build', () => writeFileSync(files.path('dist/index.js'), 'export const speed = 2;'), 'dist/index.js'],
  ['helper', () => writeFileSync(files.path('lib/helper.ts'), 'export const helper = 2;'), 'lib/helper.ts'],
  ['dependency', () => writeFileSync(files.path('node_modules/dep/inner.cjs'), '// 2'), 'node_modules/dep'],
  ['runtime', () => appendFileSync(files.path('bin/node'), '# rebuilt\n'), 'bin/node'],
  [
    'module that the benchmark imports when it runs',
    () => {
      // The order of the cases is drawn, and each loads one of them.
      for (const n of [1, 2]) writeFileSync(files.path(`lib/late-${n}.js`), '// 2');
    },
    'lib/late-',
  ],
  [
    'file that the benchmark requires when it runs',
    () => writeFileSync(files.path('lib/late.cjs'), '// 2'),
    'lib/late.cjs',
  ],
  [
    'number of CPUs that taskset leaves',
    () => {
      const [begin, ...rest] = readLines(left);
      if (begin?.type !== 'session') throw new RangeError('it begins with the session');
      const environment = { ...begin.environment, machineCpus: 1000 };
      writeLines(left, [{ ...begin, environment }, ...rest]);
    },
    'usable CPUs',
  ],
  ['variable of the shell', () => vi.stubEnv('NODE_ENV', 'production'), 'NODE_ENV'],
])('a session is not resumed with another %s', async (_, change, name) => {
  vi.stubEnv('NODE_ENV', 'test');
  change();
  await expect(resume(left)).rejects.toThrow(errorWith('RESUME_MISMATCH', name));
});

it('a session of a whole command is not resumed with another file that its program loads', async () => {
  using files = temporarySuite({
    'cli.js': "import './lib.js';",
    'lib.js': '// 1',
    'tool.sh': '#!/bin/sh\n',
    'script.sh': '# 1\n',
    'bin/tool': '#!/bin/sh\n',
    'shebang.js': "#!/usr/bin/env node\nimport './lib.js';",
  });
  for (const program of ['tool.sh', 'bin/tool', 'shebang.js']) chmodSync(files.path(program), 0o755);
  vi.stubEnv('PATH', `${files.path('first')}:${files.path('bin')}:${process.env['PATH']}`);
  for (const [command, changed] of [
    ['node cli.js x', 'lib.js'],
    ["sh -c 'exec node cli.js'", 'lib.js'],
    ['./tool.sh x', 'tool.sh'],
    ['tool x', 'bin/tool'],
    ['tool x', 'first/tool'],
    ['./shebang.js x', 'bin/node'],
    ['sh script.sh x', 'script.sh'],
    ['env A=1 sh -eu ./script.sh', 'script.sh'],
    ['cat lib.js', 'lib.js'],
  ] as const) {
    // A large file, of which each session makes a digest.
    if (changed === 'bin/node') copyFileSync(process.execPath, files.path(changed));
    const out = await interrupted(files, { items: [command] });
    mkdirSync(dirname(files.path(changed)), { recursive: true });
    appendFileSync(files.path(changed), changed === 'lib.js' ? '// changed\n' : '# changed\n');
    chmodSync(files.path(changed), 0o755);
    await expect(resume(out)).rejects.toThrow(errorWith('RESUME_MISMATCH', basename(changed)));
  }
});

it('a session of a whole command is resumed with another file that the command itself writes', async () => {
  using files = temporarySuite({ 'log.txt': '', 'script.sh': 'date +%N >> "$1"' });
  const out = await interrupted(files, { items: ['sh script.sh log.txt'] });
  expect((await resume(out)).filter(({ type }) => type === 'run')).toHaveLength(3);
});

it('a session is resumed with the same code, whatever lies beside it', async () => {
  vi.stubEnv('NODE_ENV', 'test');
  writeFileSync(files.path('dist/unused.js'), '');
  const runs = (await resume(left)).filter(({ type }) => type === 'run');
  expect(runs).toHaveLength(4);
});
