import { readFileSync, writeFileSync } from 'node:fs';
import { alternativeOf } from '@bench-cli/results';
import { createRequest, resumeSession, runSession, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../../test/support/session-events.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { sampledShortly } from './declared-session.ts';

interface Kind {
  readonly files: Readonly<Record<string, string>>;
  /** The groups of tasks of the benchmarks, by the names of these. */
  readonly benchmarks: Readonly<Record<string, string | undefined>>;
}

const own =
  "import { createBenchmark } from '@bench-cli/core';\ncreateBenchmark((_, bench) => bench.report(1, 1n), {});";
const taking = '() => ({ overriddenDuration: 1 })';
const nested = {
  'g/x.mjs > "a > b" > c': 'g/x.mjs > "a > b"',
  'g/x.mjs > a > "b > c"': 'g/x.mjs > a',
  'g/x.mjs > a > b > c': 'g/x.mjs > a > b',
};

/** Files of each kind, with benchmarks whose names would be equal if they were only joined. */
const kinds: Readonly<Record<string, Kind>> = {
  createBenchmark: {
    files: { 'g/a > b.mjs': own, 'g/a/b.mjs': own, 'g/a > b/c.mjs': own },
    benchmarks: { 'g/a > b.mjs': undefined, 'g/a > b/c.mjs': undefined, 'g/a/b.mjs': undefined },
  },
  'node:bench': {
    files: {
      'g/x.mjs': `import { bench, suite } from 'node:bench';
const measure = (b) => b.record({ operations: 1, duration_ns: 10n });
suite('a > b', () => bench('c', measure));
suite('a', () => { bench('b > c', measure); suite('b', () => bench('c', measure)); });`,
    },
    benchmarks: nested,
  },
  vitest: {
    files: {
      'g/x.mjs': `import { bench, describe } from 'vitest';
describe('a > b', () => bench('c', ${taking}, { time: 1 }));
describe('a', () => { bench('b > c', ${taking}, { time: 1 }); describe('b', () => bench('c', ${taking}, { time: 1 })); });`,
    },
    benchmarks: nested,
  },
  mitata: {
    files: {
      'g/x.mjs': `import { bench, group } from 'mitata';
group('a > b', () => bench('c', ${taking}));
group('a', () => { bench('b > c', ${taking}); group('b', () => bench('c', ${taking})); });`,
    },
    benchmarks: nested,
  },
  'mitata, without names': {
    files: {
      'g/x.mjs': `import { bench, group } from 'mitata';
group('anonymous', () => bench('bench 2', ${taking}));
bench(${taking});
bench(${taking});`,
    },
    benchmarks: {
      'g/x.mjs > anonymous > bench 2': 'g/x.mjs > anonymous',
      'g/x.mjs > bench 1 > anonymous': 'g/x.mjs > bench 1',
      'g/x.mjs > bench 2 > anonymous': 'g/x.mjs > bench 2',
    },
  },
  'mitata, with groups of which each compares its own benchmarks': {
    files: {
      'g/x.mjs': `import { bench, group, summary } from 'mitata';
summary(() => bench('a', ${taking}));
group(() => summary(() => bench('b', ${taking})));
group('c', () => summary(() => bench('c', ${taking})));
group('c', () => bench('d', ${taking}));`,
    },
    benchmarks: {
      'g/x.mjs > group 1 > a': 'g/x.mjs > group 1',
      'g/x.mjs > group 2 > b': 'g/x.mjs > group 2',
      'g/x.mjs > c > c': 'g/x.mjs > c',
      'g/x.mjs > c 2 > d': 'g/x.mjs > c 2',
    },
  },
  tinybench: {
    files: {
      'g/x.mjs': `import { Bench } from 'tinybench';
for (const [name, task] of [['a > b', 'c'], ['a', 'b > c'], ['"a', 'b"']]) await new Bench({ name, time: 1 }).add(task, ${taking}).run();`,
    },
    benchmarks: {
      'g/x.mjs > "a > b" > c': 'g/x.mjs > "a > b"',
      'g/x.mjs > a > "b > c"': 'g/x.mjs > a',
      'g/x.mjs > """a" > b"': 'g/x.mjs > """a"',
    },
  },
  'tinybench, without names': {
    files: {
      'g/x.mjs': `import { Bench } from 'tinybench';
for (const name of ['bench 3', undefined, undefined]) await new Bench({ name, time: 1 }).add('c', ${taking}).run();
await new Bench({ time: 1 }).add('d', ${taking}).run();`,
    },
    benchmarks: {
      'g/x.mjs > bench 3 > c': 'g/x.mjs > bench 3',
      'g/x.mjs > c': 'g/x.mjs',
      'g/x.mjs > bench 3 > bench 3 > c': 'g/x.mjs > bench 3 > bench 3',
      'g/x.mjs > bench 4 > d': 'g/x.mjs > bench 4',
    },
  },
};

/** The benchmarks of the runs that succeeded, in their order. */
function measured(events: readonly SessionEvent[]): readonly string[] {
  return runsOf(events).flatMap(({ status, benchmark }) => (status === 'ok' ? benchmark : []));
}

describe('the identity of benchmarks', () => {
  it.each(Object.entries(kinds))(
    'of %s is kept when they are planned, run, recorded, resumed and filtered',
    async (_, { files, benchmarks }) => {
      using suite = temporarySuite(files);
      const options = { items: ['g'], runs: 1, cwd: suite.directory, suite: suite.directory };
      const names = Object.keys(benchmarks);
      const { request } = await createRequest('run', { node: {} }, options);
      const out = suite.path('results.jsonl');
      const events = await Array.fromAsync(runSession(request, { out, scripted: sampledShortly }));
      expect(events.filter(({ type }) => type === 'failure')).toEqual([]);
      expect(measured(events).toSorted()).toEqual(names.toSorted());
      expect(
        Object.fromEntries(names.map((name) => [name, alternativeOf(name, request.files)?.group])),
      ).toEqual(benchmarks);

      const lines = readFileSync(out, 'utf8').split('\n');
      const end = lines.findLastIndex((line) => line.startsWith('{"type":"run"'));
      writeFileSync(out, `${lines.slice(0, end).join('\n')}\n`);
      const resumed = await Array.fromAsync(resumeSession(out, { trust: true, scripted: sampledShortly }));
      expect(measured(resumed)).toEqual(measured(events));

      for (const name of names) {
        const filter = [`/^${name.slice('g/'.length).replaceAll(/[^\w ]/g, '\\$&')}$/`];
        const selected = await createRequest('run', { node: {} }, { ...options, filter });
        for await (const event of runSession(selected.request, { onlyPlan: true }))
          if (event.type === 'plan') expect(event.record.benchmarks).toMatchObject([{ name }]);
      }
    },
  );

  it('is kept for arguments of mitata with the same text', async () => {
    using suite = temporarySuite({
      'g/x.mjs': `import { bench } from 'mitata';
bench('x', function* (state) { const v = state.get('v'); yield ${taking}; }).args('v', [2, '2', 2n, null, true, 'true', '2n', '#4', 2]);`,
    });
    const options = { items: ['g'], runs: 1, cwd: suite.directory, suite: suite.directory };
    const { request } = await createRequest('run', { node: {} }, options);
    const events = await Array.fromAsync(runSession(request, { scripted: sampledShortly }));
    const values = runsOf(events).map(({ configuration }) => configuration['v']);
    expect(values).toEqual([2, '2', '#2n', '##4', true, 'true', '2n', '#4']);
  });
});
