import satisfies from 'semver/functions/satisfies.js';
import type { AnyConfiguration } from '../parameters.ts';
import type { Failure } from './failure.ts';
import { type StrippedScript, strippingSupport } from './stripping.ts';
import type { Subject } from './subject.ts';
import type { ProcessRequest } from './supervisor.ts';

/** A benchmark script as one subject executes it. */
export interface Script {
  readonly path: string;
  readonly stripped: StrippedScript;
  /** Flags for the runtime that the script itself asks for. */
  readonly flags: readonly string[];
  /** `name=value` arguments that name no parameter; every run gets them. */
  readonly extra: readonly string[];
}

/** What applies to every process of a session. */
export interface ScriptSettings {
  /** `name=value` arguments for the scripts. */
  readonly set: readonly string[];
  /** Only the shortest configuration of each benchmark. */
  readonly test: boolean;
  /** Milliseconds until a process is killed; 0 for never. */
  readonly timeoutMs: number;
  /** CPUs that the processes may use, as `taskset -c` takes them: `0-2`. Linux only. */
  readonly cpuSet?: string | undefined;
  /** CPUs that load tools may use, in place of those of the processes. Linux only. */
  readonly loadCpuSet?: string | undefined;
  /** Where relative paths of files start, and where subjects without a directory of their own run. */
  readonly cwd: string;
}

/** What a script's process is started for: one of its phases, or one configuration. */
export type Purpose = 'plan' | 'setup' | 'teardown' | AnyConfiguration;

/** The process that executes a script under a subject; a failure if the subject cannot execute it. */
export function scriptProcess(
  purpose: Purpose,
  script: Script,
  subject: Subject,
  settings: ScriptSettings,
): ProcessRequest | Failure {
  const support = strippingSupport(subject, script.stripped);
  if (support === undefined) {
    return {
      kind: 'not started',
      message: `Node.js ${subject.runtime.version} cannot be made to read TypeScript; that takes 18.19, 20.6 or later. Write the benchmark in JavaScript`,
      output: '',
    };
  }
  const { BENCH_CLI_PHASE: _phase, NODE_RUN_BENCHMARK_FN: _run, ...inherited } = process.env;
  const own =
    typeof purpose === 'string'
      ? {
          env: { BENCH_CLI_PHASE: purpose },
          args: settings.test ? ['--test', ...settings.set] : settings.set,
        }
      : { env: { NODE_RUN_BENCHMARK_FN: '' }, args: [...pairsOf(purpose), ...script.extra] };
  const flags = [...support.flags, ...script.flags, ...subject.flags];
  const command = [subject.executable, ...flags, script.path, ...own.args];
  const [program = '', ...args] =
    settings.cpuSet === undefined ? command : ['taskset', '-c', settings.cpuSet, ...command];
  return {
    command: program,
    args,
    env: {
      ...inherited,
      ...subject.env,
      ...support.env,
      ...(settings.test && { BENCH_CLI_TEST: '' }),
      ...(settings.loadCpuSet !== undefined && { BENCH_CLI_LOAD_CPUSET: settings.loadCpuSet }),
      BENCH_CLI_NODE: process.execPath,
      ...own.env,
    },
    cwd: subject.cwd ?? settings.cwd,
    channel: satisfies(subject.runtime.version, '^20.16 || >=22.3', { includePrerelease: true })
      ? 'pipe'
      : 'ipc',
    timeoutMs: settings.timeoutMs,
  };
}

function pairsOf(configuration: AnyConfiguration): string[] {
  return Object.entries(configuration).map(([name, value]) => `${name}=${value}`);
}
