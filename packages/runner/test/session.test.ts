import { readFileSync } from 'node:fs';
import {
  createRequest,
  type RequestOptions,
  runSession,
  type SessionEvent,
  type SubjectRequest,
} from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { isRunning, mark } from '../../../test/support/processes.ts';
import { writeQuickRuntime } from '../../../test/support/quick-runtime.ts';
import { runsOf } from '../../../test/support/runs.ts';
import { benchmark, shortOperation, temporarySuite } from '../../../test/support/suite.ts';

interface Run {
  readonly files: Readonly<Record<string, string>>;
  readonly options?: Partial<RequestOptions>;
  readonly subjects?: Readonly<Record<string, SubjectRequest>>;
  readonly signal?: AbortSignal;
}

async function run({ files, options, subjects = { node: {} }, signal }: Run): Promise<SessionEvent[]> {
  using suite = temporarySuite(files);
  const { request } = await createRequest('run', subjects, {
    items: ['all'],
    runs: 1,
    cwd: suite.directory,
    ...options,
  });
  return await Array.fromAsync(runSession(request, { signal }));
}

/** The failure of a benchmark. One before it and one after it must not be affected. */
async function failureOf(source: string, options: Partial<RequestOptions> = {}, file = 'g/bad.js') {
  const healthy = benchmark('{ n: 1 }');
  using runtime = temporarySuite({});
  // Only the bad one requires Node.js.
  writeQuickRuntime(runtime.path('node'), { rate: 'case $benchmark in g/[az].js) rate=1 ;; esac' });
  const events = await run({
    files: { 'g/a.js': healthy, [file]: source, 'g/z.js': healthy },
    options,
    subjects: { node: { runtime: runtime.path('node') } },
  });
  const others = runsOf(events).filter(({ benchmark: name }) => name !== file);
  expect(others.map(({ status }) => status)).toEqual(['ok', 'ok']);
  const bad = runsOf(events).find(({ benchmark: name }) => name === file);
  const unplanned = events.find((event) => event.type === 'failure');
  const failure = bad?.status === 'failed' ? bad.failure : unplanned?.record.failure;
  if (failure === undefined) throw new Error('it did not fail');
  return failure;
}

