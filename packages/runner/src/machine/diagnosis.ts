import { setTimeout as delay } from 'node:timers/promises';
import { type BusyProcess, busyProcesses, processSeconds } from './busy-processes.ts';
import { type MachineUsage, readCounters, usageBetween } from './counters.ts';
import { type MachineFacts, readFacts } from './facts.ts';
import { type MachineNoise, measureNoise } from './noise.ts';

/** One thing that can disturb measurements. */
export interface Finding {
  readonly name: string;
  /** What was found, in words. */
  readonly found: string;
  /** Whether it disturbs; `unknown` if the system does not tell. */
  readonly level: 'fine' | 'note' | 'disturbs' | 'unknown';
  /** What to do about it. */
  readonly advice?: string | undefined;
  /** What that would save, as far as it was measured. */
  readonly saves?: string | undefined;
}

/** What was measured of a machine. */
export interface MachineState {
  readonly facts: MachineFacts;
  readonly usage: MachineUsage;
  readonly busy: readonly BusyProcess[];
  readonly noise: MachineNoise;
}

const watchedMs = 500;

/** Looks at the machine for about a second. */
export async function examineMachine(): Promise<MachineState> {
  const facts = readFacts();
  const [from, before] = [readCounters(), processSeconds()];
  await delay(watchedMs);
  const to = readCounters();
  const busy = busyProcesses(before, (to.atMs - from.atMs) / 1000);
  return { facts, usage: usageBetween(from, to, facts.cpus), busy, noise: measureNoise() };
}

/** What disturbs measurements on a machine, and what to do about it; the noise, which is the result of all of it, first. */
export function diagnose(state: MachineState): readonly Finding[] {
  return [
    ...noiseFindings(state.noise),
    ...loadFindings(state),
    ...hostFindings(state),
    ...frequencyFindings(state),
    ...memoryFindings(state),
    coreFinding(state.facts),
    clockFinding(state.noise),
  ];
}

/**
 * The difference of two means of 30 runs each that a test at 5 % finds with a power of 80 %, in standard deviations of a run:
 * (1.96 + 0.84) x sqrt(2 / 30).
 */
const detectable = 0.723;

function noiseFindings({ arithmetic, memory }: MachineNoise): readonly Finding[] {
  const level = (spread: number) => (spread >= 0.05 ? 'disturbs' : spread >= 0.02 ? 'note' : 'fine');
  const found = (spread: number) =>
    `equal loops vary by ${percent(spread)}: at best, 30 runs each find differences of ${percent(detectable * spread)}`;
  const isContended = memory > 2 * arithmetic && level(memory) !== 'fine';
  return [
    {
      name: 'noise of the CPU',
      found: found(arithmetic),
      level: level(arithmetic),
      ...(level(arithmetic) !== 'fine' && {
        advice: 'see the other lines: something takes CPU time or changes the frequency',
      }),
    },
    {
      name: 'noise of the memory',
      found: found(memory),
      level: level(memory),
      ...(level(memory) !== 'fine' && {
        advice: isContended
          ? 'others use the same caches and memory: stop them, or use a machine of your own'
          : 'see the other lines',
        ...(isContended && {
          saves: `up to ${percent(1 - (Math.max(arithmetic, 0.01) / memory) ** 2)} of the runs`,
        }),
      }),
    },
  ];
}

function loadFindings({ facts, usage, busy }: MachineState): readonly Finding[] {
  const isLoaded = facts.load > 0.5 * facts.cpus;
  const names = busy.slice(0, 3).map(({ program, pid, cpus }) => `${program} (${pid}) ${cpus.toFixed(1)}`);
  const others = busy.length > 3 ? ` and ${busy.length - 3} more` : '';
  const isBusy = usage.others >= 0.05 || busy.length > 0;
  return [
    {
      name: 'load average',
      found: `${facts.load.toFixed(2)} on ${facts.cpus} CPU${facts.cpus === 1 ? '' : 's'}`,
      level: isLoaded ? 'disturbs' : 'fine',
      ...(isLoaded && { advice: 'wait until other work has ended' }),
    },
    {
      name: 'other processes',
      found: `${percent(usage.others)} of the CPU time${busy.length === 0 ? '' : `; CPUs: ${names.join(', ')}${others}`}`,
      level: isBusy ? 'disturbs' : 'fine',
      ...(isBusy && {
        advice: `end them, or keep them from some CPUs and measure there: --set CPUSET=${cpuSetOf(facts.cpus)}`,
        saves: `up to ${percent(usage.others)} of the time`,
      }),
    },
  ];
}

/** The second half of the CPUs. */
function cpuSetOf(cpus: number): string {
  const [first, last] = [Math.floor(cpus / 2), cpus - 1];
  return first === last ? `${last}` : `${first}-${last}`;
}

