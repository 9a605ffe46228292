/**
 * Plants mistakes in a copy of the project, one at a time, and exits with 1 if the tests that guard it do not notice one. A fault that was
 * noticed at this commit is skipped, so that an interrupted run goes on. `--new` skips those that were noticed at any commit.
 *
 *     pnpm planted-faults [--new] [part of a file's name, or of what notices]...
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execa } from 'execa';
import { type PlantedFault, plantedFaults } from './torture/planted-faults.ts';

const copy = join(mkdtempSync(join(tmpdir(), 'bench-cli-faults-')), 'copy');
/** Longer than the limit of a test, which notices a fault that lets it hang. Torture has its own limit for each command. */
const timeout = 600_000;
const tortureTimeout = 900_000;
const inCopy = execa({
  cwd: copy,
  ...{ preferLocal: true, localDir: copy, env: { CI: '1', NO_COLOR: '1' } },
  ...{ reject: false, all: true, timeout },
});

/** Compiles and bundles only what has changed since it was last called. */
async function build() {
  const types = await inCopy`tsc --build`;
  return types.exitCode === 0 ? inCopy(process.execPath, ['scripts/bundle.ts']) : types;
}

interface Outcome {
  readonly isNoticed: boolean;
  /** The first test that failed, or why the fault was not noticed. */
  readonly text: string;
}

const missed = (text: string): Outcome => ({ isNoticed: false, text });

async function plant({ file, text, fault, noticedBy }: PlantedFault): Promise<Outcome> {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  if (source.split(text).length !== 2) return missed('the text does not stand once in the file');
  writeFileSync(
    path,
    source.replace(text, () => fault),
  );
  try {
    const built = await build();
    return built.exitCode === 0 ? await test(noticedBy) : missed(`the fault does not compile: ${built.all}`);
  } finally {
    writeFileSync(path, source);
  }
}

async function test(noticedBy: PlantedFault['noticedBy']): Promise<Outcome> {
  const isTorture = noticedBy[0] === 'torture';
  const torture = ['scripts/torture.ts', '--seed', '1', ...noticedBy.slice(1)];
  const { exitCode, all, timedOut } = isTorture
    ? await inCopy({ timeout: tortureTimeout })(process.execPath, torture)
    : await inCopy('vitest', ['run', '--bail', '1', ...noticedBy]);
  const [skipped] = (isTorture && /^.*: skipped, because .*/m.exec(all)) || [];
  if (exitCode === 0) return missed(skipped ?? 'no test noticed it');
  if (all.includes('No test files found')) return missed(`no such test: ${noticedBy}`);
  const hasFailed = isTorture ? all.includes('FAILED: ') : !timedOut;
  if (!hasFailed) return missed(`the tests did not end: ${all}`);
  return { isNoticed: true, text: / FAIL +(.*)/.exec(all)?.[1] ?? noticedBy.join(' ') };
}

/** Programs that tests have fetched. What else is in the cache, a fault could damage. */
function linkFetchedPrograms(): void {
  const cache = join(copy, 'node_modules/.cache/bench-cli');
  mkdirSync(cache, { recursive: true });
  for (const name of ['node', 'bun', 'deno', 'npm']) {
    const fetched = join(import.meta.dirname, '../node_modules/.cache/bench-cli', name);
    if (existsSync(fetched)) symlinkSync(fetched, join(cache, name));
  }
}

const { values, positionals: parts } = parseArgs({
  options: { new: { type: 'boolean' } },
  allowPositionals: true,
});
const { stdout: commit } = await execa`git rev-parse HEAD`;
const notes = join(import.meta.dirname, '../node_modules/.cache/planted-faults.json');
/** The commit at which each fault was noticed last. */
const noticed = new Map<string, string>(existsSync(notes) ? JSON.parse(readFileSync(notes, 'utf8')) : []);
const named = plantedFaults.filter(
  ({ file, noticedBy }) =>
    parts.length === 0 || parts.some((part) => `${file} ${noticedBy.join(' ')}`.includes(part)),
);
const selected = named.filter((planted) => {
  const at = noticed.get(JSON.stringify(planted));
  return at === undefined || (at !== commit && values.new !== true);
});
console.log(`${named.length - selected.length} of ${named.length} planted faults were noticed before`);
let count = 0;
try {
  await execa`git worktree add --quiet --detach ${copy}`;
  await execa({ cwd: copy })`npx -y pnpm install --offline --frozen-lockfile`;
  linkFetchedPrograms();
  for (const planted of selected) {
    const startedAt = performance.now();
    const { isNoticed, text } = await plant(planted);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    if (isNoticed) {
      count++;
      noticed.set(JSON.stringify(planted), commit);
      writeFileSync(notes, JSON.stringify([...noticed]));
    }
    const fault = planted.fault.trim() || `without ${planted.text}`;
    console.log(`${isNoticed ? 'noticed' : 'MISSED '} ${seconds} s ${planted.file}: ${fault}`);
    console.log(`    ${text.slice(-2000)}`);
  }
} finally {
  await execa({ reject: false })`git worktree remove --force ${copy}`;
  rmSync(join(copy, '..'), { recursive: true, force: true });
}
console.log(`${count} of ${selected.length} planted faults noticed`);
process.exitCode = count === selected.length ? 0 : 1;
