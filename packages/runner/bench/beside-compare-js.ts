/**
 * Measures adaptive comparisons beside Node core's `compare.js`, with its 30 runs and the same declared operation counts, one after the
 * other, and `compare.js` beside itself: wall time, how many configurations each finds faster or slower, how many of those that the first
 * one finds (recall), and whether they agree on the direction.
 *
 *     node packages/runner/bench/beside-compare-js.ts SUITE OLD NEW GROUP...
 *
 * SUITE is a directory with Node core's benchmarks, and OLD and NEW are paths of Node.js. Verdicts about the rates of compare.js are those
 * of Welch's t-test, corrected by Benjamini and Hochberg, as the adaptive ones are. If OLD and NEW are the same, every verdict is false.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);
const [suite = '', oldNode = '', newNode = '', ...groups] = process.argv.slice(2);
const bin = join(import.meta.dirname, '../../cli/bin/bench-cli.js');
const work = mkdtempSync(join(tmpdir(), 'beside-compare-js-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const Document = z.object({
  comparisons: z.array(
    z.object({
      benchmark: z.string(),
      configuration: z.record(z.string(), z.unknown()),
      verdict: z.string(),
    }),
  ),
});

/** The verdict on each configuration. */
type Verdicts = ReadonlyMap<string, string>;

async function analyzed(...args: string[]): Promise<Verdicts> {
  const command = [bin, 'analyze', '--format', 'json', ...args];
  const { stdout } = await run(process.execPath, command, { maxBuffer: 2 ** 28 });
  return new Map(
    Document.parse(JSON.parse(stdout)).comparisons.map(({ benchmark, configuration, verdict }) => [
      JSON.stringify([benchmark, Object.entries(configuration).sort()]),
      verdict,
    ]),
  );
}

async function compareJs(group: string): Promise<Verdicts> {
  const binaries = ['--old', oldNode, '--new', newNode];
  const command = [join(suite, 'compare.js'), '--no-progress', ...binaries, '--runs', '30', '--', group];
  const { stdout } = await run(process.execPath, command, { maxBuffer: 2 ** 28 });
  const csv = join(work, 'compare.csv');
  writeFileSync(csv, stdout);
  return analyzed(csv);
}

async function adaptive(group: string, ...options: string[]): Promise<Verdicts> {
  const out = join(work, 'results.jsonl');
  const subjects = ['--old', oldNode, '--new', newNode, ...(oldNode === newNode ? ['--allow-same'] : [])];
  const request = ['--runs', 'auto', ...options, '--out', out, '--format', 'table', '--no-progress', group];
  await run(process.execPath, [bin, 'compare', ...subjects, ...request], { cwd: suite, maxBuffer: 2 ** 28 });
  const verdicts = await analyzed(out);
  rmSync(out);
  return verdicts;
}

const isDifference = (verdict: string | undefined) => verdict === 'faster' || verdict === 'slower';

/** Of an arm over all groups, beside the first run of compare.js. */
interface Total {
  readonly timeRatios: number[];
  found: number;
  sought: number;
}

const totals = new Map<string, Total>();
for (const group of groups) {
  const arms = {
    'compare.js, 30 runs': () => compareJs(group),
    '--runs auto': () => adaptive(group),
    'compare.js again': () => compareJs(group),
  };
  let reference: { readonly verdicts: Verdicts; readonly seconds: number } | undefined;
  for (const [name, arm] of Object.entries(arms)) {
    const startedAt = performance.now();
    const verdicts = await arm();
    const seconds = (performance.now() - startedAt) / 1000;
    reference ??= { verdicts, seconds };
    const sought = [...reference.verdicts].filter(([, verdict]) => isDifference(verdict));
    const both = sought.filter(([key]) => isDifference(verdicts.get(key)));
    const agreeing = both.filter(([key, verdict]) => verdicts.get(key) === verdict);
    const own = [...verdicts.values()];
    const equal = own.filter((verdict) => verdict === 'no difference').length;
    const total = totals.get(name) ?? { timeRatios: [], found: 0, sought: 0 };
    totals.set(name, total);
    total.timeRatios.push(seconds / reference.seconds);
    total.found += both.length;
    total.sought += sought.length;
    console.log(
      `${group}: ${name}: ${seconds.toFixed(0)} s (${(seconds / reference.seconds).toFixed(2)}), ${own.filter(isDifference).length} of ${own.length} faster or slower, ${equal} without difference; ${both.length} of the ${sought.length} that compare.js finds, ${agreeing.length} agree`,
    );
  }
}
for (const [name, { timeRatios, found, sought }] of totals) {
  const logarithms = timeRatios.map(Math.log);
  const mean = Math.exp(logarithms.reduce((sum, each) => sum + each, 0) / logarithms.length);
  console.log(`${name}: time ${mean.toFixed(2)} in the geometric mean; recall ${found} of ${sought}`);
}