describe('a session', () => {
  it('runs every configuration in a separate process', async () => {
    const events = await run({
      files: {
        'g/pid.js': benchmark('{ n: [1, 2], type: ["x", "y"] }', 'bench.report(process.pid, 1000n);'),
      },
    });
    const all = runsOf(events);
    expect(all.map(({ configuration }) => configuration)).toEqual([
      { type: 'x', n: 1 },
      { type: 'y', n: 1 },
      { type: 'x', n: 2 },
      { type: 'y', n: 2 },
    ]);
    expect(new Set(all.map((record) => (record.status === 'ok' ? record.values.rate : 0))).size).toBe(4);
    expect(all[0]).toMatchObject({ status: 'ok', time: '0.000001000' });
  });

  it('passes flags in the order of Node core: environment, benchmark, subject', async () => {
    const source = benchmark(
      '{ n: 1 }',
      'bench.report(process.execArgv.join(" ").match(/--stack-size=(\\d+).*--stack-size=(\\d+)/)?.[2], 1n);',
      {
        options: '{ flags: ["--stack-size=901"] }',
      },
    )
      .replace('bench.report(', 'bench.report(Number(')
      .replace(', 1n)', '), 1n)');
    const events = await run({
      files: { 'g/f.js': source },
      subjects: { node: { flags: ['--stack-size=902'] } },
    });
    expect(runsOf(events)[0]).toMatchObject({ status: 'ok', values: { rate: 902 } });
  });

  it.each([
    ['with blanks, quotes and equals signs', '$(touch /tmp/pwned); "a" = \'b\' *'],
    ['that only look like numbers', '127.0.0.1'],
  ])('passes values %s without a shell', async (_which, value) => {
    const source = benchmark(`{ text: ['x'], n: 1 }`, 'bench.report(conf.text.length, 1n);');
    const events = await run({
      files: { 'g/t.js': source },
      options: { set: [`text=${value}`], allowNewValues: true },
    });
    expect(runsOf(events)[0]).toMatchObject({
      status: 'ok',
      values: { rate: value.length },
      configuration: { text: value },
    });
  });

  it('runs setup before the first configuration and teardown after the last, even if some fail', async () => {
    using log = temporarySuite({ log: '' });
    const note = (what: string) => `() => appendFileSync(${JSON.stringify(log.path('log'))}, '${what} ')`;
    const source = benchmark(
      '{ n: [1, 2] }',
      `(${note('main')})(); if (conf.n === 1) throw new Error('x'); bench.report(1, 1n);`,
      {
        head: `import { appendFileSync } from 'node:fs';`,
        options: `{ setup: ${note('setup')}, teardown: ${note('teardown')} }`,
      },
    );
    await run({ files: { 'g/s.js': source } });
    expect(readFileSync(log.path('log'), 'utf8')).toBe('setup main main teardown ');
  });

  it('keeps the process of setup until its runs are done, so that they can use a server that it starts', async () => {
    using log = temporarySuite({ log: '' });
    const source = benchmark(
      '{ n: [1, 2] }',
      `const response = await fetch('http://127.0.0.1:' + process.env.OWN_PORT);
       bench.report(Number(await response.text()) * conf.n, 1n);`,
      {
        head: `import { appendFileSync } from 'node:fs'; import { createServer } from 'node:http';
          const server = createServer((_request, response) => response.end('7'));`,
        options: `{
          async setup() {
            await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
            process.env.OWN_PORT = String(server.address().port);
          },
          teardown() { appendFileSync(${JSON.stringify(log.path('log'))}, String(server.listening)); },
        }`,
      },
    );
    const events = await run({ files: { 'g/server.js': source }, options: { runs: 2 } });
    expect(runsOf(events)).toMatchObject([
      { values: { rate: 7 } },
      { values: { rate: 14 } },
      { values: { rate: 7 } },
      { values: { rate: 14 } },
    ]);
    expect(readFileSync(log.path('log'), 'utf8')).toBe('true');
  });

  it('refuses a text that a benchmark lists in none of its groups', async () => {
    const options = '{ byGroups: true, test: { type: "w" } }';
    const files = {
      'g/a.js': benchmark(
        '{ one: { type: ["x"] }, two: { type: ["y", "x"], n: 1 } }',
        'bench.report(1, 1n);',
        {
          options,
        },
      ),
    };
    const withSet = (set: string[]) => run({ files, options: { set } });
    await expect(withSet(['type=z'])).rejects.toThrow(errorWith('NEW_VALUE', 'x, y, w'));
    await expect(withSet(['type=w', 'n=3'])).resolves.toBeDefined();
  });

  it('warns once per benchmark about a measured part that is too short for the clock', async () => {
    const warningsOf = async (main: string, settings: { test?: boolean } = {}) => {
      const files = { 'g/s.js': benchmark('{ n: [1, 2] }', main) };
      const events = await run({ files, options: { runs: 2, ...settings } });
      return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
    };
    const empty = 'bench.start(); bench.end(1);';
    expect(await warningsOf(empty)).toEqual([
      expect.stringMatching(/^g\/s\.js n=1: .*too short.*--calibrate/),
    ]);
    expect(await warningsOf(empty, { test: true })).toEqual([]);
    expect(await warningsOf('bench.report(1, 1n);')).toEqual([]);
    expect(await warningsOf(shortOperation)).toEqual([]);
  });

  it('compares only configurations that all subjects have, and warns about others', async () => {
    const source = benchmark('{ n: process.env.MORE ? [1, 2] : [1] }');
    const events = await run({
      files: { 'g/m.js': source },
      subjects: { old: { env: { MORE: '1' } }, new: {} },
    });
    const runs = runsOf(events).map(({ subject, configuration }) => `${subject} n=${configuration['n']}`);
    expect(runs.sort()).toEqual(['new n=1', 'old n=1']);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([
      { type: 'warning', message: expect.stringMatching(/^g\/m\.js: .*\b1 configuration\b/) },
    ]);
  });

  it('uses the copy of a benchmark in the directory of a subject', async () => {
    const source = benchmark('{ n: 1 }', 'bench.report(rate, 1n);', {
      head: "import { rate } from '../../code.ts';",
    });
    using old = temporarySuite({ 'benchmarks/g/b.ts': source, 'code.ts': 'export const rate = 111;' });
    using current = temporarySuite({ 'benchmarks/g/b.ts': source, 'code.ts': 'export const rate = 222;' });
    const { request } = await createRequest(
      'compare',
      { old: { cwd: old.directory }, new: {} },
      {
        items: ['g'],
        runs: 1,
        cwd: current.directory,
      },
    );
    const events = await Array.fromAsync(runSession(request));
    const rates = runsOf(events).map(
      (record) => `${record.subject} ${record.status === 'ok' ? record.values.rate : 'failed'}`,
    );
    expect(rates.sort()).toEqual(['new 222', 'old 111']);
  });

  it('runs only the shortest configuration in test mode', async () => {
    const source = benchmark('{ n: [1000, 2000], dur: 5 }', 'bench.report(conf.n, 1n);');
    const events = await run({ files: { 'g/t.js': source }, options: { test: true } });
    expect(runsOf(events)).toMatchObject([{ configuration: { dur: 0.05, n: 1 }, values: { rate: 1 } }]);
  });

  it('leaves no process when its signal aborts', async () => {
    using suite = temporarySuite({
      'g/long.js': benchmark(
        '{ marker_81231: [1, 2] }',
        'await new Promise(() => setTimeout(() => {}, 1e6));',
      ),
    });
    const { request } = await createRequest(
      'run',
      { node: {} },
      { items: ['g'], runs: 1, cwd: suite.directory },
    );
    const stop = new AbortController();
    const seen: string[] = [];
    await expect(async () => {
      for await (const event of runSession(request, { signal: stop.signal })) {
        seen.push(event.type);
        if (event.type === 'start') stop.abort(new Error('enough'));
      }
    }).rejects.toThrow('enough');
    expect(seen.at(-1)).toBe('start');
    expect(isRunning('marker_81231')).toBe(false);
  });
});

