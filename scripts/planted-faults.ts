/**
 * Plants mistakes in a copy of the project, one at a time, and exits with 1 if the tests that guard it do not notice one.
 *
 *     pnpm planted-faults [part of a file's name, or of what notices]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { type PlantedFault, plantedFaults } from './torture/planted-faults.ts';

const copy = join(mkdtempSync(join(tmpdir(), 'bench-cli-faults-')), 'copy');
/** Longer than the limit of a test, which notices a fault that lets it hang. Torture has its own limit for each command. */
const timeout = 600_000;
const tortureTimeout = 900_000;
const inCopy = execa({ cwd: copy, reject: false, all: true, timeout, env: { CI: '1' } });

/** What happened, or undefined if the fault was noticed. */
async function unnoticed({ file, text, fault, noticedBy }: PlantedFault): Promise<string | undefined> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(text).length !== 2) return 'the text does not stand once in the file';
  writeFileSync(
    path,
    source.replace(text, () => fault),
  );
  const build = await inCopy`npx -y pnpm run build`;
  const isTorture = noticedBy[0] === 'torture';
  const none = ['inputs', 'benchmarks', 'servers', 'disks', 'files', 'changes', 'kills'];
  const few = ['--seed', '1', ...none.flatMap((name) => [`--${name}`, '0'])];
  const test = isTorture
    ? await inCopy({ timeout: tortureTimeout })(process.execPath, [
        'scripts/torture.ts',
        ...few,
        ...noticedBy.slice(1),
      ])
    : await inCopy('npx', ['-y', 'pnpm', 'exec', 'vitest', 'run', '--bail', '1', ...noticedBy]);
  writeFileSync(path, source);
  if (build.exitCode !== 0) return `the fault does not compile: ${build.all}`;
  if (test.exitCode === 0) return 'no test noticed it';
  const hasFailed = isTorture ? test.all.includes('FAILED: ') : !test.timedOut;
  if (!hasFailed) return `the tests did not end: ${test.all}`;
  return test.all.includes('No test files found') ? `no such test: ${noticedBy}` : undefined;
}

const [part = ''] = process.argv.slice(2);
const selected = plantedFaults.filter(({ file, noticedBy }) =>
  `${file} ${noticedBy.join(' ')}`.includes(part),
);
let missed = 0;
try {
  await execa`git worktree add --quiet --detach ${copy}`;
  await execa({ cwd: copy })`npx -y pnpm install --offline --frozen-lockfile`;
  for (const planted of selected) {
    const problem = await unnoticed(planted);
    if (problem !== undefined) missed++;
    console.log(
      `${problem === undefined ? 'noticed' : 'MISSED '} ${planted.file}: ${planted.fault.trim() || `without ${planted.text}`}`,
    );
    if (problem !== undefined) console.log(problem.slice(-2000));
  }
} finally {
  await execa({ reject: false })`git worktree remove --force ${copy}`;
  rmSync(join(copy, '..'), { recursive: true, force: true });
}
console.log(`${selected.length - missed} of ${selected.length} planted faults noticed`);
process.exitCode = missed === 0 ? 0 : 1;
