import { alternativeOf } from '@bench-cli/results';
import { resumeSession, type SessionEvent } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { readLines, writeLines } from '../../../../test/support/recording.ts';
import { startedOnce } from '../../../../test/support/scripted-rates.ts';
import { eventsIn, plannedIn, requestIn, runsOf } from '../../../../test/support/session-events.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { sampledShortly } from './declared-session.ts';

const own =
  "import { createBenchmark } from '@bench-cli/core';\ncreateBenchmark((_, bench) => bench.report(1, 1n), {});";
const taking = '() => ({ overriddenDuration: 1 })';

/** Files of each kind, with benchmarks whose names would be equal if they were only joined. */
const files = {
  'g/a > b.mjs': own,
  'g/a/b.mjs': own,
  'g/a > b/c.mjs': own,
  'g/node.mjs': `import { bench, suite } from 'node:bench';
const measure = (b) => b.record({ operations: 1, duration_ns: 10n });
suite('a > b', () => bench('c', measure));
suite('a', () => { bench('b > c', measure); suite('b', () => bench('c', measure)); });`,
  'g/vitest.mjs': `import { bench, describe } from 'vitest';
describe('a > b', () => bench('c', ${taking}, { time: 1 }));
describe('a', () => { bench('b > c', ${taking}, { time: 1 }); describe('b', () => bench('c', ${taking}, { time: 1 })); });`,
  'g/mitata.mjs': `import { bench, group } from 'mitata';
group('a > b', () => bench('c', ${taking}));
group('a', () => { bench('b > c', ${taking}); group('b', () => bench('c', ${taking})); });`,
  'g/mitata, without names.mjs': `import { bench, group } from 'mitata';
group('anonymous', () => bench('bench 2', ${taking}));
bench(${taking});
bench(${taking});`,
  // Each of its groups compares its own benchmarks.
  'g/mitata, with groups.mjs': `import { bench, group, summary } from 'mitata';
summary(() => bench('a', ${taking}));
group(() => summary(() => bench('b', ${taking})));
group('c', () => summary(() => bench('c', ${taking})));
group('c', () => bench('d', ${taking}));`,
  'g/tinybench.mjs': `import { Bench } from 'tinybench';
for (const [name, task] of [['a > b', 'c'], ['a', 'b > c'], ['"a', 'b"']]) await new Bench({ name, time: 1 }).add(task, ${taking}).run();`,
  'g/tinybench, without names.mjs': `import { Bench } from 'tinybench';
for (const name of ['bench 3', undefined, undefined]) await new Bench({ name, time: 1 }).add('c', ${taking}).run();
await new Bench({ time: 1 }).add('d', ${taking}).run();`,
};

/** The benchmarks of each file, with their groups of tasks; undefined for those that are in none. */
const groups: Readonly<Record<keyof typeof files, Readonly<Record<string, string | undefined>>>> = {
  'g/a > b.mjs': { '': undefined },
  'g/a/b.mjs': { '': undefined },
  'g/a > b/c.mjs': { '': undefined },
  'g/node.mjs': nested(),
  'g/vitest.mjs': nested(),
  'g/mitata.mjs': nested(),
  'g/mitata, without names.mjs': {
    ' > anonymous > bench 2': ' > anonymous',
    ' > bench 1 > anonymous': ' > bench 1',
    ' > bench 2 > anonymous': ' > bench 2',
  },
  'g/mitata, with groups.mjs': {
    ' > group 1 > a': ' > group 1',
    ' > group 2 > b': ' > group 2',
    ' > c > c': ' > c',
    ' > c 2 > d': ' > c 2',
  },
  'g/tinybench.mjs': {
    ' > "a > b" > c': ' > "a > b"',
    ' > a > "b > c"': ' > a',
    ' > """a" > b"': ' > """a"',
  },
  'g/tinybench, without names.mjs': {
    ' > bench 3 > c': ' > bench 3',
    ' > c': '',
    ' > bench 3 > bench 3 > c': ' > bench 3 > bench 3',
    ' > bench 4 > d': ' > bench 4',
  },
};

function nested() {
  return { ' > "a > b" > c': ' > "a > b"', ' > a > "b > c"': ' > a', ' > a > b > c': ' > a > b' };
}

/** The benchmarks of the runs that succeeded, in their order. */
function measured(events: readonly SessionEvent[]): readonly string[] {
  return runsOf(events).flatMap(({ status, benchmark }) => (status === 'ok' ? benchmark : []));
}

describe('the identity of benchmarks', () => {
  it('is kept in files of each kind when they are planned, run, recorded, resumed and filtered', async () => {
    using suite = temporarySuite(files);
    const options = { items: ['g'], suite: suite.directory, scripted: startedOnce(sampledShortly) };
    const expected = Object.entries(groups).flatMap(([file, benchmarks]) =>
      Object.entries(benchmarks).map(
        ([name, group]) => [file + name, group === undefined ? undefined : file + group] as const,
      ),
    );
    const names = expected.map(([name]) => name);
    const request = await requestIn(suite, options);
    const groupOf = (name: string) => alternativeOf(name, request.files)?.group;
    expect(names.map((name) => [name, groupOf(name)])).toEqual(expected);
    // mitata.measured.test.ts and tinybench.measured.test.ts run benchmarks without names.
    const isRun = (name: string) => !/^[^>]*, with/.test(name);
    const out = suite.path('results.jsonl');
    const events = await eventsIn(suite, { ...options, exclude: ['/^[^>]*, with/'], out });
    expect(events.filter(({ type }) => type === 'failure')).toEqual([]);
    expect(measured(events).toSorted()).toEqual(names.filter(isRun).toSorted());

    // The session goes on with one benchmark of each file.
    const each = Object.entries(groups).map(([file, of]) => `${file}${Object.keys(of)[0]}`);
    const first = new Set(each.filter(isRun));
    const lines = readLines(out).filter(
      (line) => line.type !== 'end' && (line.type !== 'run' || !first.has(line.benchmark)),
    );
    writeLines(out, lines);
    const resumed = await Array.fromAsync(resumeSession(out, { trust: true, scripted: options.scripted }));
    expect(measured(resumed)).toEqual(measured(events));
    const again = resumed.flatMap((event) =>
      event.type === 'run' && !event.resumed ? [event.record.benchmark] : [],
    );
    expect(again.toSorted()).toEqual([...first].toSorted());

    const filter = Array.from(
      first,
      (name) => `/^${name.slice('g/'.length).replaceAll(/[^\w ]/g, '\\$&')}$/`,
    );
    const selected = await plannedIn(suite, { ...options, filter });
    expect(new Set(selected.map(({ name }) => name))).toEqual(first);
  });

  it('is kept for arguments of mitata with the same text', async () => {
    using suite = temporarySuite({
      'g/x.mjs': `import { bench } from 'mitata';
bench('x', function* (state) { const v = state.get('v'); yield ${taking}; }).args('v', [2, '2', 2n, null, true, 'true', '2n', '#4', 2]);`,
    });
    const [planned] = await plannedIn(suite);
    expect(planned?.configurations.map(({ v }) => v)).toEqual([
      2,
      '2',
      '#2n',
      '##4',
      true,
      'true',
      '2n',
      '#4',
    ]);
  });
});
