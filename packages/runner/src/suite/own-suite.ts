import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from '@bench-cli/results';
import type { Failure, Runtime } from '@bench-cli/results/recording';
import { isRelease } from '@bench-cli/subjects';
import { isDirectory, isFile } from '@bench-cli/system';
import { failureOf } from '../process/supervisor.ts';
import { foreignReason, foreignRemedy } from './registry.ts';
import { type Script, selectionArguments } from './script.ts';
import { isScript, publicNames } from './script-files.ts';
import { supportScript, unsupportedBy } from './script-support.ts';
import { askScript, type FilePlan, type PlanningSession, planBy } from './suite-kind.ts';

/** The time limit of planning a file that imports no known tool, milliseconds. */
const FOREIGN_LIMIT_MS = 10_000;

/** The program of `bench.http()`, the same for all subjects. */
const loadProcess = fileURLToPath(import.meta.resolve('@bench-cli/runner/load-process'));

/** Includes sub-directories. */
export function ownBenchmarks(directory: string): readonly string[] {
  return publicNames(directory).flatMap((name) => {
    const path = join(directory, name);
    if (isDirectory(path)) return ownBenchmarks(path);
    return isScript(name) && isFile(path) ? [path] : [];
  });
}

/** Plans a script that imports `@bench-cli/core`, as all do that nothing else is known of. */
export async function planOwn(path: string, session: PlanningSession): Promise<FilePlan | Failure> {
  const { subject, settings, supervisor, transforms } = session;
  const support = supportScript(path, subject, supervisor.directory, { transforms });
  if ('kind' in support) return support;
  const { runtime } = subject;
  // Writing to a pipe requires `process.getBuiltinModule`. Deno does not let it write to a descriptor.
  const canPipe = runtime.name === 'node' ? isRelease(runtime, '^20.16 || >=22.3') : runtime.name === 'bun';
  const script: Script = {
    path,
    support,
    launch(purpose, with_) {
      const isPhase = typeof purpose === 'string';
      return {
        entry: [path],
        args: isPhase ? selectionArguments(with_) : argumentsOf(purpose),
        env: {
          ...(with_.test && { BENCH_CLI_TEST: '' }),
          ...(with_.loadCpuSet !== undefined && { BENCH_CLI_LOAD_CPUSET: with_.loadCpuSet }),
          BENCH_CLI_NODE: process.execPath,
          BENCH_CLI_LOAD_PROCESS: loadProcess,
          BENCH_CLI_DIRECTORY: supervisor.directory,
          ...(!isPhase && { NODE_RUN_BENCHMARK_FN: '' }),
        },
        ...(isPhase && { order: { phase: purpose } }),
        channel: canPipe ? 'pipe' : 'ipc',
      };
    },
    results: 'one',
    values: 'replaceable',
  };
  const foreign = await foreignReason(path);
  const timeoutMs = Math.min(settings.timeoutMs || FOREIGN_LIMIT_MS, FOREIGN_LIMIT_MS);
  const asked = foreign === undefined ? session : { ...session, settings: { ...settings, timeoutMs } };
  const { messages, failure, durationMs, opened } = await askScript(script, asked);
  const isOverdue = foreign !== undefined && failure?.kind === 'timeout';
  if (failure && !isOverdue) return failure;
  const planned = messages.find((message) => message.type === 'plan');
  if (planned === undefined)
    return failureOf('no result', `${foreign ?? 'did not call createBenchmark'}: ${foreignRemedy}`);
  const flags = flagsFor(runtime, planned.flags);
  if ('kind' in flags) return flags;
  return [planBy(planned, { ...script, flags, opened }, durationMs)];
}

/** The flags of a script, which are those of Node.js. */
function flagsFor(runtime: Runtime, flags: readonly string[]): readonly string[] | Failure {
  if (runtime.name === 'node') return flags;
  const other = flags.find((flag) => !/^--expose[-_]gc$/.test(flag));
  if (other !== undefined)
    return unsupportedBy(runtime, `the flag ${other} of the benchmark requires Node.js`);
  return runtime.name === 'deno' ? flags.map((flag) => `--v8-flags=${flag}`) : flags;
}
