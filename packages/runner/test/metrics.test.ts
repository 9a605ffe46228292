import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { metrics, perfProblem } from '@bench-cli/agent/metrics';
import { subjectOrders } from '@bench-cli/results/recording';
import { eventNames, metricNames } from '@bench-cli/results/settings';
import { createRequest, resumeSession, runSession, type SessionEvent } from '@bench-cli/runner';
import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { anyRates, withoutProbes } from '../../../test/support/scripted-rates.ts';
import { requestIn, runsOf, type SessionOptions } from '../../../test/support/session-events.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { measure, values } from './metric-values.ts';

const requestOf = (suite: TemporarySuite, options: SessionOptions) =>
  requestIn(suite, { command: 'run', runs: 2, ...options });

const metricRuns = (events: readonly SessionEvent[]) => runsOf(events, 'metrics');

// The values of metrics are measured in metrics.measured.test.ts.
it('measures in runs of its own, after those of the rate, and in the same order of subjects', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  const subjects = { old: {}, new: { flags: ['--no-opt'] } };
  const request = await requestOf(suite, { metrics: ['cpu'], subjects });
  const events = await Array.fromAsync(runSession(request, { scripted: withoutProbes(anyRates()) }));
  const order = events.flatMap((event) =>
    event.type === 'run' ? [`${event.record.kind} ${event.record.subject}`] : [],
  );
  const only = { benchmark: 'g/a.js', configuration: { n: 1 } };
  const orderIn = subjectOrders(['old', 'new'], request.seed, only);
  const drawn = [0, 1].flatMap(orderIn);
  expect(order).toEqual(['rate', 'metrics'].flatMap((type) => drawn.map((subject) => `${type} ${subject}`)));
  expect(events).toContainEqual(expect.objectContaining({ type: 'planned', totalRuns: 8 }));
});

it('is of the same operations in all runs of a case, however fast they are, also after an interruption, which repeats no run', async () => {
  const source = `let calls = 0;
    const op = () => { calls++; for (let i = 0; i < Number(process.env.LOOPS); i++); };
    return bench.measure(op, { durationMs: 20, warmupMs: 5, metrics: () => ({ calls: { value: calls, better: 'less' } }) });`;
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }', source) });
  const subjects = { old: { env: { LOOPS: '1000' } }, new: { env: { LOOPS: '3000' } } };
  const out = suite.path('r.jsonl');
  for await (const event of runSession(await requestOf(suite, { metrics: ['alloc'], subjects }), { out })) {
    if (event.type === 'run' && event.record.kind === 'metrics') break;
  }
  const before = readFileSync(out, 'utf8');
  const events = await Array.fromAsync(resumeSession(out));
  expect(readFileSync(out, 'utf8').startsWith(before)).toBe(true);
  const resumed = events.flatMap((event) =>
    event.type === 'run' ? [[event.record.kind, event.resumed]] : [],
  );
  const rates = Array(4).fill(['rate', true]);
  expect(resumed).toEqual([...rates, ['metrics', true], ...Array(3).fill(['metrics', false])]);
  const runs = metricRuns(events);
  expect(new Set(values(runs, 'calls'))).toHaveLength(1);
  const observed = runs.map((run) => (run.status === 'ok' ? run.observed : undefined));
  expect(observed).toEqual(Array(4).fill(observed[0]));
  const { before: warmUp = 0, operations = 0 } = observed[0] ?? {};
  expect(values(runs, 'calls')[0]).toBe(warmUp + operations);
});

it('benchmarks without start() and end() have a warning instead of metrics with report()', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }', 'bench.report(5, 1n);') });
  const scripted = anyRates();
  const events = await Array.fromAsync(
    runSession(await requestOf(suite, { metrics: ['alloc'] }), { scripted }),
  );
  const warnings = events.filter(({ type }) => type === 'warning');
  expect(warnings).toHaveLength(1);
  expect(values(metricRuns(events), 'alloc')).toEqual([undefined, undefined]);
});

it('does not run a configuration again whose measurement failed', async () => {
  const runs = await measure(
    {
      'g/a.js': benchmark(
        '{ n: 1 }',
        'if (process.execArgv.includes("--require")) throw new Error("no"); bench.start(); bench.end(1);',
      ),
    },
    ['cpu'],
  );
  expect(runs).toMatchObject([{ status: 'failed', failure: { kind: 'threw' } }]);
});

it('measures no metrics if the rate alone is asked for', async () => {
  using suite = temporarySuite({ 'g/a.js': benchmark('{ n: 1 }') });
  expect((await requestOf(suite, { metrics: ['rate'] })).metrics).toBeUndefined();
});

it('measures the metrics that the help names', () => {
  const places =
    'metricNames or eventNames in results/src/settings/settings.ts, and metrics in agent/src/metric/metrics.ts';
  const named = [...metricNames, ...eventNames].sort();
  expect(metrics.map(({ name }) => name).sort(), `name each metric in two places: ${places}`).toEqual(named);
});

const hasPerf = spawnSync('perf', ['--version']).status === 0;
it.skipIf(!hasPerf || perfProblem(['instructions']) === undefined)(
  'says in one line why the machine does not count events of the processor',
  async () => {
    using suite = temporarySuite({ 'g/a.ts': benchmark('{ n: 1 }') });
    const options = { items: ['all'], runs: 1, cwd: suite.directory, metrics: ['alloc', 'instructions'] };
    await expect(createRequest('run', { node: {} }, options)).rejects.toThrow(
      errorWith('METRIC', '--metric instructions', 'perf'),
    );
  },
);
