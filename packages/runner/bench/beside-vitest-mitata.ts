/**
 * Measures in vitest and mitata what `samples.ts` measures here: twelve operations beside themselves, and beside themselves with 20 or 40 %
 * more work, as three benchmarks of one file. Prints the ratios of the rates, whether the margins of error that vitest gives are apart
 * (mitata gives none), and the time of each command.
 *
 *     node packages/runner/bench/beside-vitest-mitata.ts [REPEATS [OPERATION...]]
 *
 * Requires npm and a quiet machine.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { packages } from './samples/_packages.ts';

const [repeats = '3', ...operations] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'beside-vitest-mitata-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** The three functions of an operation, by name. */
const functions = `
import { operations } from './_operations.mjs';

const calls = 5;
const name = process.env.OPERATION;
const planted = 1 + (Object.keys(operations).indexOf(name) % 2);
const made = async (times) => {
  const call = await operations[name]();
  return () => {
    let last;
    for (let i = 0; i < times; i++) last = call();
    return last;
  };
};
export const base = await made(calls);
export const same = await made(calls);
export const slower = await made(calls + planted);
`;

/** Each file prints one line of JSON: the rate of each function, and its relative margin of error, percent. */
const files = {
  vitest: `
import { test } from 'vitest';
import * as functions from './functions.mjs';

test('operation', { timeout: 600_000 }, async ({ bench }) => {
  const result = await bench.compare(...Object.entries(functions).map(([name, call]) => bench(name, call)));
  const rates = Object.keys(functions).map((name) => {
    const { mean, rme } = result.get(name).throughput;
    return [name, { mean, rme }];
  });
  console.log('RATES ' + JSON.stringify(Object.fromEntries(rates)));
});
`,
  mitata: `
import { bench, run, summary } from 'mitata';
import * as functions from './functions.mjs';

summary(() => {
  for (const [name, call] of Object.entries(functions)) bench(name, call);
});
const { benchmarks } = await run();
const rates = benchmarks.map(({ alias, runs }) => [alias, { mean: 1e9 / runs[0].stats.avg }]);
console.log('RATES ' + JSON.stringify(Object.fromEntries(rates)));
`,
};

const Rate = z.object({ mean: z.number(), rme: z.number().optional() });
const Rates = z.object({ base: Rate, same: Rate, slower: Rate });

const commands = {
  vitest: ['node_modules/vitest/vitest.mjs', 'bench', '--run', 'vitest.bench.mjs'],
  mitata: ['mitata.bench.mjs'],
} as const;

cpSync(join(import.meta.dirname, 'samples'), work, { recursive: true });
writeFileSync(join(work, 'package.json'), '{ "type": "module", "private": true }');
writeFileSync(join(work, 'functions.mjs'), functions);
for (const [tool, text] of Object.entries(files)) writeFileSync(join(work, `${tool}.bench.mjs`), text);
const install = ['install', '--silent', '--no-audit', '--no-fund', 'vitest@5', 'mitata'];
execFileSync('npm', [...install, ...Object.values(packages).map(([present]) => present)], { cwd: work });

for (const operation of operations.length > 0 ? operations : Object.keys(packages)) {
  for (const [tool, command] of Object.entries(commands)) {
    for (let repeat = 0; repeat < Number(repeats); repeat++) {
      const startedAt = performance.now();
      const env = { ...process.env, OPERATION: operation };
      const text = execFileSync(process.execPath, command, { cwd: work, env, encoding: 'utf8' });
      const seconds = (performance.now() - startedAt) / 1000;
      const [, json = ''] = /RATES (\{.*\})/.exec(text) ?? [];
      const { base, ...others } = Rates.parse(JSON.parse(json));
      const results = Object.entries(others).map(([name, rate]) => {
        const doubt = ((base.rme ?? 0) * base.mean + (rate.rme ?? 0) * rate.mean) / 100;
        const isApart = Math.abs(rate.mean - base.mean) > doubt;
        const margins = rate.rme === undefined ? '' : isApart ? ' (apart)' : ' (not apart)';
        return `${name} ${(rate.mean / base.mean).toFixed(3)}${margins}`;
      });
      console.log(`${operation}: ${tool}: ${results.join(', ')}; ${seconds.toFixed(1)} s`);
    }
  }
}
