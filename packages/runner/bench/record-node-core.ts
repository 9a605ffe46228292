/**
 * Records a sample of Node core's whole suite, from which `simulation/bench-node-core.ts` simulates sessions over all of it: a few
 * configurations of every group, drawn by a seed, each measured under two releases of Node.js by a session of `compare --runs 3`.
 *
 *     NODE_CORE_BENCHMARK="$(.ci/node-core-suite)" node packages/runner/bench/record-node-core.ts DIRECTORY
 *
 * DIRECTORY gets `results.jsonl`, with the sessions one after the other, and `suite.json`, with their figures and the number of
 * configurations of each group. A run of more than 20 s is measured with a smaller `n`, and its time calculated. If it was interrupted, the same command goes on. Requires a build, the network, wrk and a quiet machine.
 *
 * `--old` (node@22) and `--new` (node@24) are the releases, `--configurations` (3) and `--runs` (3) how much is measured of a group,
 * `--group` selects one (repeatable), and `--seed` (1) draws other configurations.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { argumentsOf, type Case, caseKey, caseName } from '@bench-cli/results';
import { readSessions } from '@bench-cli/results/recording';
import { createRequest, type RunRecord, runSession } from '@bench-cli/runner';
import type { RecordedSuite } from '../simulation/node-core-suite.ts';
import { uniforms } from '../simulation/random.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    old: { type: 'string', default: 'node@22' },
    new: { type: 'string', default: 'node@24' },
    configurations: { type: 'string', default: '3' },
    runs: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    group: { type: 'string', multiple: true },
  },
});
const suite = process.env['NODE_CORE_BENCHMARK'];
const [directory] = positionals;
if (suite === undefined || directory === undefined)
  throw new Error(
    'set NODE_CORE_BENCHMARK to the directory of the suite, and give a directory for the results',
  );
mkdirSync(directory, { recursive: true });
const results = join(directory, 'results.jsonl');
const common = { suite, runs: Number(values.runs), timeoutMs: 20_000 } as const;

/** All configurations that both releases have, of each group. */
async function plannedGroups(): Promise<{
  readonly versions: readonly [string, string];
  readonly groups: ReadonlyMap<string, readonly Case[]>;
}> {
  const subjects = { old: { runtime: values.old }, new: { runtime: values.new } };
  const { request } = await createRequest('compare', subjects, { ...common, items: values.group ?? ['all'] });
  const [old, new_] = request.subjects.map(({ runtime }) => runtime.version);
  if (old === undefined || new_ === undefined) throw new RangeError('a comparison has two subjects');
  for await (const event of runSession(request)) {
    if (event.type === 'planning') process.stderr.write(`\rplanned ${event.index + 1} of ${event.count}`);
    if (event.type !== 'plan') continue;
    process.stderr.write('\n');
    const cases = event.record.benchmarks.flatMap(({ name: benchmark, configurations }) =>
      configurations.map((configuration) => ({ benchmark, configuration })),
    );
    return { versions: [old, new_], groups: Map.groupBy(cases, groupOf) };
  }
  throw new Error('the suite has no plan');
}

function groupOf({ benchmark }: Pick<Case, 'benchmark'>): string {
  return benchmark.slice(0, benchmark.indexOf('/'));
}

/** The recorded runs of each case. */
function recordedRuns(): ReadonlyMap<string, readonly RunRecord[]> {
  const sessions = existsSync(results) ? readSessions(results) : [];
  return new Map(
    sessions.flatMap(({ plan, runs }) =>
      (plan?.benchmarks ?? []).flatMap(({ name: benchmark, configurations }) =>
        configurations.map((configuration) => [caseKey({ benchmark, configuration }), runs] as const),
      ),
    ),
  );
}

/** A case with its count of operations, or with a part of it. */
interface Shortened {
  readonly part: Case;
  /** How many times as many operations the case has. */
  readonly factor: number;
}

