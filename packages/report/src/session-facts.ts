import {
  adaptiveRuns,
  caseName,
  counted,
  guarantees,
  missingShards,
  mostRuns,
  runtimeText,
  shortList,
  shownIn,
  subjectParts,
} from '@bench-cli/results';
import type { Environment, Recording, Subject } from '@bench-cli/results/recording';
import { shortPercent } from './figure-text.ts';

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
  const loads = environments
    // Programs that wait for a CPU count, too.
    .map(({ cpuLoad, cpus, machineCpus = cpus }) => Math.min(1, cpuLoad / machineCpus))
    .sort((a, b) => a - b);
  const load = rangeText(loads.map(shortPercent));
  const lacks = new Set(environments.flatMap((environment) => environment.lacks ?? []));
  const resumed = recordings.flatMap((recording) => recording.resumed);
  const runs = recordings.reduce((sum, recording) => sum + recording.runs.length, 0);
  const most = mostRuns(request.runs);
  const hasParts = recordings.length > 1 || request.shard !== undefined;
  const planned = adaptiveRuns(request.runs) ? `as many as needed, at most ${most},` : `${most} planned`;
  return [
    ...(hasParts ? [{ name: 'Parts', value: partsText(recordings) }] : []),
    { name: 'CPU', value: ofMachines(({ cpu, cpus }) => `${cpu}, ${cpus} to use`) },
    { name: 'Memory', value: ofMachines(({ memoryBytes }) => `${(memoryBytes / 2 ** 30).toFixed(1)} GiB`) },
    { name: 'System', value: ofMachines(({ os }) => os) },
    { name: 'Frequency governor', value: ofMachines(({ governor }) => governor ?? 'unknown') },
    { name: 'Load at the start', value: `other programs used ${load} of the CPU` },
    ...subjectFacts(request.subjects),
    { name: 'Started', value: rangeText(recordings.map(({ session }) => session.startedAt).sort()) },
    ...Array.from(lacks, (name) => ({ name: 'Not guaranteed', value: guarantees[name].lack })),
    ...resumed.map((record) => ({ name: 'Resumed', value: record.startedAt })),
    { name: 'Runs', value: `${runs}, ${planned} for each case and subject` },
    { name: 'bench-cli ran under', value: ofMachines(({ node }) => `Node.js ${node}`) },
  ];
}

export function measuredVersions(recordings: readonly Recording[]): readonly string[] {
  const subjects = recordings.flatMap(({ session }) => session.request.subjects);
  const loaded = recordings.flatMap(({ plan }) =>
    Object.values(plan?.loaded ?? {}).flatMap(({ packages = {} }) => Object.entries(packages)),
  );
  const replaced = subjects.flatMap(({ packages = [] }) => packages);
  const others = loaded.filter(([name]) => !replaced.some((each) => each.name === name));
  const packages = [...replaced.map(({ name, version }) => [name, version]), ...others];
  const named = packages.map((each) => each.join(' '));
  return [...new Set([...subjects.map(({ runtime }) => runtimeText(runtime)), ...named])];
}

/** One line about where figures are from: versions, CPU, date and runs. Empty for a CSV. */
export function originText(recordings: readonly Recording[]): string {
  if (recordings.length === 0) return '';
  const environments = recordings.map(({ session }) => session.environment);
  const machines = environments.map(({ cpu, cpus }) => `${cpu}, ${counted(cpus, 'CPU')}`);
  const dates = recordings.map(({ session }) => session.startedAt.slice(0, 10)).sort();
  const runs = recordings.reduce((sum, recording) => sum + recording.runs.length, 0);
  return [
    ...measuredVersions(recordings),
    machinesText(machines),
    rangeText(dates),
    counted(runs, 'run'),
  ].join(' · ');
}

/** What each subject executes, and separately what all subjects have in common. */
function subjectFacts(subjects: readonly Subject[]): readonly Fact[] {
  const parts = subjects.map(subjectParts);
  const [first = [], ...others] = parts;
  const common = others.length === 0 ? [] : first.filter((part) => others.every((own) => own.includes(part)));
  const facts = subjects.map(({ name }, at) => ({
    name: `Subject ${shownIn('name', name)}`,
    value: (parts[at] ?? []).filter((part) => !common.includes(part)).join('; '),
  }));
  return [{ name: 'All subjects', value: common.join('; ') }, ...facts].filter(({ value }) => value !== '');
}

export interface FailureFact extends Fact {
  readonly count: number;
}

export function failureFacts(recordings: readonly Recording[]): readonly FailureFact[] {
  const failed = recordings.flatMap(({ runs }) => runs.filter((run) => run.status === 'failed'));
  return byMessage(
    failed.map((run) => ({ name: `${caseName(run)} (${shownIn('name', run.subject)})`, ...run.failure })),
  );
}

/** Benchmarks that failed to be planned, set up or torn down, with their messages. */
export function failedBenchmarks(recordings: readonly Recording[]): readonly FailureFact[] {
  const failures = recordings.flatMap(({ failures }) =>
    failures.map(({ benchmark, phase, subject, failure: { message } }) => ({
      name: `${shownIn('name', benchmark)} (${shownIn('name', subject)}, ${phase})`,
      message,
    })),
  );
  // Every shard plans all benchmarks.
  return byMessage([...new Map(failures.map((failure) => [JSON.stringify(failure), failure])).values()]);
}

/** One mistake can fail many runs. */
function byMessage(
  failures: readonly { readonly name: string; readonly message: string }[],
): readonly FailureFact[] {
  return [...Map.groupBy(failures, ({ message }) => message)].map(([message, alike]) => ({
    name: shortList([...new Set(alike.map(({ name }) => name))]),
    value: alike.length === 1 ? message : `${message} (${alike.length} times)`,
    count: alike.length,
  }));
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

export function rangeText(ascending: readonly string[]): string {
  const [first = '', last = first] = [ascending[0], ascending.at(-1)];
  return first === last ? first : `${first} to ${last}`;
}
