import { appendFileSync, closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { lockFile } from '@bench-cli/runner';
import { onlineLevel } from '@bench-cli/stats/internal';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { errorCode } from '../../../test/support/error-with.ts';
import { rateAround, writeQuickRuntime } from '../../../test/support/quick-runtime.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;
beforeEach(() => {
  suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  writeQuickRuntime(suite.path('base'), { rate: rateAround(1000) });
  writeQuickRuntime(suite.path('better'), { rate: rateAround(2000) });
  writeQuickRuntime(suite.path('same'), { rate: `${rateAround(1000)} # another program` });
});
afterEach(() => suite[Symbol.dispose]());

const cli = (...args: readonly string[]) => benchCli(args, { cwd: suite.directory });
const candidate = (name: string, ...args: readonly string[]) =>
  cli(...`compare --old ./base --new ./${name} --ledger ledger.jsonl --no-progress g`.split(' '), ...args);
const ledger = () => readFileSync(suite.path('ledger.jsonl'), 'utf8');
const lines = () =>
  ledger()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

it('has the level and the verdict of each candidate', async () => {
  for (const name of ['same', 'better', 'same']) expect((await candidate(name)).exitCode).toBe(0);
  const written = lines();
  expect(written.flatMap(({ verdict }) => verdict ?? [])).toEqual(['not better', 'better', 'not better']);
  const levels = [[], [false], [false, true]].map((outcomes) => onlineLevel(outcomes, 0.05));
  expect(written.flatMap(({ level }) => level ?? [])).toEqual(levels);
});

it('measures at the level of the ledger', async () => {
  await candidate('better', '--out', 'results.jsonl', '--error-rate', '10%');
  const [session = ''] = readFileSync(suite.path('results.jsonl'), 'utf8').split('\n');
  expect(JSON.parse(session).request.runs.errorRate).toBe(onlineLevel([], 0.1));
  expect(errorCode((await candidate('better', '--error-rate', '5%')).stderr)).toBe('ERR_BENCH_LEDGER');
  expect(lines()).toHaveLength(2);
});

it('counts an interrupted candidate, and goes on after a torn line', async () => {
  await candidate('same');
  const [begun = ''] = ledger().split('\n');
  writeFileSync(suite.path('ledger.jsonl'), `${begun}\n{"candidate":1,"verd`);
  await candidate('better');
  expect(lines().map(({ candidate: number, verdict = 'begun' }) => `${number} ${verdict}`)).toEqual([
    '1 begun',
    '2 begun',
    '2 better',
  ]);
});

it.each([
  ['another verdict', '{"candidate":1,"verdict":"better"}\n'],
  ['a candidate that does not follow', '{"candidate":3,"verdict":"better"}\n'],
  ['another level', '{"format":1,"candidate":2,"errorRate":0.05,"level":0.05,"at":""}\n'],
  ['another line', 'null\n'],
])('refuses a ledger with %s', async (_, line) => {
  await candidate('same');
  appendFileSync(suite.path('ledger.jsonl'), line);
  const before = ledger();
  const { exitCode, stderr } = await candidate('better');
  expect([exitCode, errorCode(stderr), ledger()]).toEqual([2, 'ERR_BENCH_LEDGER', before]);
});

it('lets in one comparison at a time', async () => {
  const fd = openSync(suite.path('ledger.jsonl'), 'a');
  const unlock = await lockFile(fd);
  expect(errorCode((await candidate('better')).stderr)).toBe('ERR_BENCH_LEDGER');
  closeSync(fd);
  unlock?.();
  expect((await candidate('better')).exitCode).toBe(0);
});

it('has no candidate whose command is wrong', async () => {
  expect(errorCode((await candidate('better', '--runs', '5')).stderr)).toBe('ERR_BENCH_USAGE');
  expect(errorCode((await candidate('better', '--filter', 'nothing')).stderr)).toBe('ERR_BENCH_SELECTION');
  const three = ['a', 'b', 'c'].flatMap((name) => ['--subject', `${name}=node`]);
  const several = await benchCli(['compare', ...three, '--ledger', 'ledger.jsonl', 'g'], {
    cwd: suite.directory,
  });
  expect(errorCode(several.stderr)).toBe('ERR_BENCH_USAGE');
  expect(existsSync(suite.path('ledger.jsonl')) ? ledger() : '').toBe('');
});
