import { isDeepStrictEqual } from 'node:util';
import { caseKey } from '../case.ts';
import { argumentsOf, type Configuration } from '../configuration.ts';
import { UsageError } from '../usage-error.ts';
import { executedAs } from './calibration.ts';
import type { PlanRecord, SessionRecord } from './line.ts';
import type { RecordedSession } from './read.ts';

/**
 * Makes sure that recordings are of one command, and complete: each the whole session, or all of its shards, one set
 * after the other.
 * @throws UsageError that names the file, and what is wrong with it
 */
export function checkTogether(sessions: readonly [RecordedSession, ...RecordedSession[]]): void {
  const parts = sessions.map(finishedPart);
  const [first, ...others] = parts;
  if (first === undefined) return;
  for (const other of others) checkSameRequest(first, other);
  checkDistinct(parts);
  const sets = completeSets(parts);
  for (const set of sets) {
    for (const part of set) checkSamePlan(set[0] ?? part, part);
    checkSamePlan(first, set[0] ?? first, withoutShards);
  }
  checkRounds(first, sets[1]?.[0]);
  for (const part of parts) checkRuns(part);
}

/** A recording that is known to be finished. */
interface Part extends RecordedSession {
  readonly plan: PlanRecord;
}

function finishedPart({ place, recording }: RecordedSession): Part {
  const { session, plan, ended } = recording;
  const { command } = session.request;
  if (command === 'scatter') {
    throw new UsageError(
      'ERR_BENCH_MERGE',
      `${place} holds a session of scatter, which shows how the rate depends on parameters on one machine; only those of run and compare can be merged`,
    );
  }
  if (plan === undefined || !ended) {
    throw new UsageError(
      'ERR_BENCH_MERGE',
      `${place} is not finished; go on with it first: bench-cli ${command} --resume ${place}`,
    );
  }
  return { place, recording, plan };
}

function checkSameRequest(a: Part, b: Part): void {
  const [ofA, ofB] = [aspectsOf(a.recording.session), aspectsOf(b.recording.session)];
  for (const aspect of [...ofA.keys(), ...ofB.keys()]) {
    const [valueA = 'none', valueB = 'none'] = [ofA.get(aspect), ofB.get(aspect)];
    if (valueA === valueB) continue;
    throw new UsageError(
      'ERR_BENCH_MERGE',
      `${b.place} differs from ${a.place} in ${aspect}: ${valueB}, not ${valueA}; what is merged must be of one command`,
    );
  }
}

/** All that must be the same on all machines. Paths may differ. */
function aspectsOf({ request, digests }: SessionRecord): Map<string, string> {
  const { command, files, subjects, runs, settings } = request;
  return new Map([
    ['the command', command],
    ['--runs', JSON.stringify(runs)],
    ['--calibrate', settings.calibrate ? 'on' : 'off'],
    ['--set', settings.set.join(' ') || 'none'],
    ['test mode', settings.test ? 'on' : 'off'],
    ['--timeout', `${settings.timeoutMs / 1000} s`],
    ['--set CPUSET', settings.cpuSet ?? 'none'],
    ['--set LOADCPUSET', settings.loadCpuSet ?? 'none'],
    ...subjects.flatMap(({ name, runtime, flags, env }): [string, string][] => [
      [
        `the runtime of ${name}`,
        `Node.js ${runtime.version} (V8 ${runtime.v8}, ${runtime.platform} ${runtime.arch})`,
      ],
      [`the flags of ${name}`, flags.join(' ') || 'none'],
      [`the variables of ${name}`, Object.entries(env).sort().join(' ') || 'none'],
    ]),
    ...files.map(({ name }): [string, string] => [
      `the benchmark ${name}`,
      `SHA-256 ${digests[name]?.slice(0, 12) ?? 'unknown'}`,
    ]),
  ]);
}

/** A file that is given twice would count its runs twice. */
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
      'ERR_BENCH_MERGE',
      same.place === place
        ? `${place} is given twice; give it once`
        : `${place} is the same recording as ${same.place}; give one of them`,
    );
  }
}

/** Where each machine ended by what its own runs showed, their runs are no one sample. */
function checkRounds(first: Part, another: Part | undefined): void {
  if (another === undefined || typeof first.recording.session.request.runs === 'number') return;
  throw new UsageError(
    'ERR_BENCH_MERGE',
    `${another.place} is another whole session with --runs auto, which ended by what its own runs showed; merge the shards of one session, or measure with a fixed --runs on each machine`,
  );
}

