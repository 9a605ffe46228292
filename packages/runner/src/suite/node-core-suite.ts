import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentPath, type NodeCoreOrder } from '@bench-cli/agent';
import { argumentsOf } from '@bench-cli/results';
import type { Failure } from '@bench-cli/results/recording';
import { isDirectory, isFile } from '@bench-cli/system';
import { type Script, selectionArguments } from './script.ts';
import { isScript, publicNames } from './script-files.ts';
import { supportScript, unsupportedBy } from './script-support.ts';
import { askScript, emptyPlan, type FilePlan, type PlanningSession, planBy } from './suite-kind.ts';

/** Whether common.js is Node core's: it creates benchmarks and starts processes. */
export function isNodeCore(directory: string): boolean {
  const common = join(directory, 'common.js');
  if (!isFile(common)) return false;
  const source = readFileSync(common, 'utf8');
  return source.includes('createBenchmark') && source.includes('child_process');
}

/** The files of the directory itself, and its directories with an index.js, as in `napi`. */
export function nodeCoreBenchmarks(directory: string): readonly string[] {
  return publicNames(directory).flatMap((name) => {
    const path = join(directory, name);
    if (isScript(name) && isFile(path)) return [path];
    const index = join(path, 'index.js');
    return isDirectory(path) && isFile(index) ? [index] : [];
  });
}

/**
 * Plans a file of the unmodified `benchmark/` directory of a checkout of Node.js: captures the arguments of
 * `createBenchmark`. A script that cannot be planned runs all its configurations itself.
 */
export async function planNodeCore(
  path: string,
  suite: string,
  session: PlanningSession,
): Promise<FilePlan | Failure> {
  const { subject, supervisor, transforms } = session;
  if (subject.runtime.name !== 'node')
    return unsupportedBy(subject.runtime, 'benchmarks of Node core require Node.js');
  const support = supportScript(path, subject, supervisor.directory, { transforms });
  if ('kind' in support) return support;
  // Subjects can differ in their PATH.
  const memory = join(supervisor.directory, `tools-${encodeURIComponent(subject.name)}.json`);
  /** The outcomes of the checks for load tools earlier in this session. */
  const known: NodeCoreOrder['checks'] = isFile(memory)
    ? JSON.parse(readFileSync(memory, 'utf8'))
    : undefined;
  const scriptWith = (checks: NodeCoreOrder['checks']): Script => ({
    path,
    support,
    launch(purpose, with_) {
      const order = (task: NodeCoreOrder['task']) => ({ nodeCore: { task, suite, checks } });
      const common = { entry: [loader, path], channel: 'node' } as const;
      const args = selectionArguments(with_);
      if (purpose === 'plan') return { ...common, args, order: { ...order('plan'), phase: 'plan' } };
      if (typeof purpose === 'string') return { ...common, args, order: order('hold') };
      // With byGroups the process would otherwise expand all groups and run the first.
      const { group } = purpose;
      const env = {
        NODE_RUN_BENCHMARK_FN: '',
        // A run with n=1 can take less time than a step of the clock.
        ...(with_.shortest && { NODEJS_BENCHMARK_ZERO_ALLOWED: '1' }),
        ...(typeof group === 'string' && { NODE_RUN_BENCHMARK_GROUPS: group }),
      };
      return { ...common, args: argumentsOf(purpose), env, order: order('run') };
    },
    results: 'as reported',
    values: 'replaceable',
  });
  const { messages, failure, printed, durationMs, opened } = await askScript(scriptWith(known), session);
  if (failure) return failure;
  const made = messages.find((message) => message.type === 'checks')?.checks;
  if (known === undefined && made !== undefined) writeFileSync(memory, JSON.stringify(made));
  const script = { ...scriptWith(known ?? made), opened };
  const planned = messages.find((message) => message.type === 'plan');
  if (planned !== undefined) return [planBy(planned, { ...script, flags: planned.flags }, durationMs)];
  const refused = messages.find((message) => message.type === 'unplannable');
  if (refused === undefined) {
    const output = printed();
    const skipped = `it ended without creating a benchmark${output && `; its output: ${output}`}`;
    return [{ ...emptyPlan(script), skipped }];
  }
  /** Starts the script as run.js does, so that it runs all its configurations itself. */
  const launchAlone: Script['launch'] = (_purpose, with_) => ({
    entry: [path],
    args: selectionArguments(with_),
    channel: 'node',
  });
  const alone = emptyPlan({ ...script, launch: launchAlone });
  return [{ ...alone, configurations: [{}], unplanned: refused.reason }];
}

const loader = agentPath('preload/node-core.cjs');
