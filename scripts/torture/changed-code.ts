import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { benchmark, type TemporarySuite, temporarySuite } from '../../test/support/suite.ts';
import { command, expectExit } from './command.ts';
import type { Random } from './random.ts';
import { expectComplete, expectRuns, hasRuns, recordingIn } from './recorded-runs.ts';
import { Tallies, type Tally } from './tally.ts';

/** Each factor of the rate is 1, and 2 after a change. A session with both has mixed two programs. */
const factors = {
  build: { file: 'dist/index.js', text: 'export const build = 1;', named: 'dist/index.js' },
  helper: { file: 'lib/helper.ts', text: 'export const helper: number = 1;', named: 'lib/helper.ts' },
  dependency: {
    file: 'node_modules/dep/inner.cjs',
    text: 'exports.dependency = 1;',
    named: 'node_modules/dep',
  },
  runtime: {
    file: 'bin/node',
    text: `#!/bin/sh\nexport RUNTIME= 1;\nexec '${process.execPath}' "$@"\n`.replace('= 1;', '=1'),
    named: 'bin/node',
  },
  benchmark: { file: 'bench/a.ts', text: '', named: 'bench/a.ts' },
  variable: { file: undefined, text: '', named: 'NODE_ENV' },
  nothing: { file: 'dist/unused.js', text: 'export const unused = 1;', named: '' },
} as const;
const names = ['build', 'helper', 'dependency', 'runtime', 'benchmark', 'variable', 'nothing'] as const;
type Name = (typeof names)[number];

const source = benchmark(
  '{ n: [1, 2, 3, 4] }',
  `await new Promise((resolve) => setTimeout(resolve, 30));
   const own = 1;
   bench.report(build * helper * dep.dependency * own * Number(process.env.RUNTIME) * Number(process.env.NODE_ENV), 1n);`,
  {
    head: "import { build } from 'mine'; import { helper } from '../lib/helper.ts'; import dep from 'dep';",
  },
);

/** Changes what runs execute while a session is interrupted, or between two shards. It is refused by its name, or changes no run. */
export async function changedCode(count: number, random: Random): Promise<readonly Tally[]> {
  const tallies = new Tallies('changed code');
  for (let attempt = 0; attempt < count; attempt++) {
    const name = names[attempt % names.length] ?? 'nothing';
    const isShared = random.below(3) === 0;
    const tally = tallies.of(isShared ? 'shards' : 'resume');
    await tally.guard(name, async () => {
      using project = temporarySuite({
        'package.json': '{ "name": "mine", "type": "module", "exports": "./dist/index.js" }',
        'node_modules/dep/package.json': '{ "exports": "./index.cjs" }',
        'node_modules/dep/index.cjs': "module.exports = require('./inner.cjs');",
        ...Object.fromEntries(
          Object.values(factors).flatMap(({ file, text }) => (file ? [[file, text]] : [])),
        ),
        'bench/a.ts': source,
      });
      chmodSync(project.path('bin/node'), 0o755);
      if (isShared) await changeBetweenShards(project, name, tally);
      else await changeWhileInterrupted(project, name, tally, random);
    });
  }
  return tallies.all;
}

/** @returns what restores it, and the environment after the change */
function change(project: TemporarySuite, name: Name) {
  const { file } = factors[name];
  if (file === undefined) return { env: { NODE_ENV: '2' }, restore: () => {} };
  const path = project.path(file);
  const text = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    text.replace(/ ?= ?1\b/, (found) => found.replace('1', '2')),
  );
  return { env, restore: () => writeFileSync(path, text) };
}

const env = { NODE_ENV: '1' };
const rateOf = () => 1;

const sessionOf = (project: TemporarySuite, out: string, ...options: readonly string[]) => [
  ...['run', '--runs', '3', '--subject', project.path('bin/node'), '--out', out],
  ...['--suite', project.path('bench'), ...options, project.path('bench/a.ts')],
];

async function changeWhileInterrupted(project: TemporarySuite, name: Name, tally: Tally, random: Random) {
  const out = project.path('results.jsonl');
  const cwd = project.directory;
  const runs = 1 + random.below(9);
  const meanwhile = (kill: () => void) => {
    if (!hasRuns(out, runs)) return false;
    kill();
    return true;
  };
  await command(tally, sessionOf(project, out), { cwd, env, meanwhile });
  const former = recordingIn(out);
  if (former === undefined || former.runs.length === 0 || former.ended) return;
  tally.attempts++;
  const changed = change(project, name);
  const words = ['run', '--resume', out];
  const refused = await command(tally, words, { cwd, env: changed.env });
  const told = `another ${name}: ${refused.stderr}`;
  expectRuns(tally, recordingIn(out), { former, rateOf, told });
  if (name !== 'nothing') {
    const { named } = factors[name];
    const isNamed = refused.stderr.includes('[ERR_BENCH_RESUME_MISMATCH]') && refused.stderr.includes(named);
    if (refused.exitCode !== 2 || !isNamed) tally.add('wrong exit codes', `${refused.exitCode}, ${told}`);
    changed.restore();
    expectExit(tally, await command(tally, words, { cwd, env }), undefined);
  }
  const recording = recordingIn(out);
  expectRuns(tally, recording, { former, rateOf, told });
  expectComplete(tally, recording, 12, told);
}

async function changeBetweenShards(project: TemporarySuite, name: Name, tally: Tally): Promise<void> {
  const cwd = project.directory;
  const shards = ['1', '2'].map((index) => project.path(`${index}.jsonl`));
  const measure = (index: number, own: Readonly<Record<string, string>>) =>
    command(tally, sessionOf(project, shards[index] ?? '', '--shard', `${index + 1}/2`), { cwd, env: own });
  expectExit(tally, await measure(0, env), undefined);
  expectExit(tally, await measure(1, change(project, name).env), undefined);
  tally.attempts++;
  const { exitCode, stderr } = await command(tally, ['analyze', ...shards]);
  const isRefused = exitCode === 2 && stderr.includes('[ERR_BENCH_JOIN_MISMATCH]');
  if (isRefused !== (name !== 'nothing'))
    tally.add('wrong figures', `${exitCode}, another ${name}: ${stderr}`);
}
