import { readFileSync } from 'node:fs';
import { samplePairs } from '@bench-cli/results';
import { readRecording, type SucceededRun } from '@bench-cli/results/recording';
import {
  compare,
  createRequest,
  type NamedSubject,
  type RequestOptions,
  readRecordings,
  resumeSession,
  runSession,
  type SessionEvent,
} from '@bench-cli/runner';
import { compareFixed } from '@bench-cli/stats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/support/runs.ts';
import { plantedBenchmark, startUpSuite } from '../../../test/support/start-up-suite.ts';
import { benchmark, type TemporarySuite } from '../../../test/support/suite.ts';
import { startUpCases } from '../src/task/start-up-cases.ts';

let suite: TemporarySuite;

beforeAll(() => {
  suite = startUpSuite({
    'g/held.js': plantedBenchmark(['start'], {
      head: `import { appendFileSync } from 'node:fs';
        const note = (text) => appendFileSync(new URL('../setups', import.meta.url), text);`,
      options: "{ setup: () => note('+'), teardown: () => note('-') }",
    }),
    'g/measure.js': benchmark('{ n: 5 }', 'await bench.measure(() => {}, { durationMs: 5, warmupMs: 1 });'),
    'g/report.js': benchmark('{ n: 5 }', "bench.report(process.env.SUBJECT === 'old' ? 10 : 5, 2_000_000n);"),
    'g/uncounted.js': benchmark('{ kind: ["start"] }', 'bench.report(5, 1n);'),
  });
});

afterAll(() => suite[Symbol.dispose]());

const subject = (name: string, env: Readonly<Record<string, string>> = {}, runtime = 'quick-node') => ({
  name,
  request: {
    runtime: runtime === 'node' ? process.execPath : suite.path(runtime),
    env: { SUBJECT: name, ...env },
  },
});

interface Options extends Partial<RequestOptions> {
  readonly subjects?: readonly NamedSubject[];
  readonly out?: string;
}

const options = (of: Options = {}) => ({
  subjects: [subject('old'), subject('new')],
  items: ['g/a.js'],
  runs: 8,
  cwd: suite.directory,
  suite: suite.directory,
  allowSame: true,
  ...of,
});

const labelsOf = ({ comparisons }: Awaited<ReturnType<typeof compare>>) =>
  Object.fromEntries(
    comparisons.map(({ configuration, subject: name, comparison }) => [
      `${configuration['kind']} ${name}`,
      comparison.startUp?.label,
    ]),
  );

/** Starts a session, whose events are taken as they come. */
async function session(of: Options, out?: string) {
  const { subjects, ...others } = { startUp: 'found' as const, ...options(of) };
  const { request } = await createRequest('compare', subjects, others);
  return runSession(request, { out });
}

const startUpRuns = (events: readonly SessionEvent[]) => runsOf(events, 'start-up');
const isStartUp = (event: SessionEvent) => event.type === 'run' && event.record.kind === 'start-up';

describe('each difference that is found', () => {
  it.each([8, 'auto'] as const)('is told to be start-up or final speed, with runs: %s', async (runs) => {
    expect(labelsOf(await compare(options({ runs })))).toEqual({
      'start new': 'start-up',
      'final new': 'final speed',
      'same new': undefined,
    });
  });

  it('has three runs with n and three with 4n under each subject, one right after the other', async () => {
    const records = startUpRuns(await Array.fromAsync(await session({ set: ['kind=start'] })));
    const places = records.map(({ configuration: { n }, round }) => `${round} ${n}`);
    expect(places).toEqual(
      ['0 1000', '0 4000', '1 1000', '1 4000', '2 1000', '2 4000'].flatMap((it) => [it, it]),
    );
    const sides = Map.groupBy(records, ({ subject: name }) => name);
    expect(sides.get('old')).toHaveLength(6);
    expect(sides.get('old')?.[0]).toMatchObject({ status: 'ok', values: { mainThread: 2_000_000 } });
  });

  it('is measured with the subjects that differ, and the baseline once for all of them', async () => {
    const subjects = ['old', 'same', 'new'].map((name) =>
      subject(name, name === 'same' ? { SUBJECT: 'old' } : {}),
    );
    const result = await compare(options({ subjects, set: ['kind=start'] }));
    expect(labelsOf(result)).toEqual({ 'start same': undefined, 'start new': 'start-up' });
  });

  it('is measured once if its 4n is the n of another one', async () => {
    const out = suite.path('overlap.jsonl');
    await compare(options({ set: ['kind=start', 'n=1000', 'n=4000'], out }));
    // Reading the file checks that no run is there twice.
    const { startUpRuns: runs } = readRecording(out);
    const counts = Map.groupBy(runs, ({ configuration }) => configuration['n']);
    expect(Array.from(counts, ([n, own]) => [n, own.length])).toEqual([
      [1000, 6],
      [4000, 6],
      [16_000, 6],
    ]);
  });

  it('is not measured if its operations are not counted by n', async () => {
    const subjects = ['old', 'new'].map((name) => subject(name, {}, 'node'));
    const items = ['g/measure.js', 'g/report.js', 'g/uncounted.js'];
    const events = await Array.fromAsync(await session({ subjects, items, startUp: 'all', runs: 2 }));
    // Only a run can tell that there is no start() and end().
    expect(startUpRuns(events)).toMatchObject([
      { benchmark: 'g/report.js', status: 'ok', values: { rate: expect.any(Number) } },
    ]);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  });
});

