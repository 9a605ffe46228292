import {
  adaptiveRuns,
  caseName,
  counted,
  guarantees,
  missingShards,
  mostRuns,
  subjectParts,
} from '@bench-cli/results';
import type { Environment, Recording, Subject } from '@bench-cli/results/recording';

export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The machines and the session of recordings; empty for a CSV. */
export function sessionFacts(recordings: readonly Recording[]): readonly Fact[] {
  const [first] = recordings;
  if (first === undefined) return [];
  const { request } = first.session;
  const environments = recordings.map(({ session }) => session.environment);
  const ofMachines = (value: (environment: Environment) => string) => machinesText(environments.map(value));
  const loads = environments.map(({ cpuLoad }) => cpuLoad).sort((a, b) => a - b);
  const resumed = recordings.flatMap((recording) => recording.resumed);
  const runs = recordings.reduce((sum, recording) => sum + recording.runs.length, 0);
  const most = mostRuns(request.runs);
  const planned = adaptiveRuns(request.runs) ? `as many as needed, at most ${most},` : `${most} planned`;
  return [
    ...(recordings.length > 1 || request.shard !== undefined
      ? [{ name: 'Parts', value: partsText(recordings) }]
      : []),
    { name: 'CPU', value: ofMachines(({ cpu, cpus }) => `${cpu}, ${cpus} to use`) },
    { name: 'Memory', value: ofMachines(({ memoryBytes }) => `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`) },
    { name: 'System', value: ofMachines(({ os }) => os) },
    { name: 'Frequency governor', value: ofMachines(({ governor }) => governor ?? 'unknown') },
    { name: 'Load at the start', value: rangeText(loads.map((load) => load.toFixed(2))) },
    ...subjectFacts(request.subjects),
    { name: 'Started', value: rangeText(recordings.map(({ session }) => session.startedAt).sort()) },
    ...[...new Set(environments.flatMap(({ lacks = [] }) => lacks))].map((name) => ({
      name: 'Not guaranteed',
      value: guarantees[name].lack,
    })),
    ...resumed.map((record) => ({ name: 'Resumed', value: record.startedAt })),
    { name: 'Runs', value: `${runs}, ${planned} for each configuration and subject` },
    { name: 'bench-cli ran under', value: ofMachines(({ node }) => `Node.js ${node}`) },
  ];
}

/** What each subject executes, and separately what all subjects have in common. */
function subjectFacts(subjects: readonly Subject[]): readonly Fact[] {
  const parts = subjects.map(subjectParts);
  const [first = [], ...others] = parts;
  const common = others.length === 0 ? [] : first.filter((part) => others.every((own) => own.includes(part)));
  const facts = subjects.map(({ name }, at) => ({
    name: `Subject ${name}`,
    value: (parts[at] ?? []).filter((part) => !common.includes(part)).join('; '),
  }));
  return [{ name: 'All subjects', value: common.join('; ') }, ...facts].filter(({ value }) => value !== '');
}

export function failureFacts(recordings: readonly Recording[]): readonly Fact[] {
  const failed = recordings.flatMap(({ runs }) => runs.filter((run) => run.status === 'failed'));
  return failed.map((run) => ({ name: `${caseName(run)} (${run.subject})`, value: run.failure.message }));
}

/** Benchmarks that failed to be planned, set up or torn down, with their messages. */
export function failedBenchmarks(recordings: readonly Recording[]): readonly Fact[] {
  const failures = recordings.flatMap(({ failures }) =>
    failures.map(({ benchmark, phase, subject, failure }) => ({
      name: `${benchmark} (${subject}, ${phase})`,
      value: failure.message,
    })),
  );
  // Every shard plans all benchmarks.
  return [...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values()];
}

/** The number of joined shards: `8 shards`, `6 of 8 shards`; of a whole session `1 session`. */
export function partsText(recordings: readonly Recording[]): string {
  const missing = missingShards(recordings).length;
  if (missing > 0) return `${recordings.length} of ${recordings.length + missing} shards`;
  return counted(recordings.length, recordings.length === 1 ? 'session' : 'shard');
}

/** One value for all machines, or each value with the number of its machines. */
export function machinesText(values: readonly string[]): string {
  const groups = [...Map.groupBy(values, (value) => value)];
  if (groups.length === 1) return values[0] ?? '';
  return groups.map(([value, { length }]) => `${value} (${length} of ${values.length})`).join('; ');
}

function rangeText(ascending: readonly string[]): string {
  const [first = '', last = first] = [ascending[0], ascending.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}