/** Cuts parts into sets that are complete: a whole session, or all shards of one. */
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
        'ERR_BENCH_MERGE',
        `shard ${shard.index}/${shard.count} is in both ${double.place} and ${part.place}; give each once, or one complete set after the other`,
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
    'ERR_BENCH_MERGE',
    sets.length === 0
      ? `shard${missing.length === 1 ? '' : 's'} ${names} ${missing.length === 1 ? 'is' : 'are'} missing; give the files of all ${count}`
      : `${part.place} begins another set of shards, of which ${names} ${missing.length === 1 ? 'is' : 'are'} missing; leave it out, or give all of its set`,
  );
}

/** @throws UsageError when two shards cannot be of one set */
function checkDivision(a: Part, b: Part): void {
  const [ofA, ofB] = [a, b].map(({ recording }) => recording.session.request.shard);
  const name = (shard: typeof ofA) =>
    shard === undefined ? 'a whole session' : `shard ${shard.index}/${shard.count}`;
  if (ofA?.count !== ofB?.count) {
    throw new UsageError(
      'ERR_BENCH_MERGE',
      `${b.place} is ${name(ofB)}, ${a.place} ${name(ofA)}; give all shards of one division, one set after the other`,
    );
  }
  if (!isDeepStrictEqual(ofA?.costs, ofB?.costs)) {
    throw new UsageError(
      'ERR_BENCH_MERGE',
      `${b.place} was divided by other --costs than ${a.place}; give all shards the same file`,
    );
  }
}

function checkSamePlan(a: Part, b: Part, form: (plan: PlanRecord) => PlanRecord = (plan) => plan): void {
  const changed = changedBenchmark(form(a.plan), form(b.plan));
  if (changed === undefined) return;
  throw new UsageError(
    'ERR_BENCH_MERGE',
    `${b.place} and ${a.place} planned other configurations of ${changed}; look at what its parameters depend on, and at its failures, then measure again on all machines`,
  );
}

function withoutShards({ type, benchmarks }: PlanRecord): PlanRecord {
  return { type, benchmarks: benchmarks.map(({ name, configurations }) => ({ name, configurations })) };
}

/** Every configuration of the part, and no other, must have been run under all subjects. */
function checkRuns({ place, recording, plan }: Part): void {
  const { session, runs, failures, calibrations } = recording;
  const { shard, subjects, runs: wanted } = session.request;
  const executed = executedAs(calibrations);
  // When the time was up, some may not have had their turn.
  const isLimited = typeof wanted !== 'number' && wanted.budgetMs !== undefined;
  const strays = new Set<string>();
  const seen = new Map<string, Set<string>>();
  for (const { benchmark, subject, configuration: told, scheduled: configuration = told } of runs) {
    const key = caseKey({ benchmark, configuration });
    seen.set(key, (seen.get(key) ?? new Set()).add(subject));
    strays.add(key);
  }
  for (const { name: benchmark, configurations, shards } of plan.benchmarks) {
    // Without its setup none of them could run.
    const mayBeMissing =
      isLimited || failures.some((each) => each.benchmark === benchmark && each.phase === 'setup');
    for (const [at, configuration] of configurations.entries()) {
      const key = caseKey({
        benchmark,
        configuration: executed({ benchmark, configuration }),
      });
      const ran = seen.get(key);
      strays.delete(key);
      const name = nameOf(benchmark, configuration);
      if (shards?.[at] !== shard?.index) {
        if (ran === undefined) continue;
        throw new UsageError(
          'ERR_BENCH_MERGE',
          `${place} holds runs of ${name}, which is for shard ${shards?.[at]}/${shard?.count}; the file was changed after it was written`,
        );
      }
      if (ran === undefined && mayBeMissing) continue;
      const missing = subjects.find((subject) => !ran?.has(subject.name));
      if (missing === undefined) continue;
      throw new UsageError(
        'ERR_BENCH_MERGE',
        `${place} holds no run of ${name} under ${missing.name}, though it is finished; the file was changed after it was written`,
      );
    }
  }
  const [stray] = strays;
  if (stray === undefined) return;
  throw new UsageError(
    'ERR_BENCH_MERGE',
    `${place} holds runs of ${stray}, which it did not plan; the file was changed after it was written`,
  );
}

function nameOf(benchmark: string, configuration: Configuration): string {
  return [benchmark, ...argumentsOf(configuration)].join(' ');
}

/** The name of a benchmark that two plans differ in. */
export function changedBenchmark(a: PlanRecord, b: PlanRecord): string | undefined {
  const [inA, inB] = [a, b].map(({ benchmarks }) => new Map(benchmarks.map((each) => [each.name, each])));
  const names = [...a.benchmarks, ...b.benchmarks].map(({ name }) => name);
  return names.find((name) => !isDeepStrictEqual(inA?.get(name), inB?.get(name)));
}
