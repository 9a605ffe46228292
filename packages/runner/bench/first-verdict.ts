/**
 * Measures how long the first verdict takes from an empty directory: `bench-cli compare` with default settings on two versions of the
 * packages that `samples.ts` measures, with an empty cache, as after an installation. Prints the time of the whole command, in which it
 * downloads both versions, and its verdict.
 *
 *     node packages/runner/bench/first-verdict.ts [OPERATION...]
 *
 * Requires npm and a quiet machine.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packages } from './samples/_packages.ts';

const selected = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'first-verdict-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));
const bin = join(import.meta.dirname, '../../cli/bin/bench-cli.js');

for (const [operation, [present, former]] of Object.entries(packages)) {
  if (former === undefined || (selected.length > 0 && !selected.includes(operation))) continue;
  const directory = join(work, operation);
  cpSync(join(import.meta.dirname, 'samples'), join(directory, 'benchmarks'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  mkdirSync(join(directory, 'node_modules/@bench-cli'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '../../core'), join(directory, 'node_modules/@bench-cli/core'));
  const subjects = ['--old', `npm:${former}`, '--new', `npm:${present}`];
  const request = ['--set', `operation=${operation}`, '--format', 'table', 'benchmarks/operations.js'];
  const startMs = performance.now();
  const { stdout, stderr } = spawnSync(process.execPath, [bin, 'compare', ...subjects, ...request], {
    cwd: directory,
    env: { ...process.env, BENCH_CLI_CACHE: join(directory, 'cache') },
    encoding: 'utf8',
  });
  const seconds = (performance.now() - startMs) / 1000;
  const [verdict = stderr] = /(faster|slower|no difference|undecided).*$/m.exec(stdout) ?? [];
  console.log(`${operation}: ${seconds.toFixed(1)} s: ${verdict.trim()}`);
}
