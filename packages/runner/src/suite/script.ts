import type { SessionSettings } from '@bench-cli/results/recording';
import type { Failure, Subject } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';
import type { ProcessRequest } from '../process/supervisor.ts';

/** A benchmark script as one subject executes it. */
export interface Script {
  readonly path: string;
  /** Flags for the runtime that the script itself asks for. */
  readonly flags: readonly string[];
  /** `name=value` arguments that name no parameter; every run gets them. */
  readonly extra: readonly string[];
  /** How it gets into the runtime; a failure if the subject cannot execute it. */
  readonly launch: (purpose: Purpose, subject: Subject, settings: SessionSettings) => Launch | Failure;
  /**
   * How its setup and teardown are executed: each in a process of its own, or both in one that lives as long as the
   * runs.
   */
  readonly preparation: 'phases' | 'held';
  /**
   * What its reports say: the one result of the configuration that was asked for, or any number of results with
   * configurations of their own.
   */
  readonly results: 'one' | 'as reported';
}

/** What is particular to the processes of a script. */
export interface Launch {
  /** Flags for the runtime, before all others. */
  readonly flags: readonly string[];
  /** The script, after what loads it if something does. */
  readonly entry: readonly string[];
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly channel: ProcessRequest['channel'];
}

/** What a script's process is started for: one of its phases, or one configuration. */
export type Purpose = 'plan' | 'setup' | 'teardown' | Configuration;

/** The process that executes a script under a subject; a failure if the subject cannot execute it. */
export function scriptProcess(
  purpose: Purpose,
  script: Script,
  subject: Subject,
  settings: SessionSettings,
): ProcessRequest | Failure {
  const launch = script.launch(purpose, subject, settings);
  if ('kind' in launch) return launch;
  const { BENCH_CLI_PHASE: _phase, NODE_RUN_BENCHMARK_FN: _run, ...inherited } = process.env;
  const flags = [...launch.flags, ...script.flags, ...subject.flags];
  const extra = typeof purpose === 'string' ? [] : script.extra;
  const command = [subject.executable, ...flags, ...launch.entry, ...launch.args, ...extra];
  const [program = '', ...args] =
    settings.cpuSet === undefined ? command : ['taskset', '-c', settings.cpuSet, ...command];
  return {
    command: program,
    args,
    env: { ...inherited, ...subject.env, ...launch.env },
    cwd: subject.cwd ?? settings.cwd,
    channel: launch.channel,
    timeoutMs: settings.timeoutMs,
  };
}

/** The arguments of a script that tells of all its configurations, or of one that runs them all itself. */
export function selectionArguments({ test, set }: SessionSettings): readonly string[] {
  return test ? ['--test', ...set] : set;
}
