import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orderVariable } from '@bench-cli/agent';
import { type CompareOptions, compare, runSession, type SessionEvent } from '@bench-cli/runner';
import { execa } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { continueRunning, mark } from '../../../test/support/processes.ts';
import { requestIn } from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { Supervisor } from '../dist/process/supervisor.js';
import { turnsCpu } from '../dist/process/turns.js';
import { activityProbe } from '../dist/suite/script.js';
import { measuredNs, processInTurns, rateOf, send } from './process-in-turns.ts';

const supervisor = new Supervisor();
const { signal } = new AbortController();
afterAll(() => supervisor.close());

const runInTurns = (...scripts: readonly string[]) =>
  supervisor.runInTurns(
    scripts.map((script) => processInTurns(script)),
    signal,
  );

const recordsOf = (events: readonly SessionEvent[]) =>
  events.flatMap((event) => (event.type === 'run' ? [event.record] : []));

describe.runIf(turnsCpu(undefined) !== undefined)('processes in turns', () => {
  // Node.js 26 collects garbage faster while no young object outlives it. A clock that leaves one would measure other code than without turns.
  it.each(['() => performance.now()', 'process.hrtime.bigint'])(
    'leave no object behind where the clock of Node.js leaves none: %s',
    async (reading) => {
      const script = `
        const allocate = () => { let last = null; for (let i = 0; i < 50; i++) last = { i, last: i % 3 === 0 ? null : last }; return last.i; };
        const read = ${reading};
        let sum = 0;
        const run = () => { for (let i = 0; i < 3000; i++) { for (let k = 0; k < 100; k++) sum += allocate(); read(); } };
        run();`;
      // A separator of paths, too.
      const turns = join(supervisor.directory, 'turn:0');
      writeFileSync(turns, Buffer.from(new BigInt64Array([1_234_567_890n]).buffer));
      const { args, env: variables } = processInTurns(script);
      const env = { ...variables, ...orderVariable({ turns }) };
      const collectionsWithSurvivors = async (words: readonly string[]) => {
        const { stdout } = await execa(process.execPath, ['--trace-gc-nvp', ...words], { env });
        const survivors = [...stdout.matchAll(/"?new_space_survived"?[=:](\d+)/g)].slice(-300);
        expect(survivors).toHaveLength(300);
        return survivors.filter(([, bytes]) => bytes !== '0').length;
      };
      const [without, with_] = [
        await collectionsWithSurvivors(args.slice(2)),
        await collectionsWithSurvivors(args),
      ];
      expect(with_ - without).toBeLessThan(200);
    },
  );

  it('can have threads, whose clocks stand still too', async () => {
    const [started, done] = ['thread-started', 'thread-done'].map((name) =>
      JSON.stringify(join(supervisor.directory, name)),
    );
    const thread = `
      const began = performance.now(); const beganAt = Date.now();
      while (performance.now() - began < 300);
      require('node:worker_threads').parentPort.postMessage((Date.now() - beganAt) / 300);`;
    const script = `
      while (!fs.existsSync(${started}));
      const worker = new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true });
      worker.once('message', (ratio) => { ${send('ratio')} fs.writeFileSync(${done}, ''); });`;
    const other = `fs.writeFileSync(${started}, ''); while (!fs.existsSync(${done}));`;
    const [outcome] = await runInTurns(script, other);
    expect(outcome?.failure).toBeUndefined();
    expect(outcome && rateOf(outcome)).toBeGreaterThan(1.2);
  });

  it('fail if something continues them in the turns of others', async () => {
    const busy = `const began = performance.now(); while (performance.now() - began < 500); ${send('1')}`;
    const seconds = mark(72);
    const ended = runInTurns(`globalThis.mark = '${seconds}'; ${busy}`, busy);
    const timer = setInterval(continueRunning(seconds), 1);
    const [disturbing, disturbed] = await ended;
    clearInterval(timer);
    expect(disturbing?.failure?.kind).toBe('did not stop');
    expect(disturbed?.failure).toBeUndefined();
  });
});

