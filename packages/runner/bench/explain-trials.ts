/**
 * Counts how often `explain` names the function first that was made 20 % slower in one version of a library.
 *
 *     node packages/runner/bench/explain-trials.ts <library> <benchmark.js> [tries=20] [profiles=20] [share=0.05]
 *
 * `library` is a directory with its dependencies installed. The benchmark is a file of `createBenchmark` that is copied to
 * `benchmarks/trial/` inside of copies of the library, and imports it by a path such as `../../index.js`. Each try takes the next of
 * the functions of the library that take at least the share of an operation, and inserts a loop whose iterations together take a
 * fifth of the function's own time.
 */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Profiles } from '@bench-cli/results';
import { createRequest, profileCases, type RunRecord, runSession } from '@bench-cli/runner';
import { compareParts, withoutCommonFactor } from '@bench-cli/stats/internal';

const SLOWER = 0.2;
const [library = '', benchmark = '', tries = '20', profiles = '20', share = '0.05'] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), 'explain-trials-'));
const [old = '', changed = ''] = ['old', 'new'].map((side) => join(directory, side));
if (old === undefined || changed === undefined) throw new RangeError();
const results = join(directory, 'results.jsonl');

interface Place {
  readonly name: string;
  readonly file: string;
  /** Where the parameters begin; both count from 0. */
  readonly line: number;
  readonly column: number;
  readonly selfNs: number;
}

try {
  for (const side of [old, changed]) {
    cpSync(library, side, { recursive: true, dereference: true });
    mkdirSync(join(side, 'benchmarks/trial'), { recursive: true });
    cpSync(benchmark, join(side, 'benchmarks/trial', basename(benchmark)));
    mkdirSync(join(side, 'node_modules/@bench-cli'), { recursive: true });
    symlinkSync(join(import.meta.dirname, '../../core'), join(side, 'node_modules/@bench-cli/core'));
  }
  const run = await record();
  const candidates = await candidatesOf(run);
  const iterationNs = measureIteration();
  console.log(
    `candidates: ${candidates.map(({ name, selfNs }) => `${name} (${selfNs.toFixed(0)} ns)`).join(', ')}`,
  );
  let first = 0;
  for (let trial = 0; trial < Number(tries); trial++) {
    const place = candidates[trial % candidates.length];
    if (place === undefined) throw new Error('no function of the library takes this share of an operation');
    plant(
      place,
      'globalThis.calls ??= (process.on("exit", () => console.error("CALLS " + globalThis.calls)), 0); globalThis.calls++;',
    );
    const rounds = (place.selfNs * SLOWER) / callsPerOperation(run) / iterationNs;
    plant(
      place,
      `{ let sum = globalThis.sum | 0; for (let i = 0; i < ${Math.round(rounds)}; i++) sum = (Math.imul(sum, 31) + i) | 0; globalThis.sum = sum; }`,
    );
    const named = await firstNamed(run);
    const isNamed = named?.startsWith(`${place.name} `) ?? false;
    if (isNamed) first++;
    console.log(
      `${trial + 1}: ${place.name}, ${Math.round(rounds)} iterations per call: ${isNamed ? 'first' : `not first: ${named ?? 'nothing'}`}`,
    );
    restore(place);
  }
  console.log(`${first} of ${tries} named first`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}

/** One run under each subject. */
async function record(): Promise<RunRecord> {
  const { request } = await createRequest(
    'compare',
    { old: { cwd: old }, new: { cwd: changed } },
    {
      items: [join(old, 'benchmarks/trial', basename(benchmark))],
      suite: join(old, 'benchmarks'),
      runs: 1,
      allowSame: true,
      cwd: old,
    },
  );
  let found: RunRecord | undefined;
  for await (const event of runSession(request, { out: results })) {
    if (event.type === 'failure') throw new Error(event.record.failure.message);
    if (event.type !== 'run') continue;
    if (event.record.status === 'failed')
      throw new Error(`${event.record.failure.message} ${event.record.failure.output}`);
    found ??= event.record;
  }
  if (found === undefined) throw new Error('no run');
  return found;
}

async function profilesOf(of: RunRecord, count: number): Promise<readonly Profiles[]> {
  rmSync(join(directory, 'profiles'), { recursive: true, force: true });
  for await (const event of profileCases(results, [of], {
    directory: join(directory, 'profiles'),
    profiles: count,
  })) {
    if (event.type === 'failure') throw new Error(event.record.failure.message);
    if (event.type === 'run' && event.record.status === 'failed')
      throw new Error(event.record.failure.message);
    if (event.type === 'profiled') return event.profiles;
  }
  throw new Error('no profile');
}

/** The functions of the library that take at least the share of an operation. */
async function candidatesOf(of: RunRecord): Promise<readonly Place[]> {
  const all = await profilesOf(of, 3);
  const runs = all.find(({ subject }) => subject === 'old')?.runs ?? [];
  const selves = new Map<string, number>();
  for (const each of runs)
    for (const [name, ns] of each) selves.set(name, (selves.get(name) ?? 0) + ns / runs.length);
  const whole = [...selves.values()].reduce((sum, ns) => sum + ns, 0);
  const places = new Map<string, Place>();
  for (const file of globSync(join(directory, 'profiles/*-old-*.cpuprofile'))) {
    for (const { callFrame } of JSON.parse(readFileSync(file, 'utf8')).nodes) {
      const { functionName, url, lineNumber, columnNumber } = callFrame;
      const path = url.startsWith('file:') ? fileURLToPath(url) : url;
      const inside = relative(old ?? '', path);
      if (
        functionName === '' ||
        inside.startsWith('..') ||
        inside.startsWith('benchmarks') ||
        !path.startsWith('/')
      )
        continue;
      const selfNs = selves.get(`${functionName} ${inside}`) ?? 0;
      if (selfNs >= whole * Number(share)) {
        places.set(`${functionName} ${inside}`, {
          name: functionName,
          file: inside,
          line: lineNumber,
          column: columnNumber,
          selfNs,
        });
      }
    }
  }
  return [...places.values()]
    .filter((place) => bodyOf(place) !== undefined)
    .sort((a, b) => b.selfNs - a.selfNs);
}

/** Where the body of a function begins, in its file; undefined for an arrow function without braces. */
function bodyOf({ file, line, column }: Place): number | undefined {
  const source = readFileSync(join(old ?? '', file), 'utf8');
  const start =
    source
      .split('\n')
      .slice(0, line)
      .reduce((sum, text) => sum + text.length + 1, 0) + column;
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    if ('([{'.includes(source[at] ?? '')) depth++;
    if (')]}'.includes(source[at] ?? '')) depth--;
    if (depth > 0) continue;
    const rest = /^[)\w\s]*(?:=>\s*)?\{/.exec(source.slice(at));
    return rest === null ? undefined : at + rest[0].length;
  }
  return undefined;
}

