/**
 * Plants loops into functions of six packages, and prints in how many real sessions of `compare` each is found that slows its function
 * by 0.5, 1 and 2 times the change from which `check --functions` says that it is noticed. Expected: at most 50 %, 65 to 95 %, and at
 * least 90 %. Before, three sessions of each package compare equal code and should find nothing; the prediction knows their
 * noise. Needs a quiet machine and npm: about seven minutes, and one for each function. All sessions, and the prediction, have the time limit `--budget`, in seconds. `--functions` is how many (40), `--package`
 * selects one of the packages (repeatable), and `--minutes` (60) is the time after which no other function is planted. Each result is
 * appended to the file of `--resume`; a later command with the same file goes on after them.
 *
 *     node scripts/planted-slowdowns.ts [--functions 2] [--budget 16] [--package semver]... [--minutes 10] [--resume planted.jsonl]
 */
import {
  appendFileSync,
  cpSync,
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
import type { FunctionNotice } from '@bench-cli/report';
import { compare } from '@bench-cli/runner';
import { meanOf, sumOf } from '@bench-cli/stats/internal';
import { execa } from 'execa';

/** An operation of each package, after its imports. Those with few functions come first: the others take their place. */
const operations: Readonly<Record<string, readonly [imports: string, operation: string]>> = {
  'picomatch@4.0.7': [
    "import picomatch from '../index.js';",
    "picomatch('src/**/*.{js,ts}')('src/a/b.ts'); picomatch.makeRe('!(a|b)/[a-z]*/?.md'); picomatch.scan('foo/{a,b}/**/*.js', { parts: true })",
  ],
  'diff@9.0.0': [
    "import { diffLines, diffWords, structuredPatch } from '../libesm/index.js'; const one = 'the quick brown fox\\njumps over\\nthe lazy dog\\n'.repeat(4); const other = one.replaceAll('quick', 'slow').replace('lazy', 'busy');",
    "diffWords(one, other); diffLines(one, other); structuredPatch('a', 'b', one, other)",
  ],
  'semver@7.8.6': [
    "import semver from '../index.js';",
    "semver.satisfies('1.2.3-beta.4', '^1.2.0 || >=2.1.0 <3.0.0'); semver.inc('1.2.3', 'minor'); semver.maxSatisfying(['1.2.3', '1.9.0', '2.0.1'], '1.x'); semver.compare('1.2.3', '1.2.4')",
  ],
  'yaml@2.9.1': [
    "import yaml from '../dist/index.js'; const text = 'name: a\\nlist:\\n  - x: 1\\n    y: [1, 2, true]\\n  - \"quoted\"\\nmap: { a: 1.5, b: null }\\ntext: |\\n  one\\n  two\\n';",
    'yaml.stringify(yaml.parse(text))',
  ],
  'mustache@4.2.0': [
    "import mustache from '../mustache.mjs'; const view = { title: 'x < y', items: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] };",
    "mustache.clearCache(); mustache.render('<h1>{{title}}</h1>{{#items}}<li>{{name}}{{^last}}, {{/last}}</li>{{/items}}{{! end }}', view)",
  ],
  'acorn@8.19.0': [
    "import { readFileSync } from 'node:fs'; import { parse } from '../dist/acorn.mjs'; const text = readFileSync(new URL('../dist/bin.js', import.meta.url), 'utf8').replace(/^#.*/, '');",
    "parse(text, { ecmaVersion: 'latest' })",
  ],
};

/**
 * What a planted function calls. The loop goes on for a fraction of an iteration per call, too. Its numbers have one type at any length.
 * The calibration sets the iterations per call while it runs.
 */
const loop = `
var plantedLeft = globalThis.planted ?? Float64Array.of(0, Number(process.env.PLANTED)), plantedSum = 0;
function plantedLoop() { if (plantedLeft) for (plantedLeft[0] += plantedLeft[1]; plantedLeft[0] >= 1; plantedLeft[0]--) plantedSum = (plantedSum * 31 + 7) | 0; }
`;

/** The iterations of both sides: code that hardly ever enters the loop is compiled in another way, which is a change of its own. */
const ALWAYS = 1 / 16;

/**
 * Prints by how much iterations per call slow the operation down, from as many as make it twice as slow to a sixteenth of them, because
 * the CPU can execute a short loop beside other code. With and without the loop are measured in turns in one process, by the CPU time
 * of its thread, so that other programs hardly matter.
 */
const calibration = (imports: string, operation: string) => `
import 'data:text/javascript,globalThis.planted = Float64Array.of(0, ${ALWAYS})';
${imports}
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
function cpuMs() {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
function nsOf(iterations, ms) {
  planted[1] = ${ALWAYS} + iterations;
  const start = cpuMs();
  let [count, spent] = [0, 0];
  while (spent < ms) { for (let at = 0; at < 10; at++) { ${operation}; } count += 10; spent = cpuMs() - start; }
  return (1e6 * spent) / count;
}
const changeBy = (iterations, turns) =>
  median(Array.from({ length: turns }, () => 1 / (nsOf(0, 20) / nsOf(iterations, 20)) - 1));
// Code without the loop, and then with it, has to be compiled before.
for (const iterations of [0, 16]) nsOf(iterations, 500);
let twice = 16;
while (changeBy(twice, 5) < 1) if ((twice *= 2) > 1e9) throw new Error('the loop does not slow the operation down');
nsOf(twice, 200);
const points = [1, 2, 4, 8, 16].map((part) => [twice / part, changeBy(twice / part, 16)]);
console.log(JSON.stringify(points));
process.exit();
`;

type Noticed = FunctionNotice['functions'][number];

/** A line of the file of results: the functions of a package that are noticed, or what happened with one of them. */
interface PackageLine {
  readonly package: string;
  readonly noticed: readonly Noticed[];
}
interface EqualLine {
  readonly package: string;
  /** Of a session that compared equal code. */
  readonly verdict: string;
}
interface FunctionLine {
  readonly package: string;
  readonly name: string;
  readonly place: string;
  /** The change of the case from which the function is noticed. */
  readonly predicted: number;
  /** Of each level; none if it failed. */
  readonly sessions: readonly { readonly verdict: string; readonly change: number; readonly pairs: number }[];
}

const { values } = parseArgs({
  options: {
    functions: { type: 'string', default: '40' },
    budget: { type: 'string', default: '16' },
    package: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string', default: '60' },
    resume: { type: 'string' },
  },
});
const selected = Object.keys(operations).filter(
  (name) => values.package.length === 0 || values.package.some((each) => name.startsWith(each)),
);
const directory = mkdtempSync(join(tmpdir(), 'bench-cli-planted-'));
const bin = join(import.meta.dirname, '../packages/cli/bin/bench-cli.js');
/** The sizes of the loop, of the predicted change. */
const levels = [0.5, 1, 2];
/** How many sessions of each package compare equal code. The packages take turns, so that the noise of different times is known. */
const equalSessions = 3;
const lines: (PackageLine | EqualLine | FunctionLine)[] =
  values.resume !== undefined && existsSync(values.resume)
    ? readFileSync(values.resume, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];

function record(line: (typeof lines)[number]): void {
  lines.push(line);
  if (values.resume !== undefined) appendFileSync(values.resume, `${JSON.stringify(line)}\n`);
}

/** The functions of packages with results. */
function planted(packages: readonly string[] = selected): readonly FunctionLine[] {
  return lines
    .filter((line) => 'sessions' in line)
    .filter((line) => line.sessions.length > 0 && packages.includes(line.package));
}

function minutes(): number {
  return performance.now() / 60_000;
}

function isLate(): boolean {
  return minutes() > Number(values.minutes);
}

/** A source whose function calls the loop; undefined if the body of the function is not found in its line. */
function plantedSource(source: string, { name, place }: Noticed): string | undefined {
  const line = Number(place.split(':').at(-1)) - 1;
  const before = source.split('\n').slice(0, line).join('\n').length;
  const word = name.split(/[. ]/).at(-1)?.replaceAll('$', '\\$');
  const head = new RegExp(
    `(?<![\\w$])(?:${word}|constructor)\\s*(?:[:=]\\s*(?:function\\b[^(]*)?)?(?:\\([^()]*\\)|[\\w$]+\\s*(?==>))\\s*(?:=>\\s*)?\\{`,
    'g',
  );
  head.lastIndex = before;
  const match = word ? head.exec(source) : null;
  if (match === null || source.slice(before + 1, match.index).includes('\n')) return undefined;
  const end = match.index + match[0].length;
  return `${source.slice(0, end)} plantedLoop(); ${source.slice(end)}\n${loop}`;
}

/** Compares a project with itself, with so many iterations of the loop in each call. */
async function slowdown(cwd: string, iterations: number): Promise<FunctionLine['sessions'][number]> {
  const subjects = [ALWAYS, ALWAYS + iterations].map((PLANTED, at) => ({
    name: at === 0 ? 'old' : 'new',
    request: { runtime: process.execPath, env: { PLANTED: PLANTED.toExponential(9) } },
  }));
  const runs = { budgetMs: 1000 * Number(values.budget) };
  const { comparisons, failures } = await compare({ subjects, items: ['bench/operation.mjs'], cwd, runs });
  const [comparison] = comparisons;
  const samples = comparison?.comparison.samples;
  if (!comparison || !samples?.new.length) throw new Error(JSON.stringify(failures).slice(0, 500));
  const [old, new_] = [samples.old, samples.new].map((rates) => meanOf(Array.from(rates, Math.log)));
  const change = Math.expm1((old ?? Number.NaN) - (new_ ?? Number.NaN));
  return { verdict: comparison.verdict, change, pairs: samples.new.length };
}

/** Makes a project of a package, with a benchmark of its operation. */
function makeProject(name: string): string {
  const project = join(directory, name);
  const [imports = '', operation = ''] = operations[name] ?? [];
  cpSync(join(directory, 'node_modules', name.split('@')[0] ?? ''), project, { recursive: true });
  mkdirSync(join(project, 'bench'));
  const source = `import { createBenchmark } from '@bench-cli/core';\n${imports}\ncreateBenchmark((_, bench) => bench.measure(() => { ${operation}; }, { durationMs: 250, warmupMs: 200 }), {});\n`;
  writeFileSync(join(project, 'bench/operation.mjs'), source);
  writeFileSync(join(project, 'bench/calibration.mjs'), calibration(imports, operation));
  return project;
}

/** @returns the JSON that a command prints */
async function command(cwd: string, ...args: readonly string[]): Promise<string> {
  const options = { cwd, timeout: 300_000 };
  const { stdout } = await execa(
    options,
  )`${process.execPath} ${bin} ${args} --budget ${values.budget}s --format json bench/operation.mjs`;
  return stdout;
}

/** Compares equal code of each package. The sessions are recorded, and so their noise is known to `check --functions`. */
async function compareEqual(project: string, name: string): Promise<void> {
  const subjects = ['one', 'other'].flatMap((side) => ['--subject', `${side}=node`]);
  const { comparisons }: { readonly comparisons: readonly { readonly verdict: string }[] } = JSON.parse(
    await command(project, 'compare', ...subjects, '--allow-same'),
  );
  for (const { verdict } of comparisons) record({ package: name, verdict });
}

/** @returns the functions that are noticed, the largest share first */
async function noticedIn(name: string, project: string): Promise<readonly Noticed[]> {
  const known = lines.find((line): line is PackageLine => 'noticed' in line && line.package === name);
  if (known !== undefined) return known.noticed;
  const { functions }: FunctionNotice = JSON.parse(await command(project, 'check', '--functions'));
  // Smaller ones have too few samples for their share.
  const noticed = functions
    .filter(({ from, share }) => from !== null && share >= 0.01)
    .toSorted((a, b) => b.share - a.share);
  record({ package: name, noticed });
  return noticed;
}

/** Iterations of a loop per call, and the change that they make, from the most on. */
type Calibration = readonly (readonly [iterations: number, change: number])[];

/**
 * The iterations that make a change: in between, the change is a power of them, and below the last ones in proportion to them.
 * A later point may not have more than an earlier one.
 */
function iterationsFor(change: number, points: Calibration): number {
  let [above, most] = points[0] ?? [Number.NaN, Number.NaN];
  for (const [iterations, measured] of points) {
    const least = Math.min(most, Math.max(measured, 1e-4));
    if (change >= least && least < most)
      return above * (change / most) ** (Math.log(above / iterations) / Math.log(most / least));
    [above, most] = [iterations, least];
  }
  return (above * change) / most;
}

/**
 * The changes of the case by iterations of the loop. Code is warmer in the process that measures them, so the loop counts less in the
 * runs of a session: one whose change is larger than all that are planted, so that noise is small beside it, says by how much.
 */
async function calibrate(project: string, largest: number): Promise<Calibration> {
  const options = { cwd: project, timeout: 120_000 };
  const { stdout } = await execa(options)`${process.execPath} bench/calibration.mjs`;
  const points: Calibration = JSON.parse(stdout);
  const change = Math.max(0.3, 1.5 * largest);
  const { change: ofRuns } = await slowdown(project, iterationsFor(change, points));
  if (!(ofRuns > change / 3)) throw new Error('the loop does not slow the case down');
  return points.map(([count, measured]) => [count, (measured * ofRuns) / change]);
}

/** Measures the sessions of one planted function. */
async function measure(project: string, { share, from }: Noticed): Promise<FunctionLine['sessions']> {
  const points = await calibrate(project, Math.max(...levels) * share * from);
  const sessions: FunctionLine['sessions'][number][] = [];
  for (const level of levels)
    sessions.push(await slowdown(project, iterationsFor(level * share * from, points)));
  return sessions;
}

/** @param wanted how many functions of the package are planted, those of the file included */
async function measurePackage(name: string, wanted: number): Promise<void> {
  const project = join(directory, name);
  const noticed = await noticedIn(name, project);
  const pathOf = ({ place }: Noticed) => join(project, place.replace(/:\d+$/, ''));
  const plantable = noticed.filter((each) => plantedSource(readFileSync(pathOf(each), 'utf8'), each));
  console.log(`${name}: ${noticed.length} functions are noticed, and ${plantable.length} can be planted`);
  // Another function takes the place of one that fails.
  for (const each of plantable) {
    const isDone = lines.some(
      (line) =>
        'place' in line && line.package === name && line.place === each.place && line.name === each.name,
    );
    if (isDone) continue;
    if (planted([name]).length >= wanted || isLate()) return;
    const path = pathOf(each);
    const original = readFileSync(path, 'utf8');
    writeFileSync(path, plantedSource(original, each) ?? original);
    const before = minutes();
    const line = { package: name, name: each.name, place: each.place, predicted: each.share * each.from };
    const shown = `${name} ${each.name} ${each.place}: share ${percent(each.share)}, ${percent(each.share * each.from)} of the case`;
    try {
      const sessions = await measure(project, each);
      record({ ...line, sessions });
      const texts = sessions.map(
        ({ verdict, change, pairs }, at) => `${levels[at]}: ${verdict} (${percent(change)}, ${pairs} pairs)`,
      );
      console.log(
        `${planted().length} in ${(minutes() - before).toFixed(1)} min: ${shown}; ${texts.join(', ')}`,
      );
    } catch (error) {
      record({ ...line, sessions: [] });
      console.log(`FAILED ${shown}: ${error instanceof Error ? error.message : error}`);
    }
    writeFileSync(path, original);
  }
}

function percent(fraction: number): string {
  return `${(100 * fraction).toFixed(1)} %`;
}

/** A share with its 95 % interval. Source: E. B. Wilson, "Probable inference", JASA 22 (1927). */
function shareText(hits: number, of: number): string {
  const z = 1.96;
  const middle = (hits + z ** 2 / 2) / (of + z ** 2);
  const half = (z / (of + z ** 2)) * Math.sqrt((hits * (of - hits)) / of + z ** 2 / 4);
  return `${hits} of ${of} (${percent(hits / of)}, ${percent(Math.max(0, middle - half))} to ${percent(Math.min(1, middle + half))})`;
}

try {
  writeFileSync(join(directory, 'package.json'), '{ "private": true }');
  await execa({ cwd: directory })`npm install --ignore-scripts --no-audit --no-fund ${selected}`;
  mkdirSync(join(directory, 'node_modules/@bench-cli'));
  symlinkSync(join(import.meta.dirname, '../packages/core'), join(directory, 'node_modules/@bench-cli/core'));
  const projects = new Map(selected.map((name) => [name, makeProject(name)]));
  for (let session = 0; session < equalSessions; session++)
    for (const [name, project] of projects)
      if (!lines.some((line) => 'noticed' in line && line.package === name))
        await compareEqual(project, name);
  for (const [at, name] of selected.entries()) {
    if (isLate()) break;
    const wanted = Math.ceil(
      (Number(values.functions) - planted(selected.slice(0, at)).length) / (selected.length - at),
    );
    await measurePackage(name, wanted).catch((error) => console.log(`FAILED ${name}: ${error.message}`));
  }
} finally {
  rmSync(directory, { recursive: true });
}
const equal = lines.flatMap((line) => ('verdict' in line ? line.verdict : []));
const differing = equal.filter((verdict) => verdict === 'slower' || verdict === 'faster').length;
console.log(`equal code: a difference in ${shareText(differing, equal.length)}`);
for (const [at, level] of levels.entries()) {
  const found = planted().filter(({ sessions }) => sessions[at]?.verdict === 'slower').length;
  console.log(`${level} times the predicted change: found in ${shareText(found, planted().length)}`);
}
const wanted = sumOf(planted(), ({ predicted }) => predicted * sumOf(levels, (level) => level));
const measured = sumOf(planted(), ({ sessions }) => sumOf(sessions, ({ change }) => change));
console.log(`all measured changes together are ${(measured / wanted).toFixed(2)} times the planted ones`);
const failed = lines.filter((line) => 'sessions' in line && line.sessions.length === 0).length;
console.log(`${selected.length} packages in ${minutes().toFixed(1)} min; ${failed} functions failed`);