describe('a benchmark that misbehaves', () => {
  it('throws: kind, message and place are reported', async () => {
    const failure = await failureOf(
      benchmark('{ n: 1 }', '\n  const x: undefined = undefined;\n  x.y;'),
      {},
      'g/bad.ts',
    );
    expect(failure).toMatchObject({
      kind: 'threw',
      message: "TypeError: Cannot read properties of undefined (reading 'y')",
    });
    expect(failure.place).toMatch(/g\/bad\.ts:5:5$/);
  });

  it('throws later from a callback', async () => {
    const failure = await failureOf(
      benchmark('{ n: 1 }', `setTimeout(() => { throw new RangeError('late'); });`),
    );
    expect(failure).toMatchObject({ kind: 'threw', message: 'RangeError: late' });
    expect(failure.place).toMatch(/g\/bad\.js:3:/);
  });

  it('calls end twice or never', async () => {
    const twice = await failureOf(benchmark('{ n: 1 }', 'bench.start(); bench.end(1); bench.end(1);'));
    expect(twice).toMatchObject({
      kind: 'threw',
      message: expect.stringContaining('end()'),
    });
    const never = await failureOf(benchmark('{ n: 1 }', 'bench.start();'));
    expect(never).toMatchObject({ kind: 'no result', message: expect.stringContaining('bench.end(') });
  });

  it('exits early, with a code or with 0', async () => {
    const three = await failureOf(benchmark('{ n: 1 }', `console.log('goodbye'); process.exit(3);`));
    expect(three).toMatchObject({
      kind: 'exit',
      message: expect.stringContaining('3'),
      output: 'goodbye',
    });
    const zero = await failureOf(benchmark('{ n: 1 }', 'process.exit(0);'));
    expect(zero).toMatchObject({ kind: 'no result' });
  });

  it('fails after its result, which is then ignored', async () => {
    const failure = await failureOf(
      benchmark('{ n: 1 }', `bench.start(); bench.end(1); throw new Error('wrong sum');`),
    );
    expect(failure).toMatchObject({ kind: 'threw', message: 'Error: wrong sum' });
  });

  it('crashes', async () => {
    const failure = await failureOf(
      benchmark('{ n: 1 }', `process.kill(process.pid, 'SIGSEGV'); setTimeout(() => {}, 1e6);`),
    );
    expect(failure).toMatchObject({ kind: 'signal', message: expect.stringContaining('SIGSEGV') });
  });

  it('hangs, busy or idle', async () => {
    const busy = await failureOf(benchmark('{ n: 1 }', 'for (;;);'), { timeoutMs: 1000 });
    expect(busy).toMatchObject({ kind: 'timeout', message: expect.stringContaining('1 s') });
    const idle = await failureOf(
      benchmark('{ n: 1 }', 'await new Promise(() => setTimeout(() => {}, 1e6));'),
      { timeoutMs: 1000 },
    );
    expect(idle.kind).toBe('timeout');
  });

  it('floods its output, which does no harm; the end is kept', async () => {
    const flood = `for (let i = 0; i < 300; i++) process.stdout.write('x'.repeat(65535) + '\\n'); console.log('the end');`;
    const harmless = await run({
      files: { 'g/f.js': benchmark('{ n: 1 }', `${flood} bench.report(1, 1n);`) },
    });
    expect(runsOf(harmless)[0]?.status).toBe('ok');
    const failure = await failureOf(benchmark('{ n: 1 }', `${flood} process.exitCode = 1;`));
    expect(failure.output).toMatch(/^\[\d+ bytes /);
    expect(failure.output).toMatch(/the end$/);
    expect(failure.output.length).toBeLessThan(20_000);
  });

  it('sends garbage on its channel', async () => {
    const write = (text: string) =>
      benchmark('{ n: 1 }', `writeSync(3, ${JSON.stringify(text)}); bench.report(1, 1n);`, {
        head: `import { writeSync } from 'node:fs';`,
      });
    expect(await failureOf(write('\0\xff garbage\n'))).toMatchObject({
      kind: 'bad message',
      message: expect.stringContaining('garbage'),
    });
    expect(
      await failureOf(write('{"type":"report","name":"x","conf":{},"rate":"fast","time":"1"}\n')),
    ).toMatchObject({
      kind: 'bad message',
      message: expect.stringMatching(/report.*"rate"/),
    });
    expect(
      await failureOf(write('{"type":"report","name":"x","conf":{},"rate":1,"time":"1"}\n')),
    ).toMatchObject({ kind: 'no result' });
  });

  it('leaves child processes, in its process group or in a separate session', async () => {
    const leave = (marker: string, options: string) =>
      benchmark('{ n: 1 }', `spawn('sleep', ['${marker}'], ${options}).unref(); bench.report(1, 1n);`, {
        head: `import { spawn } from 'node:child_process';`,
      });
    const child = await failureOf(leave(mark(86401), `{ stdio: 'ignore' }`));
    expect(child).toMatchObject({ kind: 'left processes', message: expect.stringContaining('(sleep)') });
    const daemon = await failureOf(leave(mark(86402), `{ stdio: 'inherit', detached: true }`));
    expect(daemon).toMatchObject({ kind: 'left processes' });
    const hidden = await failureOf(leave(mark(86403), `{ stdio: 'ignore', detached: true }`));
    expect(hidden).toMatchObject({ kind: 'left processes', message: expect.stringContaining('(sleep)') });
    for (const at of [86401, 86402, 86403]) expect(isRunning(`sleep ${mark(at)}`)).toBe(false);
  });

  it('is not a benchmark, or has invalid syntax, whose place is reported', async () => {
    expect(await failureOf('console.log(1);')).toMatchObject({
      kind: 'no result',
      message: expect.stringContaining('createBenchmark'),
    });
    const enumeration = await failureOf('enum Kind { A }\n', {}, 'g/bad.ts');
    expect(enumeration.message).toContain('enum');
    expect(enumeration.place).toMatch(/g\/bad\.ts:1:1$/);
    expect((await failureOf('const x: = 1;', {}, 'g/bad.ts')).place).toMatch(/g\/bad\.ts:1:10$/);
    expect(await failureOf(`import './nowhere.js';`)).toMatchObject({
      kind: 'exit',
      output: expect.stringContaining('nowhere.js'),
    });
  });

  it('has invalid parameters, which are named', async () => {
    expect((await failureOf(benchmark('{ n: [1, "x"] }'))).message).toContain('parameter "n"');
  });

  it('fails in setup, so that none of its configurations runs', async () => {
    const source = benchmark('{ n: [1, 2] }', undefined, {
      options: `{ setup: () => { throw new Error('no disk'); } }`,
    });
    const events = await run({ files: { 'g/s.js': source } });
    expect(runsOf(events)).toEqual([]);
    expect(events.find((event) => event.type === 'failure')).toMatchObject({
      record: { phase: 'setup', failure: { message: 'Error: no disk' } },
    });
  });
});

describe('an invalid session', () => {
  const files = { 'g/b.js': benchmark('{ n: [1, 2] }') };

  const expectRefused = (running: Promise<unknown>, code: string, ...values: readonly string[]) =>
    expect(running).rejects.toThrow(errorWith(code, ...values));

  it('sets an unknown parameter; the known ones are listed', async () => {
    const set = ['m=1'];
    await expectRefused(run({ files, options: { set } }), 'UNKNOWN_PARAMETER', '--set m=1', 'have n');
  });

  it('has an invalid pair or CPU set', async () => {
    await expectRefused(run({ files, options: { set: ['n'] } }), 'OPTION', '--set n ');
    const set = ['CPUSET=0;rm'];
    await expectRefused(run({ files, options: { set } }), 'CPU_SET', '--set CPUSET=0;rm');
  });

  it('has an invalid number of runs', async () => {
    await expectRefused(run({ files, options: { runs: 0 } }), 'OPTION', '--runs 0');
  });

  it('has no configuration to run', async () => {
    const none = {
      'g/b.js': benchmark('{ n: [1, 2] }', undefined, { options: '{ combinationFilter: (c) => c.n > 5 }' }),
    };
    await expectRefused(run({ files: none }), 'NO_CONFIGURATION');
  });

  it('has a runtime that is missing, not executable, or not Node.js', async () => {
    using suite = temporarySuite({ text: 'text' });
    const tried = (runtime: string) => run({ files, subjects: { old: { runtime } } });
    await expectRefused(tried('./nowhere/node'), 'RUNTIME', 'old', './nowhere/node');
    await expectRefused(tried(suite.path('text')), 'RUNTIME', 'old', suite.path('text'));
    await expectRefused(tried('/bin/echo'), 'RUNTIME', 'old', '/bin/echo');
    const flagged = run({ files, subjects: { old: { flags: ['--no-such-flag'] } } });
    await expectRefused(flagged, 'RUNTIME', 'bad option: --no-such-flag');
  });
});

describe.runIf(process.platform === 'linux')('CPUSET', () => {
  it('limits the CPUs of the processes', async () => {
    const source = benchmark('{ n: 1 }', 'bench.report(availableParallelism(), 1n);', {
      head: `import { availableParallelism } from 'node:os';`,
    });
    const events = await run({ files: { 'g/c.js': source }, options: { set: ['CPUSET=0'] } });
    expect(runsOf(events)[0]).toMatchObject({ values: { rate: 1 } });
  });
});
