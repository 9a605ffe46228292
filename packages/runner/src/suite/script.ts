import { type ActivityOrder, agentPath, type Order } from '@bench-cli/agent';
import type { ObservedOperations } from '@bench-cli/core/protocol';
import type { Configuration } from '@bench-cli/results';
import type { SessionSettings } from '@bench-cli/results/recording';
import { isRelease, type PlacedSubject } from '@bench-cli/subjects';
import { OWN_THREADS, platform } from '@bench-cli/system';
import type { OpenedHandle } from '../process/messages.ts';
import type { ProcessRequest } from '../process/supervisor.ts';
import type { ScriptSupport } from './script-support.ts';

/** A benchmark script as one subject executes it. */
export interface Script {
  readonly path: string;
  /** Flags and variables without which the subject cannot execute it. */
  readonly support?: ScriptSupport;
  /** Flags for the runtime that the script requires. */
  readonly flags?: readonly string[];
  /** `name=value` arguments that are not parameters; every run gets them. */
  readonly extra?: readonly string[];
  /** The handles that were open at the end of planning. */
  readonly opened?: readonly OpenedHandle[];
  readonly launch: (purpose: Purpose, settings: SessionSettings) => Launch;
  /**
   * The reports of a process: the result of its configuration, or any number of results with their
   * configurations. The result of a whole command is its wall time.
   */
  readonly results: 'one' | 'as reported' | 'wall time';
  /** Whether arguments can replace the values of parameters. */
  readonly values: 'replaceable' | 'fixed';
}

/** The parts of a process that depend on the kind of suite. */
export interface Launch {
  /** The script, after a file that loads it, if needed. */
  readonly entry?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly order?: Order;
  readonly channel: ProcessRequest['channel'];
  /** Takes the place of the runtime with its flags, `entry` and `args`. */
  readonly command?: readonly string[] | undefined;
}

/** A file that a process loads before the benchmark, such as a probe of its measured part. */
export interface RequiredProbe {
  readonly file: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly order?: Order;
}

export type Purpose = 'plan' | 'setup' | Configuration;

/** Loads a file before the script: Deno has it since 2.4, and with that of Bun before 1.3 modules fail. */
const preloadFlags = { node: '--require', bun: '--preload', deno: '--preload' } as const;

export function scriptProcess(
  purpose: Purpose,
  script: Script,
  subject: PlacedSubject,
  settings: SessionSettings,
  probes: readonly RequiredProbe[] = purpose === 'plan' ? planningProbesOf(subject) : [],
): ProcessRequest {
  const { support, flags: scriptFlags = [], extra = [], launch: launchFor } = script;
  const { entry = [], args = [], env, order, channel, command: whole } = launchFor(purpose, settings);
  const preload = preloadFlags[subject.runtime.name];
  const required = [...probes.flatMap(({ file }) => [preload, file]), ...(support?.flags ?? [])];
  const flags = [...required, ...scriptFlags, ...subject.flags];
  const all = typeof purpose === 'string' ? args : [...args, ...extra];
  // Deno requires permissions.
  const run = subject.runtime.name === 'deno' ? ['run', '--allow-all'] : [];
  const words = whole ?? [subject.executable, ...run, ...flags, ...entry, ...all];
  const bound = settings.cpuSet === undefined ? [] : (platform.bind?.(settings.cpuSet) ?? []);
  const [command = '', ...rest] = [...bound, ...words];
  return {
    command,
    args: rest,
    env: Object.assign(
      // A benchmark can start bench-cli.
      { NODE_RUN_BENCHMARK_FN: undefined, ...subject.env, ...support?.env, ...env },
      ...probes.map((probe) => probe.env),
    ),
    order: Object.assign({ ...order }, ...probes.map((probe) => probe.order)),
    cwd: subject.cwd ?? settings.cwd,
    channel,
    timeoutMs: settings.timeoutMs,
  };
}

export type MetricProbe = ReturnType<typeof metricProbe>;

/** Measures metrics, in all runs of a case of the operations that its first run observed. */
export function metricProbe(names: readonly string[]) {
  const byCase = new Map<string, ObservedOperations>();
  return { file: agentPath('metric/probe.cjs'), order: { metrics: names }, observed: byCase };
}

/** Tells which files a process has loaded when it ends. Flags can forbid a script to read or write files. */
export function importedFilesProbesOf(
  subject: PlacedSubject,
  flagsOfScript: readonly string[] = [],
): readonly RequiredProbe[] {
  const { importedFiles } = subject;
  if (importedFiles === undefined || !takesProbes(subject, flagsOfScript)) return [];
  return [{ file: importedFilesProbe, order: { importedFiles } }];
}

function planningProbesOf(subject: PlacedSubject): readonly RequiredProbe[] {
  const handles = takesProbes(subject) ? [{ file: agentPath('preload/opened-handles.cjs') }] : [];
  return [...importedFilesProbesOf(subject), ...handles];
}

/** Whether its processes can load files that read and write others. */
export function takesProbes(
  { runtime, flags }: PlacedSubject,
  flagsOfScript: readonly string[] = [],
): boolean {
  return runtime.name === 'node' && ![...flags, ...flagsOfScript].some((flag) => flag.includes('permission'));
}

/** Whether the clocks of its processes can be stopped. */
export function stopsClocks(subject: PlacedSubject, flagsOfScript: readonly string[] = []): boolean {
  const { runtime } = subject;
  if (runtime.name === 'node') return takesProbes(subject, flagsOfScript);
  return isRelease(runtime, runtime.name === 'bun' ? '>=1.3' : '>=2.4');
}

/** Stops the clocks of a process while it is stopped. `Supervisor.runInTurns` orders it. */
export const turnsProbe = {
  file: agentPath('preload/stopped-clocks.cjs'),
  // Threads of the kernel, which Node.js 20.9 starts, would keep the CPU busy that the processes share.
  env: { UV_USE_IO_URING: '0' },
} as const satisfies RequiredProbe;

export function activityProbe(file: string, observes: ActivityOrder['observes']): RequiredProbe {
  const order = { activity: { file, threads: OWN_THREADS, observes } };
  return { file: agentPath('preload/measured-activity.cjs'), order };
}

export const importedFilesProbe: string = agentPath('preload/imported-files.cjs');

/** Whether a process can get a text as an argument: it ends at NUL, and has no half of a character. */
export function isCarried(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The arguments of a script that plans, or runs, all its configurations. */
export function selectionArguments({ test, shortest, set }: SessionSettings): readonly string[] {
  return test && !shortest ? ['--test', ...set] : set;
}