describe('limited time', () => {
  const cases = { small: 0.9, large: 0.5, middle: 2 };
  const runs = Object.entries(cases).flatMap(([benchmark, ratio]) =>
    ['old', 'new'].flatMap((name) =>
      [1, 2].map((round): SucceededRun => {
        const rate = name === 'old' ? 100 : 100 * ratio;
        const of = { benchmark, configuration: { n: 10 }, subject: name, round, values: { rate } };
        return {
          type: 'run',
          kind: 'rate',
          status: 'ok',
          ...of,
          startedAt: '',
          durationMs: 40,
          time: '0.010',
        };
      }),
    ),
  );
  const { comparisons } = compareFixed(samplePairs(runs, ['old', 'new']));
  // Two subjects, each with three runs of 40 ms and three that measure 30 ms more.
  const oneMs = 2 * (3 * 40 + 3 * 70);
  const measured = (limitMs: number, of = runs) => {
    const { cases: chosen, ...counts } = startUpCases(comparisons, of, limitMs);
    return { ...counts, names: chosen.map(({ benchmark }) => benchmark) };
  };

  it('is spent on the largest differences', () => {
    expect(measured(oneMs * 3)).toEqual({ measured: 3, suitable: 3, names: ['large', 'middle', 'small'] });
    expect(measured(oneMs * 3 - 1)).toEqual({ measured: 2, suitable: 3, names: ['large', 'middle'] });
    expect(measured(0)).toEqual({ measured: 0, suitable: 3, names: [] });
  });

  it('is that of the budget, also on request, and the warning says so', async () => {
    // A run can take less than a millisecond, so that a second difference is found.
    const events = await Array.fromAsync(await session({ runs: { budgetMs: 1 }, startUp: 'all' }));
    expect(startUpRuns(events)).toEqual([]);
    expect(events).toContainEqual({
      type: 'warning',
      message: expect.stringMatching(/^start-up .* 0 of [123] .*--budget/),
    });
  });

  it('is not spent on a measured part that is too short for the clock of the CPU time', () => {
    const short = runs.map((run) => (run.benchmark === 'large' ? { ...run, time: '0.0009' } : run));
    expect(measured(oneMs * 3, short)).toMatchObject({ measured: 2, suitable: 2 });
  });
});

describe('start-up', () => {
  it('is measured for all comparisons on request, and for none', async () => {
    const only = { set: ['kind=same'] };
    expect(labelsOf(await compare(options({ ...only, startUp: 'all' })))).toEqual({
      'same new': 'undecided',
    });
    expect(labelsOf(await compare(options({ startUp: 'none', set: ['kind=start'] })))).toEqual({
      'start new': undefined,
    });
  });

  it('is unknown if the benchmark fails with 4n, or the runtime has no clock for it, and says why', async () => {
    const failing = [subject('old'), subject('new', { FAILS: 'yes' })];
    const failed = await compare(options({ subjects: failing, set: ['kind=start'] }));
    expect(failed.comparisons[0]?.comparison.startUp).toEqual({
      label: 'unknown',
      reason: expect.stringContaining('too many'),
    });
    // It is no failure of the comparison.
    expect(failed.failures).toEqual([]);
    const subjects = [subject('old'), subject('bun', {}, 'quick-bun'), subject('new')];
    const result = await compare(options({ subjects, set: ['kind=start'] }));
    expect(labelsOf(result)).toEqual({ 'start bun': 'unknown', 'start new': 'start-up' });
    expect(result.comparisons[0]?.comparison.startUp).toMatchObject({
      reason: expect.stringContaining('Bun'),
    });
  });

  it('continues after an interruption, without measuring anything again', async () => {
    const out = suite.path('resumed.jsonl');
    let taken = 0;
    for await (const event of await session({}, out)) if (isStartUp(event) && ++taken === 5) break;
    const again = await Array.fromAsync(resumeSession(out));
    const resumed = again.flatMap((event) => (isStartUp(event) && 'resumed' in event ? [event.resumed] : []));
    expect(resumed).toEqual(Array.from({ length: 24 }, (_, at) => at < 5));
    expect(readRecording(out)).toMatchObject({ ended: true, startUpRuns: { length: 24 } });
  });

  it('is measured after all other runs, with a setup of its own', async () => {
    const out = suite.path('held.jsonl');
    const events = await Array.fromAsync(await session({ items: ['g/held.js'] }, out));
    expect(readFileSync(suite.path('setups'), 'utf8')).toBe('+-+-');
    expect(events.findIndex(isStartUp)).toBeGreaterThan(
      events.findLastIndex((event) => event.type === 'run' && !isStartUp(event)),
    );
    expect(startUpRuns(events)).toHaveLength(12);
  });

  it('is measured by each shard for its own cases, and joined', async () => {
    const files = await Promise.all(
      [1, 2, 3].map(async (index) => {
        const out = suite.path(`shard-${index}.jsonl`);
        await Array.fromAsync(await session({ shard: { index, count: 3 } }, out));
        return out;
      }),
    );
    const kinds = readRecordings(files).flatMap(({ startUpRuns }) =>
      startUpRuns.map(({ configuration }) => configuration['kind']),
    );
    expect([...new Set(kinds)].sort()).toEqual(['final', 'start']);
    expect(kinds).toHaveLength(24);
  });

  it('is joined if the 4n of a case of one shard is the n of a case of another', async () => {
    const files = await Promise.all(
      [1, 2].map(async (index) => {
        const out = suite.path(`overlap-${index}.jsonl`);
        const set = ['kind=start', 'n=1000', 'n=4000'];
        await Array.fromAsync(await session({ set, shard: { index, count: 2 } }, out));
        return out;
      }),
    );
    const runs = readRecordings(files).flatMap(({ startUpRuns }) => startUpRuns);
    expect(runs).toHaveLength(24);
  });
});
