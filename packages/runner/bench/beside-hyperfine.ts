/**
 * Measures whole commands beside hyperfine: how many times as long each of ten commands takes as the first one, by both tools, how long
 * the tools take, and what both say of two commands that do the same (A/A). hyperfine measures all runs of a command before the next
 * one; `bench-cli run` measures them in turns.
 *
 *     node packages/runner/bench/beside-hyperfine.ts [runs=10]
 *     node packages/runner/bench/beside-hyperfine.ts default    # as many runs as each tool takes by itself
 *
 * Requires hyperfine, git and a quiet machine.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const [runs = '10'] = process.argv.slice(2);
const runsOption = runs === 'default' ? [] : ['--runs', runs];
const run = promisify(execFile);
const bin = join(import.meta.dirname, '../../cli/bin/bench-cli.js');
const work = mkdtempSync(join(tmpdir(), 'beside-hyperfine-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const node = process.execPath;
const reference = `${node} -e 0`;
const commands = [
  `${node} --version`,
  `${node} -p 1+1`,
  `${node} --jitless -e 0`,
  `${node} --input-type=module -e 0`,
  `${node} -e "for(let i=0;i<1e8;i++);"`,
  `${node} -e "setTimeout(()=>{},50)"`,
  `${node} -e "require('node:crypto').pbkdf2Sync('a','b',1e5,64,'sha512')"`,
  `${node} -e "require('node:zlib').gzipSync(Buffer.alloc(1e7))"`,
  'git --version',
  'sh -c true',
];
/** Does what the reference does. */
const same = `${node} -e 1`;

/** Seconds of the runs of each command, in the order of the commands. */
type Times = readonly (readonly number[])[];

const Exported = z.object({ results: z.array(z.object({ times: z.array(z.number()) })) });

async function hyperfine(...measured: string[]): Promise<Times> {
  const out = join(work, 'hyperfine.json');
  await run('hyperfine', ['-N', '--style', 'none', ...runsOption, '--export-json', out, ...measured]);
  return Exported.parse(JSON.parse(readFileSync(out, 'utf8'))).results.map(({ times }) => times);
}

const Printed = z.object({
  runs: z.array(z.object({ benchmark: z.string(), values: z.object({ rate: z.number() }) })),
});

async function benchCli(...measured: string[]): Promise<Times> {
  const words = ['run', ...runsOption, '--format', 'json', '--no-progress', ...measured];
  const { stdout } = await run(node, [bin, ...words], { cwd: work, maxBuffer: 2 ** 28 });
  const byCommand = Map.groupBy(Printed.parse(JSON.parse(stdout)).runs, ({ benchmark }) => benchmark);
  // The order of turns is drawn.
  return measured.map((command) => (byCommand.get(command) ?? []).map(({ values }) => 1 / values.rate));
}

/** How many times as long the second command takes as the first one, by the means. */
function ratioOf([first = [], second = []]: Times): number {
  const mean = (times: readonly number[]) => times.reduce((sum, time) => sum + time, 0) / times.length;
  return mean(second) / mean(first);
}

const measured = [reference, ...commands, same];
const results = new Map<string, Times>();
for (const [tool, measure] of [
  ['hyperfine', hyperfine],
  ['bench-cli', benchCli],
] as const) {
  const startedAt = performance.now();
  const times = await measure(...measured);
  const runsOfAll = times.reduce((sum, { length }) => sum + length, 0);
  console.log(`${tool}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s, ${runsOfAll} runs`);
  results.set(tool, times);
}
for (const [at, command] of measured.entries()) {
  if (at === 0) continue;
  const ratios = Array.from(results, ([tool, times]) => {
    return `${tool} ${ratioOf([times[0] ?? [], times[at] ?? []]).toFixed(3)}`;
  });
  console.log(`${command === same ? 'A/A: ' : ''}${command.replaceAll(node, 'node')}: ${ratios.join(', ')}`);
}
