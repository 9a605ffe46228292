import { existsSync } from 'node:fs';
import {
  compare,
  createRequest,
  readRecording,
  resumeSession,
  runSession,
  type SessionEvent,
} from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { anyRates, scriptedRates, withoutProbes } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { sharedSuite } from '../../../test/support/until-end.ts';

const script = benchmark('{ n: [1000] }');

const suite = sharedSuite({ 'old/g/a.js': script, 'new/g/a.js': script, 'new/g/added.js': script });

function compareBoth(options: Partial<Parameters<typeof compare>[0]>) {
  return compare({
    old: { cwd: suite.path('old') },
    new: { env: { SIDE: 'new' } },
    items: ['all'],
    cwd: suite.path('new'),
    runs: 2,
    scripted: anyRates(),
    ...options,
  });
}

describe('compare() gives what the command shows', () => {
  const three = ['n=1', 'n=2', 'n=3'];

  it('judges metrics, and applies gates to them', async () => {
    const rates = scriptedRates(({ env }) => ({ rate: 1, metrics: { alloc: env['SIDE'] ? 16_000 : 8000 } }));
    const scripted = withoutProbes(rates);
    const options = { metrics: ['alloc'], runs: 6, failOn: ['alloc>5%'], scripted };
    const { metrics, gate, missing } = await compareBoth(options);
    expect(metrics.map(({ metric, list }) => [metric.name, list.comparisons.length])).toEqual([['alloc', 1]]);
    expect(metrics[0]?.list.comparisons[0]).toMatchObject({ verdict: 'higher', benchmark: 'g/a.js' });
    expect(gate).toMatchObject({ passes: false, unjudged: [], size: 1 });
    expect(gate?.crossed.map(({ comparison }) => comparison.metric?.name)).toEqual(['alloc']);
    expect(missing).toEqual([]);
  });

  it.each([
    ['one comparison', [], 5, [], '--runs 6'],
    ['the number of comparisons', three, 6, [], '--runs 7'],
    ['gates of metrics, which are further tests', three, 7, ['slower>=5%', 'alloc>5%'], '--runs 8'],
    ['enough runs', three, 8, ['slower>=5%', 'alloc>5%'], undefined],
  ])('warns before the first run if its runs are too few: %s', async (_, set, runs, failOn, text) => {
    const warnings: string[] = [];
    const onEvent = (event: SessionEvent) => {
      if (event.type === 'warning') warnings.push(event.message);
      if (event.type === 'start') throw new Error('the first run');
    };
    const metrics = failOn.length > 0 ? ['alloc'] : [];
    const options = { set, runs, failOn, metrics, filter: ['a.js'], onEvent };
    await expect(compareBoth(options)).rejects.toThrow('the first run');
    const few = warnings.filter((message) => message.includes('--runs'));
    expect(few).toEqual(text === undefined ? [] : [expect.stringContaining(`${text} or more`)]);
  });

  it('lists cases that the baseline does not have beside those that are compared', async () => {
    const { comparisons, newCases } = await compareBoth({});
    expect(comparisons.map(({ benchmark }) => benchmark)).toEqual(['g/a.js']);
    expect(newCases).toMatchObject([
      { benchmark: 'g/added.js', configuration: { n: 1000 }, subject: 'new', sample: { n: 2 } },
    ]);
  });

  it.each<[option: object, ...named: string[]]>([
    [{ filters: ['a'] }, 'filters', 'filter?'],
    [{ maxRuns: 12 }, 'maxRuns', 'runs: { maxRuns'],
    [{ format: 'json' }, 'format', 'leave it out'],
    [{ runs: { maxRun: 12 } }, 'maxRun', 'maxRuns?'],
  ])('refuses the unknown option %j', async (option, ...named) => {
    await expect(compareBoth(option)).rejects.toEqual(errorWith('OPTION', ...named));
  });

  it('so do a session and its continuation, which create and change nothing then', async () => {
    const { request } = await createRequest('run', {}, { items: ['g/a.js'], cwd: suite.path('new') });
    const out = suite.path('misspelt.jsonl');
    const misspelt = { out, singal: AbortSignal.timeout(1e6) };
    const begun = Array.fromAsync(runSession(request, misspelt));
    await expect(begun).rejects.toEqual(errorWith('OPTION', 'singal', 'signal?'));
    expect(existsSync(out)).toBe(false);
    const resumed = { trust: true, out: 'other.jsonl' };
    const continued = Array.fromAsync(resumeSession(out, resumed));
    await expect(continued).rejects.toEqual(errorWith('OPTION', 'out', 'leave it out'));
  });

  it('waits for what the function of its events returns', async () => {
    const order: string[] = [];
    const onEvent = async ({ type }: SessionEvent) => {
      order.push(type);
      await new Promise(setImmediate);
      order.push('done');
    };
    await compareBoth({ items: ['g/a.js'], runs: 1, onEvent });
    expect(order.length).toBeGreaterThan(2);
    expect(order.filter((_, at) => at % 2 === 1).every((each) => each === 'done')).toBe(true);
  });

  it('ends with the error that the function throws, and the file has each run before its event', async () => {
    const out = suite.path('results.jsonl');
    const counts: number[] = [];
    const onEvent = ({ type }: SessionEvent) => {
      if (type === 'run') counts.push(readRecording(out).runs.length);
      if (counts.length === 2) throw new RangeError('no more');
    };
    const options = { items: ['g/a.js'], out, onEvent, scripted: undefined };
    await expect(compareBoth(options)).rejects.toThrow(RangeError);
    expect(counts).toEqual([1, 2]);
    expect(readRecording(out)).toMatchObject({ runs: { length: 2 }, ended: false });
  });
});