function hostFindings({ facts, usage }: MachineState): readonly Finding[] {
  const { isVirtual, quotaCpus } = facts;
  const isStolen = usage.stolen >= 0.01;
  const isTight = quotaCpus !== undefined && quotaCpus < facts.usable.cpus;
  return [
    {
      name: 'virtual machine',
      found: isVirtual === undefined ? 'unknown' : isVirtual ? 'yes' : 'no',
      level: isVirtual === undefined ? 'unknown' : isVirtual ? 'note' : 'fine',
      ...(isVirtual && { advice: 'what others do on the host is not visible here: prefer dedicated hosts' }),
    },
    {
      name: 'steal time',
      found: `${percent(usage.stolen)} of the CPU time`,
      level: isStolen ? 'disturbs' : 'fine',
      ...(isStolen && {
        advice: 'the host has too few CPUs for its machines: use another one, or measure at another time',
        saves: `up to ${percent(usage.stolen)} of the time`,
      }),
    },
    {
      name: 'CPU quota',
      found: `${quotaCpus === undefined ? 'none' : `${quotaCpus.toFixed(1)} CPUs`}${usage.stoppedByQuota > 0 ? `, stopped for ${percent(usage.stoppedByQuota)} of the time` : ''}`,
      level: usage.stoppedByQuota > 0 ? 'disturbs' : isTight ? 'note' : 'fine',
      ...((isTight || usage.stoppedByQuota > 0) && {
        advice:
          'a process that uses up its quota is stopped in the middle of a run: set CPUs (cpuset) in place of a quota',
      }),
    },
  ];
}

function frequencyFindings({
  facts: { governor, turbo, countsThrottles },
  usage,
}: MachineState): readonly Finding[] {
  const isFast = governor === 'performance';
  return [
    {
      name: 'frequency governor',
      found: governor ?? 'unknown, as usual in virtual machines',
      level: governor === undefined ? 'unknown' : isFast ? 'fine' : 'disturbs',
      ...(governor !== undefined &&
        !isFast && { advice: 'bench-cli cpu fast (as root), afterwards bench-cli cpu reset' }),
    },
    {
      name: 'turbo',
      found: turbo === undefined ? 'unknown' : turbo ? 'on' : 'off',
      level: turbo === undefined ? 'unknown' : turbo ? 'note' : 'fine',
      ...(turbo && {
        advice:
          'the frequency depends on temperature and on other cores: switch it off for steadier, lower rates',
      }),
    },
    {
      name: 'thermal throttling',
      found: !countsThrottles
        ? 'unknown'
        : usage.throttles === 0
          ? 'none now'
          : `${usage.throttles} times in half a second`,
      level: !countsThrottles ? 'unknown' : usage.throttles === 0 ? 'fine' : 'disturbs',
      ...(usage.throttles > 0 && { advice: 'cool the machine, or let it rest between sessions' }),
    },
  ];
}

function memoryFindings({ facts: { swapBytes }, usage }: MachineState): readonly Finding[] {
  const isSwapping = usage.swappedPages > 0;
  const used = swapBytes === undefined ? 'unknown' : `${Math.round(swapBytes / 2 ** 20)} MiB in use`;
  return [
    {
      name: 'swap',
      found: `${used}${isSwapping ? `, ${usage.swappedPages} pages read now` : ''}`,
      level: swapBytes === undefined ? 'unknown' : isSwapping ? 'disturbs' : swapBytes > 0 ? 'note' : 'fine',
      ...((isSwapping || (swapBytes ?? 0) > 0) && { advice: 'free memory: end large processes' }),
    },
  ];
}

function coreFinding({ usable, hyperThreads }: MachineFacts): Finding {
  const { cpus, cores, jobs } = usable;
  return {
    name: 'cores',
    found: `${cores} core${cores === 1 ? '' : 's'}, ${cpus} CPU${cpus === 1 ? '' : 's'}${hyperThreads ? ' (hyper-threads share a core)' : ''}`,
    level: hyperThreads ? 'note' : cores === 1 ? 'disturbs' : 'fine',
    ...(hyperThreads && {
      advice: 'keep other work from the other hyper-thread of a core; --jobs uses whole cores',
    }),
    ...(!hyperThreads &&
      cores === 1 && { advice: 'bench-cli and the benchmark share it: use a machine with two cores' }),
    ...(jobs > 1 && { saves: `--jobs auto: up to ${percent(1 - 1 / jobs)} of the time` }),
  };
}

function clockFinding({ clockStepNs }: MachineNoise): Finding {
  const isCoarse = clockStepNs > 1000;
  return {
    name: 'clock',
    found: `steps of ${clockStepNs} ns`,
    level: isCoarse ? 'disturbs' : 'fine',
    ...(isCoarse && { advice: 'use the clock source tsc, or let runs take longer with --calibrate' }),
  };
}

/** `4 %`, or `0.4 %` below ten. */
function percent(share: number): string {
  const value = 100 * share;
  return `${value < 9.95 ? value.toFixed(1) : value.toFixed(0)} %`;
}