function plant(place: Place, code: string): void {
  const source = readFileSync(join(old ?? '', place.file), 'utf8');
  const at = bodyOf(place);
  if (at === undefined) throw new Error(`${place.name} has no body`);
  writeFileSync(join(changed ?? '', place.file), `${source.slice(0, at)} ${code} ${source.slice(at)}`);
}

function restore({ file }: Place): void {
  cpSync(join(old, file), join(changed, file));
}

/** Runs the changed version, which counts the calls of the planted function. */
function callsPerOperation({ configuration }: RunRecord): number {
  const script = join(changed, 'benchmarks/trial', basename(benchmark));
  const args = Object.entries(configuration).map(([name, value]) => `${name}=${value}`);
  const command = `"${process.execPath}" "${script}" ${args.map((arg) => `'${arg}'`).join(' ')} 2>&1`;
  const output = execFileSync('/bin/sh', ['-c', command], {
    encoding: 'utf8',
    cwd: changed,
    env: { ...process.env, NODE_RUN_BENCHMARK_FN: '' },
  });
  const calls = Number(/CALLS (\d+)/.exec(output)?.[1]);
  return calls / Number(configuration['n']);
}

/** The first function of the explanation, without those that are not JavaScript. */
async function firstNamed(of: RunRecord): Promise<string | undefined> {
  const all = await profilesOf(of, Number(profiles));
  const runsOf = (subject: string) => all.find((each) => each.subject === subject)?.runs ?? [];
  const { runs } = withoutCommonFactor({ old: runsOf('old'), new: runsOf('new') });
  return compareParts(runs).filter(({ adjustedP }) => adjustedP < 0.05)[0]?.part;
}

/** Nanoseconds of one iteration of the planted loop. */
function measureIteration(): number {
  const spin = (count: number) => {
    const from = process.hrtime.bigint();
    let sum = 1;
    // Each iteration waits for the one before, and all stay small integers.
    for (let i = 0; i < count; i++) sum = (Math.imul(sum, 31) + i) | 0;
    Reflect.set(globalThis, 'sum', sum);
    return Number(process.hrtime.bigint() - from) / count;
  };
  return Math.min(...[1, 2, 3, 4, 5].map(() => spin(20_000_000)));
}
