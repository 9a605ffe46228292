import type { AdaptiveRuns } from '@bench-cli/results/recording';
import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile, SessionRequest, Cost, Shard, Subject } from '@bench-cli/results/recording';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readCpuSet } from '../process/cpu-set.ts';
import { type Discovery, discover, type Selection } from '../suite/discover.ts';
import { resolveSubject, type SubjectRequest } from '../subject/subject.ts';

/** When an adaptive session ends. Defaults: 36 runs at most, a margin of 2 %, an error rate of 5 %, no budget. */
export type AdaptiveOptions = { readonly [Key in keyof AdaptiveRuns]?: AdaptiveRuns[Key] | undefined };

/** What is to be measured, as a user says it. */
export interface RequestOptions extends Selection {
  /** `name=value` pairs that replace the values of parameters; CPUSET and LOADCPUSET are for the processes. Default: none. */
  readonly set?: readonly string[] | undefined;
  /**
   * How many times each configuration runs under each subject; `auto`, or what it is to keep to, to end each as soon as
   * its runs tell enough.
   */
  readonly runs: number | 'auto' | AdaptiveOptions;
  /** Only the shortest configuration of each benchmark. Default false. */
  readonly test?: boolean | undefined;
  /**
   * Whether to find, for each configuration with a number `n`, the count of operations with which its runs are steady in
   * the least time, the same for all subjects. Default false.
   */
  readonly calibrate?: boolean | undefined;
  /** Milliseconds until a process is killed; 0 for never. Default five minutes. */
  readonly timeoutMs?: number | undefined;
  /** The part of the configurations to execute. Default: all of them. */
  readonly shard?: Shard | undefined;
  /** Of a former recording, the same for all shards: what the parts are balanced by. Default: configurations count alike. */
  readonly costs?: readonly Cost[] | undefined;
}

export interface Request {
  readonly request: SessionRequest;
  readonly discovery: Discovery;
}

const defaultTimeoutMs = 300_000;

/**
 * Resolves what a user asks for into a session: finds the files, fetches and probes the runtimes.
 * @param subjects by their names; in a comparison `old` and `new`
 * @throws UsageError that says what is wrong with which part
 */
export async function createRequest(
  command: SessionRequest['command'],
  subjects: Readonly<Record<string, SubjectRequest>>,
  options: RequestOptions,
): Promise<Request> {
  const runs = await readRuns(options.runs);
  if (command === 'scatter' && options.shard !== undefined) {
    throw new UsageError('ERR_BENCH_OPTION', 
      '--shard: scatter shows how the rate depends on parameters, so all of them must be measured on one machine; leave it out',
    );
  }
  const { set, cpuSet, loadCpuSet } = readSet(options.set ?? []);
  const discovery = discover(options);
  const resolved: Subject[] = [];
  for (const [name, subject] of Object.entries(subjects)) resolved.push(await resolveSubject(name, subject));
  const request: SessionRequest = {
    command,
    files: discovery.files.map(({ name, path }) => ({ name, path })),
    subjects: resolved.map(({ flags, env, cwd, ...subject }) => ({
      ...subject,
      flags: [...flags],
      env: { ...env },
      ...(cwd !== undefined && { cwd }),
    })),
    runs,
    settings: {
      set,
      test: options.test ?? false,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      ...(options.calibrate && { calibrate: true }),
      ...(cpuSet !== undefined && { cpuSet }),
      ...(loadCpuSet !== undefined && { loadCpuSet }),
      cwd: options.cwd ?? process.cwd(),
    },
    ...shardWithCosts(options, discovery),
  };
  return { request, discovery };
}

async function readRuns(runs: RequestOptions['runs']): Promise<SessionRequest['runs']> {
  if (typeof runs === 'number') {
    if (Number.isSafeInteger(runs) && runs >= 1) return runs;
    throw new UsageError('ERR_BENCH_OPTION', `invalid number of runs: ${runs}; expected a whole number, at least 1`);
  }
  const { budgetMs, ...options } = runs === 'auto' ? {} : runs;
  const { checkSequentialOptions } = await import('@bench-cli/stats');
  return { ...checkSequentialOptions(options), ...(budgetMs !== undefined && { budgetMs }) };
}

function shardWithCosts(
  { shard, costs }: RequestOptions,
  { files }: Discovery,
): Pick<SessionRequest, 'shard'> {
  if (shard === undefined) {
    if (costs === undefined) return {};
    throw new UsageError('ERR_BENCH_OPTION', '--costs balances shards; add --shard, or leave it out');
  }
  if (costs === undefined) return { shard: { ...shard } };
  const names = new Set(files.map(({ name }) => name));
  const relevant = costs.filter(({ benchmark }) => names.has(benchmark));
  if (relevant.length === 0) {
    throw new UsageError('ERR_BENCH_OPTION', 
      `--costs tells of none of the benchmarks that are to run, but of ${new Set(costs.map(({ benchmark }) => benchmark)).size} others, such as ${costs[0]?.benchmark}; give a recording of this suite`,
    );
  }
  return { shard: { ...shard, costs: relevant } };
}

/** CPUSET and LOADCPUSET are meant for the runner; all other pairs are for the scripts. */
function readSet(pairs: readonly string[]): {
  set: string[];
  cpuSet: string | undefined;
  loadCpuSet: string | undefined;
} {
  const set: string[] = [];
  let cpuSet: string | undefined;
  let loadCpuSet: string | undefined;
  for (const pair of pairs) {
    const [, name, value] = /^([^=]+)=([\s\S]*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError('ERR_BENCH_OPTION', `--set ${pair}: it takes the form name=value`);
    }
    if (name === 'CPUSET') cpuSet = checkCpuSet(name, value);
    else if (name === 'LOADCPUSET') loadCpuSet = checkCpuSet(name, value);
    else set.push(pair);
  }
  return { set, cpuSet, loadCpuSet };
}

function checkCpuSet(name: string, value: string): string {
  if (readCpuSet(value) === undefined) {
    throw new UsageError('ERR_BENCH_OPTION', `--set ${name}=${value}: name CPUs as taskset does: 0, 0-2, or 0,2-4`);
  }
  if (process.platform !== 'linux') throw new UsageError('ERR_BENCH_OPTION', `--set ${name}=${value}: only Linux has taskset`);
  return value;
}

/** SHA-256 of each benchmark file, by the benchmark's name. */
export function digestsOf(files: readonly BenchmarkFile[]): Record<string, string> {
  return Object.fromEntries(
    files
      .filter(({ path }) => existsSync(path))
      .map(({ name, path }) => [name, createHash('sha256').update(readFileSync(path)).digest('hex')]),
  );
}