describe.runIf(turnsCpu(undefined) !== undefined)('a look', () => {
  /** What the activity of a process shows that executes a script in a function, with a thread, between other parts. */
  const activityOf = async (script: string, { before = '', after = '' } = {}) => {
    const { file, order } = activityProbe(join(supervisor.directory, 'activity'), 'clocks and collections');
    const body = `
      const thread = () => new Promise((resolve) => {
        const worker = new Worker('const { parentPort } = require("node:worker_threads"); parentPort.on("message", (ms) => { const began = performance.now(); while (performance.now() - began < ms); parentPort.postMessage(0); })', { eval: true });
        // Its answer shows that the start is over, which uses CPU time, too.
        worker.postMessage(0);
        worker.once('message', () => { worker.unref(); resolve(worker); });
      });
      const { Worker } = require('node:worker_threads'), { once } = require('node:events'), timers = require('node:timers/promises');
      const cpu = (times = 1) => { let x = 1; for (let i = 0; i < times * 3e7; i++) x = Math.imul(x, 31) + i | 0; return x; };
      const wait = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
      const probe = globalThis[Symbol.for('bench-cli.activity')];
      (async () => { ${before}; probe.begin(); ${script}; probe.end(); ${after}; })();`;
    const args = ['--require', file, '-e', body];
    const request = { ...processInTurns(''), args, order };
    const { failure, printed, activity } = await supervisor.run(request, AbortSignal.timeout(20_000));
    expect(failure?.kind ?? 'no result', printed()).toBe('no result');
    const { busy = 0, otherThreads = 0, ...others } = activity ?? {};
    return { ...others, busy: Math.round(busy), hasThreads: otherThreads > 0.05 };
  };

  const collect = `require('node:v8').GCProfiler.prototype.stop = () => ({ statistics: [{ cost: 200_000 }] });`;

  it.each([
    ['runs', 'cpu()', {}, 1],
    ['waits for something else', 'wait(200)', {}, 0],
    ['waits for garbage collections', 'wait(200)', { before: collect }, 1],
    ['waits for events beside them', 'await timers.setTimeout(200)', { before: collect }, 0],
    ['waits, and runs before and after that', 'wait(100)', { before: 'cpu(9)', after: 'cpu(9)' }, 0],
    ['runs, and waits before and after that', 'cpu()', { before: 'wait(900)', after: 'wait(900)' }, 1],
    [
      'waits for a thread',
      'worker.postMessage(100); wait(100)',
      { before: 'const worker = await thread()' },
      0,
    ],
  ])('shows how busy a process is whose main thread %s', async (_, script, around, busy) => {
    expect((await activityOf(script, around)).busy).toBe(busy);
  });

  it.each([
    ['computes', 'cpu(9)', true],
    ['computes, and sleeps later', 'cpu(9); wait(2000)', false],
    [
      'is measured in parts that are too short',
      'for (let i = 0; i < 50; i++) { probe.end(); probe.begin(); }',
      false,
    ],
  ])('tells the CPU time of a process that %s', async (_, script, tells) => {
    expect((await activityOf(script)).cpu !== undefined).toBe(tells);
  });

  it.each([
    ['a thread that works', 'const worker = await thread()', 'worker.postMessage(1e6); cpu(9)', true],
    ['a thread that waits', 'const worker = await thread()', 'cpu(9)', false],
    [
      'threads that compile and collect garbage',
      '',
      'for (let i = 0; i < 1e7; i++) globalThis.kept = { i, last: i % 100 ? globalThis.kept : 0 }',
      false,
    ],
  ])('shows %s beside the main one', async (_, before, script, hasThreads) => {
    const after = 'if (typeof worker !== "undefined") await worker.terminate()';
    expect((await activityOf(script, { before, after })).hasThreads).toBe(hasThreads);
  });

  it.each([
    ['Date', 'Date.now()'],
    ['Date', 'new Date()'],
    ['Date', 'Date()'],
    ['Date', 'now()', 'const { now } = Date'],
    ['Temporal.Now', 'Temporal.Now.instant()'],
    ['performance.mark()', 'performance.mark("a")'],
    ['performance.measure()', 'performance.measure("a")'],
    ['performance.timerify()', 'timed()', 'const timed = performance.timerify(() => {})'],
    ['performance.eventLoopUtilization()', 'performance.eventLoopUtilization()'],
    [
      'recordDelta()',
      'histogram.recordDelta()',
      'const histogram = require("node:perf_hooks").createHistogram()',
    ],
    ['process.uptime()', 'process.uptime()'],
    ['Event.timeStamp', 'new Event("a").timeStamp'],
    ['timers', 'setTimeout(cpu, 1)'],
    ['timers', 'setInterval(cpu, 1).unref()'],
    ['timers', 'await timers.setTimeout(1)'],
    ['timers', 'await timers.scheduler.wait(1)'],
    ['timers', 'await wait(1)', 'const wait = require("node:util").promisify(setTimeout)'],
    ['timers', 'AbortSignal.timeout(10_000)'],
  ])('shows that code uses %s: %s', async (clock, script, before = '') => {
    expect(await activityOf(script, { before })).toMatchObject({ clocks: [clock] });
  });

  it('shows no clocks that stand still, that only make other values, or that are used besides', async () => {
    const script =
      'performance.now(); process.hrtime(); process.hrtime.bigint(); process.cpuUsage(); new Date(0).getTime(); new Date(0) instanceof Date; Date.UTC(2026); new FinalizationRegistry(cpu).register({}, 0); new PerformanceObserver(cpu).observe({ entryTypes: ["gc"] })';
    const { clocks, clockCallsPerMs } = await activityOf(script, {
      before: 'Date.now()',
      after: 'new Date()',
    });
    expect(clocks).toBeUndefined();
    expect(clockCallsPerMs).toBeGreaterThan(0);
  });

  it('shows memory that is in use at the end of the measured part', async () => {
    const fill = 'let kept = Array.from({ length: 2e6 }, (_, i) => ({ i }));';
    expect((await activityOf(fill)).heapBytes).toBeGreaterThan(64 << 20);
    expect((await activityOf('cpu()', { after: fill })).heapBytes).toBeLessThan(64 << 20);
  });
});