function shortened({ benchmark, configuration }: Case): readonly Shortened[] {
  const { n } = configuration;
  return [1, 20, 400, 8000].flatMap((factor) => {
    if (factor === 1) return [{ part: { benchmark, configuration }, factor }];
    if (typeof n !== 'number' || n < factor) return [];
    return [{ part: { benchmark, configuration: { ...configuration, n: Math.round(n / factor) } }, factor }];
  });
}

const isTooLong = (run: RunRecord) => run.status === 'failed' && run.failure.kind === 'timeout';

/** The first of the shortened cases that is not too long, with its runs. */
function measurable(each: Case): (Shortened & { readonly runs: readonly RunRecord[] }) | undefined {
  const recorded = recordedRuns();
  return shortened(each)
    .map((it) => ({ ...it, runs: recorded.get(caseKey(it.part)) ?? [] }))
    .find(({ runs }) => !runs.some(isTooLong));
}

async function record(
  { benchmark, configuration }: Case,
  versions: readonly [string, string],
): Promise<void> {
  const out = join(directory ?? '', 'session.jsonl');
  rmSync(out, { force: true });
  const [old, new_] = versions.map((version) => ({ runtime: `node@${version}` }));
  const items = [join(suite ?? '', benchmark)];
  const set = argumentsOf(configuration);
  const subjects = { old: old ?? {}, new: new_ ?? {} };
  const { request } = await createRequest('compare', subjects, { ...common, items, set });
  for await (const event of runSession(request, { out })) {
    if (event.type !== 'run' || event.record.status !== 'failed') continue;
    console.error(event.record.failure.message);
    if (isTooLong(event.record)) break;
  }
  appendFileSync(results, readFileSync(out));
  rmSync(out);
}

/** The figures of a case; none if a subject has no two results. */
function figuresOf(each: Case): RecordedSuite['groups'][number]['cases'][number] {
  const { benchmark } = each;
  const { runs = [], factor = 1 } = measurable(each) ?? {};
  const succeeded = runs.filter((run) => run.status === 'ok');
  const logs = ['old', 'new'].map((subject) =>
    succeeded.filter((run) => run.subject === subject).map(({ values: { rate } }) => Math.log(rate)),
  );
  const [old = [], new_ = []] = logs;
  if (Math.min(old.length, new_.length) < 2 || !logs.flat().every(Number.isFinite)) return { benchmark };
  const squares = logs.map((each) => sumOf(each.map((log) => (log - meanOf(each)) ** 2)));
  const variance = sumOf(squares) / (old.length + new_.length - 2);
  return {
    benchmark,
    runMs: Math.round(
      meanOf(succeeded.map(({ durationMs, time }) => durationMs + Number(time) * 1000 * (factor - 1))),
    ),
    deviation: rounded(Math.sqrt(variance)),
    logRatio: rounded(meanOf(new_) - meanOf(old)),
    error: rounded(Math.sqrt(variance * (1 / old.length + 1 / new_.length))),
  };
}

const rounded = (value: number) => Number(value.toPrecision(4));
const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
const meanOf = (numbers: readonly number[]) => sumOf(numbers) / numbers.length;

const { versions, groups } = await plannedGroups();
const uniform = uniforms(Number(values.seed));
const samples = Array.from(groups, ([group, cases]) => {
  const drawn = cases
    .map((each) => ({ each, at: uniform() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, Number(values.configurations));
  return { group, configurations: cases.length, drawn: drawn.map(({ each }) => each) };
});
const due = samples.flatMap(({ drawn }) => drawn);
for (const [at, each] of due.entries()) {
  console.error(`${at + 1} of ${due.length}: ${caseName(each)}`);
  for (const _ of shortened(each)) {
    const next = measurable(each);
    if (next?.runs.length === 0) await record(next.part, versions);
  }
}
const [old, new_] = versions;
const document: RecordedSuite = {
  old,
  new: new_,
  groups: samples.map(({ group, configurations, drawn }) => ({
    group,
    configurations,
    cases: drawn.map(figuresOf),
  })),
};
writeFileSync(join(directory, 'suite.json'), `${JSON.stringify(document, null, 1)}\n`);
