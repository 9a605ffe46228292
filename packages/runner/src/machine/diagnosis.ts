import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { calledCommand } from '@bench-cli/results';
import { allowedCpus, type ProcessList, platform, readSystemFile, systemRoots } from '@bench-cli/system';
import { readCounters, shareText, usageBetween } from './counters.ts';
import { fastGovernor, firstGovernor } from './governor.ts';
import { measureNoise } from './noise.ts';

export interface Disturbance {
  readonly name: string;
  readonly found: string;
  /** The remedy; undefined if nothing disturbs. */
  readonly advice?: string | undefined;
}

export type MachineState = Awaited<ReturnType<typeof examineMachine>>;

const watchedMs = 500;

/** Looks at the machine for about a second. */
export async function examineMachine() {
  const [from, before] = [readCounters(), processSeconds()];
  await delay(watchedMs);
  const to = readCounters();
  return {
    cpus: cpus().length,
    usableCpus: allowedCpus().size || availableParallelism(),
    load: loadavg()[0] ?? 0,
    governor: firstGovernor(),
    /** The CPU time that a control group may use, in CPUs; undefined if there is no limit. */
    quotaCpus: quotaOf(systemRoots.sys),
    /** Undefined if the system does not show it. */
    usage: to.busySeconds > 0 ? usageBetween(from, to, cpus().length) : undefined,
    busy: busyProcesses(before, (to.atMs - from.atMs) / 1000),
    noise: measureNoise(),
  };
}

/** CPU seconds of each process so far, by its id. */
function processSeconds({ ids, statusOf }: ProcessList = platform.processes()) {
  return new Map(ids.map((pid) => [pid, statusOf(pid)?.cpuSeconds ?? 0]));
}

/** The other processes that used more than a twentieth of a CPU on average since then, the busiest first. */
function busyProcesses(since: ReadonlyMap<number, number>, seconds: number) {
  const list = platform.processes();
  return [...processSeconds(list)]
    .map(([pid, used]) => ({ pid, cpus: (used - (since.get(pid) ?? 0)) / seconds }))
    .filter(
      ({ pid, cpus }) => cpus > 0.05 && pid !== process.pid && list.statusOf(pid)?.parent !== process.pid,
    )
    .sort((a, b) => b.cpus - a.cpus)
    .map(({ pid, cpus }) => ({ pid, program: list.programOf(pid), cpus }));
}

/** The CPU time that a control group of version 2 or 1 may use. */
export function quotaOf(sys: string): number | undefined {
  const [, quota, period] = /^(\d+) (\d+)/.exec(readSystemFile(join(sys, 'fs/cgroup/cpu.max'))) ?? [];
  if (quota !== undefined) return Number(quota) / Number(period);
  const [olderQuota = 0, olderPeriod = 0] = ['quota', 'period'].map((name) =>
    Number(readSystemFile(join(sys, `fs/cgroup/cpu/cpu.cfs_${name}_us`))),
  );
  return olderQuota > 0 && olderPeriod > 0 ? olderQuota / olderPeriod : undefined;
}

/** Lists possible disturbances of measurements with remedies, first the noise that results from them. */
export function diagnose(state: MachineState): readonly Disturbance[] {
  const { cpus, usableCpus, load, governor, quotaCpus, usage, busy, noise } = state;
  const isBusy = (usage?.others ?? 0) >= 0.05 || busy.length > 0 || load > 0.5 * cpus;
  const faster = `as root: ${calledCommand(['machine', '--governor', fastGovernor])}`;
  const isTight = usableCpus < fewestCpus || (quotaCpus ?? fewestCpus) < fewestCpus;
  return [
    noiseFinding(noise),
    finding(
      'other processes',
      `${share(usage?.others)} of the CPU time${programsText(state)}, load average ${load.toFixed(2)} on ${cpus} CPUs`,
      isBusy &&
        `end them${platform.bind ? `, or keep them from some CPUs and measure there: --set CPUSET=${lastCpus(cpus)}` : ''}`,
    ),
    finding(
      'host',
      `takes ${share(usage?.stolen)} of the CPU time for other virtual machines`,
      (usage?.stolen ?? 0) >= 0.01 && 'measure on another machine, or at another time',
    ),
    finding(
      'usable CPUs',
      `${usableCpus}${quotaCpus === undefined ? '' : `, with a quota of ${quotaCpus.toFixed(1)}`}`,
      isTight &&
        `allow this process ${fewestCpus} CPUs (cpuset), without a quota: a benchmark also compiles and collects garbage`,
    ),
    ...(governor === undefined ? [] : [finding('governor', governor, governor !== fastGovernor && faster)]),
  ];
}

function finding(name: string, found: string, advice: string | false): Disturbance {
  return { name, found, ...(advice && { advice }) };
}

/** A benchmark needs one CPU, and another one for its compiler, its garbage collection and bench-cli. */
const fewestCpus = 2;

/**
 * The difference of two means of 30 runs each that a test at 5 % finds with a power of 80 %, in standard
 * deviations of a run: (1.96 + 0.84) x sqrt(2 / 30).
 */
const detectable = 0.723;

function noiseFinding({ arithmetic, memory }: MachineState['noise']): Disturbance {
  const spread = Math.max(arithmetic, memory);
  const found = `equal loops vary by ${shareText(arithmetic)} (arithmetic) and ${shareText(memory)} (memory): at best, 30 runs each find differences of ${shareText(detectable * spread)}`;
  const advice =
    memory > 2 * arithmetic
      ? 'others use the same caches and memory: stop them, or use a machine of your own'
      : 'something takes CPU time or changes the frequency: see the other lines';
  return finding('noise', found, spread >= 0.05 && advice);
}

/** The busiest processes, and all others, of which many have ended before they could be seen. */
function programsText({ busy, cpus, usage }: MachineState): string {
  const named = busy.slice(0, 3).map((each) => ({ ...each, part: each.cpus / cpus }));
  const rest = named.reduce((left, { part }) => left - part, usage?.others ?? 0);
  const texts = [
    ...named.map(({ program, pid, part }) => `${program} (${pid}) ${shareText(part)}`),
    ...(rest >= 0.05 ? [`shorter or less busy ones ${shareText(rest)}`] : []),
  ];
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}

function share(part: number | undefined): string {
  return part === undefined ? 'an unknown part' : shareText(part);
}

function lastCpus(cpus: number): string {
  const [first, last] = [Math.floor(cpus / 2), cpus - 1];
  return first === last ? `${last}` : `${first}-${last}`;
}