describe.runIf(turnsCpu(undefined) !== undefined)('a comparison', () => {
  // So long that a moment without a CPU, which a virtual machine can have, is a small share of it.
  const busy = measuredNs(1e8);
  const options = { old: 'node', new: 'node,env=A=1', allowSame: true, runs: { maxRuns: 8 } } as const;
  const compareIn = async (suite: ReturnType<typeof temporarySuite>, more: Partial<CompareOptions> = {}) => {
    const events: SessionEvent[] = [];
    const onEvent = (event: SessionEvent) => void events.push(event);
    const result = await compare({ ...options, items: ['g'], cwd: suite.directory, onEvent, ...more });
    const warnings = events.flatMap((event) => (event.type === 'warning' ? event.message : []));
    return { result, runs: recordsOf(events), warnings };
  };

  it('measures code that keeps a CPU busy in turns, after a look, and other code as it is', async () => {
    using suite = temporarySuite({
      'g/busy.mjs': benchmark('{ n: [1, 2] }', busy),
      'g/prepared.mjs': benchmark('{ n: [1] }', busy, {
        head: 'await new Promise((resolve) => setTimeout(resolve, 150));',
      }),
      'g/idle.mjs': benchmark(
        '{ n: [1] }',
        `bench.start(); await new Promise((resolve) => new Worker('setTimeout(() => {}, 100)', { eval: true }).once('exit', resolve)); bench.end(1);`,
        { head: `import { Worker } from 'node:worker_threads';` },
      ),
    });
    const { result, runs } = await compareIn(suite, { runs: 6 });
    const kinds = (name: string) => [
      ...new Set(
        runs
          .filter(({ benchmark: file }) => file.endsWith(name))
          .map(({ kind, inTurns }) => `${kind} ${inTurns}`),
      ),
    ];
    expect(kinds('busy.mjs')).toEqual(['look undefined', 'rate true']);
    // The first round of the second configuration is the look at it.
    expect(runs.filter(({ inTurns, activity }) => inTurns && activity?.busy)).toHaveLength(2);
    expect(kinds('prepared.mjs')).toEqual(['look undefined', 'rate true']);
    expect(kinds('idle.mjs')).toEqual(['rate undefined']);
    const ways = result.comparisons.map(({ benchmark: name, comparison }) => [
      ...[name, comparison.inTurns, comparison.old?.n],
    ]);
    expect(ways).toEqual([
      ...Array(2).fill(['g/busy.mjs', true, 6]),
      ['g/idle.mjs', undefined, 6],
      ['g/prepared.mjs', true, 6],
    ]);
  });

  it.each(['node@18', 'node@20', 'node@22', 'bun@1', 'deno@2'])(
    'of %s has clocks that stand still in turns',
    async (old) => {
      // Each process in turns waits for its partner, so that both run for the same time.
      const measured = `const side = (name, at) => new URL('../' + name + at, import.meta.url);
      const { SIDE: own } = process.env, other = own === 'old' ? 'new' : 'old';
      const isInTurns = globalThis[Symbol.for('bench-cli.activity')] === undefined;
      let at = 0;
      while (isInTurns && fs.existsSync(side(own, at))) at++;
      if (isInTurns) fs.writeFileSync(side(own, at), '');
      while (isInTurns && !fs.existsSync(side(other, at)));
      const ms = ([s, ns]) => s * 1e3 + ns / 1e6;
      const clocks = [
        () => Number(process.hrtime.bigint()) / 1e6, () => ms(process.hrtime()), () => ms(hrtime()),
        () => performance.now(), () => required.now(), () => (globalThis.Bun?.nanoseconds() ?? performance.now() * 1e6) / 1e6,
      ];
      const [began, beganAt] = [clocks.map((now) => now()), Date.now()];
      while (performance.now() - began[3] < 100);
      const elapsedMs = Date.now() - beganAt;
      const ratio = Math.min(...clocks.map((now, at) => elapsedMs / (now() - began[at])));
      ${measuredNs(1e7, { metrics: "{ ratio: { value: ratio, better: 'more' } }" })}`;
      const head =
        "import fs from 'node:fs'; import { performance as required } from 'node:perf_hooks'; import { hrtime } from 'node:process';";
      using suite = temporarySuite({ 'g/clocks.mjs': benchmark('{}', measured, { head }) });
      const subjects = { old: `${old},env=SIDE=old`, new: `${old},env=SIDE=new` };
      const { runs } = await compareIn(suite, { ...subjects, runs: 6 });
      const ways = runs.map(({ status, kind, inTurns }) => `${status} ${kind} ${inTurns}`);
      expect(ways.filter((way) => way !== 'ok look undefined')).toEqual(Array(12).fill('ok rate true'));
      const ratios = runs.flatMap((run) =>
        run.status === 'ok' && run.inTurns ? (run.values['ratio'] ?? 0) : [],
      );
      expect(Math.min(...ratios)).toBeGreaterThan(1.2);
    },
  );

  it('measures no HTTP load in turns, because the clock of a load tool goes on', async () => {
    const source = benchmark(
      '{ n: [1] }',
      `const server = http.createServer((_, response) => response.end());
       await new Promise((resolve) => server.listen(0, resolve));
       await bench.http({ port: server.address().port, benchmarker: 'test-double-http' });
       server.close();`,
      { head: `import http from 'node:http';` },
    );
    using suite = temporarySuite({ 'g/a.mjs': source });
    const subjects = { old: {}, new: { env: { A: '1' } } };
    const request = await requestIn(suite, { subjects, runs: {}, allowSame: true });
    for await (const event of runSession(request)) {
      // The sides of HTTP loads never take turns, which needs no explanation.
      if (event.type === 'warning') expect(event.message).not.toContain('turns');
      if (event.type !== 'run') continue;
      expect(event.record).toMatchObject({
        kind: 'rate',
        activity: expect.anything(),
        load: expect.anything(),
      });
      break;
    }
  });
});

it.runIf(turnsCpu(undefined) !== undefined)(
  'a bisection measures each version and the good end in turns',
  async () => {
    const source = benchmark(
      '{ n: [1] }',
      measuredNs(1e8, { factor: '(Number(process.env.VERSION) < 2 ? 2 : 1)' }),
    );
    using suite = temporarySuite({ 'g/busy.mjs': source });
    const ends = { good: { env: { VERSION: '0' } }, bad: { env: { VERSION: '3' } } };
    const request = await requestIn(suite, { subjects: ends, runs: {} });
    const versions = [0, 1, 2, 3].map((version) => `node,env=VERSION=${version}`);
    const events = await Array.fromAsync(runSession({ ...request, command: 'bisect', versions }));
    const ways = new Set(recordsOf(events).map(({ kind, inTurns }) => `${kind} ${inTurns}`));
    expect([...ways].sort()).toEqual(['look undefined', 'rate true']);
    const found = events.find((event) => event.type === 'searched')?.result.found;
    expect(found?.first).toBe(versions[2]);
  },
);
