import { relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { allSettings, optionOf } from '../settings/settings.ts';
import { packageDetails, runtimeDetails, sourceDetails } from '../subject-names.ts';
import { UsageError } from '../usage-error.ts';
import { difference, inherited } from './difference.ts';
import type { ImportedCode, PlanRecord, SessionRecord, Subject } from './line.ts';
import type { RecordedSession } from './read.ts';
import { settingsOfRequest } from './recorded-settings.ts';

/**
 * Checks that recordings are of one command and complete: each is a whole session, or they are all shards of one session,
 * one set after the other.
 * @throws UsageError that names the file
 */
export function checkTogether(sessions: readonly [RecordedSession, ...RecordedSession[]]): void {
  const parts = sessions.map(finishedPart);
  const [first, ...others] = parts;
  if (first === undefined) return;
  for (const other of others) checkSameRequest(first, other);
  checkDistinct(parts);
  const sets = completeSets(parts);
  const withoutShards = ({ type, benchmarks }: PlanRecord) => {
    return { type, benchmarks: benchmarks.map(({ shards: _, ...benchmark }) => benchmark) };
  };
  for (const set of sets) {
    for (const part of set) checkSamePlan(set[0] ?? part, part);
    checkSamePlan(first, set[0] ?? first, withoutShards);
  }
  checkRounds(first, sets[1]?.[0]);
}

/** A finished recording, which always has a plan. */
interface Part extends RecordedSession {
  readonly plan: PlanRecord;
}

function finishedPart({ place, recording }: RecordedSession): Part {
  const { session, plan, ended } = recording;
  const { command } = session.request;
  if (command === 'scatter' || command === 'bisect') {
    const reason =
      command === 'scatter'
        ? 'shows how the rate depends on parameters on one machine'
        : 'compares versions on one machine';
    throw new UsageError(
      'ERR_BENCH_MERGE_UNSUPPORTED',
      `${place} is a session of ${command}, which ${reason}: merge only sessions of run or compare`,
    );
  }
  if (plan === undefined || !ended) {
    throw new UsageError(
      'ERR_BENCH_MERGE_INCOMPLETE',
      `${place} is not finished: continue it first with bench-cli ${command} --resume ${place}`,
    );
  }
  return { place, recording, plan };
}

function checkSameRequest(a: Part, b: Part): void {
  const found = difference(aspectsOf(a.recording.session), aspectsOf(b.recording.session));
  if (found === undefined) return;
  const [ofA = 'none', ofB = 'none'] = found.values;
  throw mismatch(
    `${b.place} differs from ${a.place} in ${found.name}: ${ofB} instead of ${ofA}; merge only files of one command`,
  );
}

/** What must be equal on all machines. */
function aspectsOf({ request, digests, environment }: SessionRecord): Map<string, string> {
  const { command, files, subjects, settings } = request;
  const values = { ...settingsOfRequest(request), test: settings.test, jobs: settings.jobs && 'used' };
  const ofSubject = (subject: Subject) =>
    Object.entries(subjectAspects).flatMap(([name, aspect]): [string, string][] =>
      aspect === undefined ? [] : [[`the ${name} of ${subject.name}`, textOf(aspect(subject, settings.cwd))]],
    );
  return new Map([
    ['the command', command],
    ...Object.entries(values).map(([name, value]): [string, string] => {
      const setting = allSettings[name];
      return [setting === undefined ? name : optionOf(setting), textOf(value)];
    }),
    ...inherited(environment),
    ['the order of subjects', subjects.map(({ name }) => name).join(', ')],
    ...subjects.flatMap(ofSubject),
    ...files.map(({ name }): [string, string] => [
      `the benchmark ${name}`,
      `SHA-256 ${digests[name]?.slice(0, 12) ?? 'unknown'}`,
    ]),
  ]);
}

/** The fields of a subject that must be equal. Machines may have the same files in different places. */
const subjectAspects: {
  readonly [Field in keyof Subject]-?: ((subject: Subject, cwd: string) => unknown) | undefined;
} = {
  name: undefined,
  label: undefined,
  executable: undefined,
  flags: ({ flags }) => flags,
  env: ({ env }) => Object.entries(env).sort(),
  cwd: ({ cwd }, base) => cwd && relative(base, cwd),
  runtime: ({ runtime }) => runtimeDetails(runtime),
  digest: ({ digest }) => digest && `the file with SHA-256 ${digest.slice(0, 12)}`,
  packages: ({ packages }) => packages?.map(packageDetails),
  source: ({ source }) => source && [source.path, sourceDetails(source)],
};

function textOf(value: unknown): string {
  if (value === undefined || value === false || (Array.isArray(value) && value.length === 0)) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Runs of a file that is given twice would count twice. */
function checkDistinct(parts: readonly Part[]): void {
  for (const [at, { place, recording }] of parts.entries()) {
    const same = parts
      .slice(0, at)
      .find(
        (other) =>
          isDeepStrictEqual(other.recording.session, recording.session) &&
          isDeepStrictEqual(other.recording.runs[0], recording.runs[0]),
      );
    if (same === undefined) continue;
    throw new UsageError(
      'ERR_BENCH_MERGE_DUPLICATE',
      same.place === place
        ? `${place} is given twice: give it once`
        : `${place} is the same recording as ${same.place}: give only one of them`,
    );
  }
}

/** Adaptive runs of several machines are not one sample, because each machine stopped by its own runs. */
function checkRounds(first: Part, another: Part | undefined): void {
  if (another === undefined || typeof first.recording.session.request.runs === 'number') return;
  throw new UsageError(
    'ERR_BENCH_MERGE_UNSUPPORTED',
    `${another.place} is another whole session with --runs auto, which stopped by its own runs: merge the shards of one session, or measure with a fixed --runs on each machine`,
  );
}

/** Cuts parts into complete sets: a whole session, or all shards of one. */
function completeSets(parts: readonly Part[]): readonly (readonly Part[])[] {
  const sets: (readonly Part[])[] = [];
  let open = new Map<number, Part>();
  for (const part of parts) {
    const [other] = open.values();
    const { shard } = part.recording.session.request;
    if (other !== undefined) checkDivision(other, part);
    if (shard === undefined) {
      sets.push([part]);
      continue;
    }
    const double = open.get(shard.index);
    if (double !== undefined) {
      throw new UsageError(
        'ERR_BENCH_MERGE_DUPLICATE',
        `shard ${shard.index}/${shard.count} is in both ${double.place} and ${part.place}: give each shard once, or one complete set after the other`,
      );
    }
    open.set(shard.index, part);
    if (open.size < shard.count) continue;
    sets.push([...open.values()]);
    open = new Map();
  }
  const [part] = open.values();
  if (part === undefined) return sets;
  const count = part.recording.session.request.shard?.count ?? 1;
  const missing = Array.from({ length: count }, (_, at) => at + 1).filter((index) => !open.has(index));
  const names = missing.map((index) => `${index}/${count}`).join(', ');
  throw new UsageError(
    'ERR_BENCH_MERGE_INCOMPLETE',
    sets.length === 0
      ? `missing shards: ${names}; give the files of all ${count} shards`
      : `${part.place} begins another set of shards, in which ${names} are missing: leave it out, or give all ${count} shards of its set`,
  );
}

function checkDivision(a: Part, b: Part): void {
  const [ofA, ofB] = [a, b].map(({ recording }) => recording.session.request.shard);
  const name = (shard: typeof ofA) =>
    shard === undefined ? 'a whole session' : `shard ${shard.index}/${shard.count}`;
  if (ofA?.count !== ofB?.count) {
    throw mismatch(
      `${b.place} is ${name(ofB)}, but ${a.place} is ${name(ofA)}: give all shards of one division, one set after the other`,
    );
  }
  if (!isDeepStrictEqual(ofA?.costs, ofB?.costs)) {
    throw mismatch(
      `${b.place} and ${a.place} were divided by different --costs: run all shards with the same file`,
    );
  }
}

function checkSamePlan(a: Part, b: Part, form: (plan: PlanRecord) => PlanRecord = (plan) => plan): void {
  const file =
    changedFile(a.plan.code, b.plan.code) ?? changedFile(a.recording.imported, b.recording.imported, false);
  if (file !== undefined) {
    throw mismatch(
      `${b.place} and ${a.place} loaded different files ${file}: install and build the same on all machines, and measure again`,
    );
  }
  const changed = changedBenchmark(form(a.plan), form(b.plan));
  if (changed === undefined) return;
  throw mismatch(
    `${b.place} and ${a.place} planned different configurations of ${changed}: check what its parameters depend on, and its failures, then measure again on all machines`,
  );
}

function mismatch(message: string): UsageError {
  return new UsageError('ERR_BENCH_MERGE_MISMATCH', message);
}

export function changedBenchmark(a: PlanRecord, b: PlanRecord): string | undefined {
  const [inA, inB] = [a, b].map(({ benchmarks }) => new Map(benchmarks.map((each) => [each.name, each])));
  const names = [...a.benchmarks, ...b.benchmarks].map(({ name }) => name);
  return names.find((name) => !isDeepStrictEqual(inA?.get(name), inB?.get(name)));
}

type Code = Readonly<Record<string, ImportedCode>>;

/**
 * A file that is not the same in the code of two sessions, with its subject. Unknown code is not compared.
 * @param isWhole whether a file that only one session loaded is a difference; each configuration can load others when it runs
 */
export function changedFile(a: Code = {}, b: Code = {}, isWhole = true): string | undefined {
  for (const [subject, files] of Object.entries(a)) {
    const others = b[subject];
    if (others === undefined) continue;
    const names = isWhole ? Object.keys({ ...files, ...others }) : Object.keys(files);
    const name = names.find(
      (each) => files[each] !== others[each] && (isWhole || Object.hasOwn(others, each)),
    );
    if (name !== undefined) return `${name} (${subject})`;
  }
  return undefined;
}
