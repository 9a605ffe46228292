import { argumentsOf, type Configuration } from '@bench-cli/results';
import type { Failure, SessionSettings } from '@bench-cli/results/recording';
import type { PlacedSubject } from '@bench-cli/subjects';
import type { ReceivedMessage } from '../process/messages.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { type Script, scriptProcess } from './script.ts';

export interface PlanningSession {
  readonly subject: PlacedSubject;
  readonly settings: SessionSettings;
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal | undefined;
  /** Whether nothing is measured, so that no whole command is executed. */
  readonly onlyPlan?: boolean | undefined;
  /** Whether TypeScript is transformed as the tools of a project do. Default: Node.js only removes types. */
  readonly transforms?: true | undefined;
}

export type FilePlan = readonly (ScriptPlan | (Pick<ScriptPlan, 'path'> & { readonly failure: Failure }))[];

export async function askScript(script: Script, { subject, settings, supervisor, signal }: PlanningSession) {
  const outcome = await supervisor.run(scriptProcess('plan', script, subject, settings), signal);
  const opened = outcome.messages.flatMap((each) => (each.type === 'opened' ? each.handles : []));
  return { ...outcome, opened };
}

/** The plan by the message of a script. @param loadingMs how long its process took */
export function planBy(
  { setup, teardown, extra, ...planned }: Extract<ReceivedMessage, { type: 'plan' }>,
  script: Script,
  loadingMs: number,
): ScriptPlan {
  const withExtra = { ...script, extra: argumentsOf(extra) };
  return { ...planned, isHeld: setup || teardown, script: withExtra, warnings: pauseWarning(loadingMs) };
}

export function emptyPlan(script: Script): ScriptPlan {
  return { script, configurations: [], parameters: [], values: {}, isHeld: false };
}

/** The plan of a benchmark under one subject. */
export interface ScriptPlan {
  /** The path of its `BenchmarkId`. Default: the script is one benchmark. */
  readonly path?: readonly string[] | undefined;
  readonly script: Script;
  readonly configurations: readonly Configuration[];
  readonly parameters: readonly string[];
  /** The values of its parameters that are text or booleans, as text. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Whether it has a setup or a teardown: one process executes both, and lives as long as the runs. */
  readonly isHeld: boolean;
  /**
   * Why the configurations are unknown, if they are. The script then runs all of them in one process, and
   * `configurations` has one empty configuration in place of them.
   */
  readonly unplanned?: string | undefined;
  readonly skipped?: string | undefined;
  /** Each is the rest of a sentence that begins with the name. */
  readonly warnings?: readonly string[] | undefined;
}

/** The least time of a process that only plans a file in which something waits, milliseconds. */
const PAUSE_MS = 3000;

/** A warning if loading a file takes long. Each is the rest of a sentence that begins with the name. */
export function pauseWarning(loadingMs: number): readonly string[] {
  if (loadingMs < PAUSE_MS) return [];
  const seconds = (loadingMs / 1000).toFixed(1);
  return [
    `takes ${seconds} s to load, in each of its processes: move what waits at the top level of the file into setup or the benchmark`,
  ];
}
