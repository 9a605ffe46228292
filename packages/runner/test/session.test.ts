import { readFileSync, symlinkSync } from 'node:fs';
import { createRequest, runSession } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { isRunning, mark } from '../../../test/support/processes.ts';
import { anyRates, scriptedRates } from '../../../test/support/scripted-rates.ts';
import {
  configurationsOf,
  eventsIn,
  failuresOf,
  requestIn,
  runsOf,
  type SessionOptions,
  warningsOf,
} from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { CONTROLLED_LIMIT_MS, passingLimits } from '../../../test/support/time-limit.ts';

async function run(files: Readonly<Record<string, string>>, options?: SessionOptions) {
  using suite = temporarySuite(files);
  return await eventsIn(suite, options);
}

/** The failures in files, by their names, or by the kind of the case. A healthy benchmark between them must not be affected. */
async function failuresIn(sources: Readonly<Record<string, string>>, options: SessionOptions = {}) {
  const files = Object.entries(sources).map(([name, source]) => [`g/${name}`, source]);
  const healthy = { 'g/healthy.js': benchmark('{ n: 1 }') };
  const events = await run({ ...Object.fromEntries(files), ...healthy }, options);
  expect(runsOf(events)).toContainEqual(expect.objectContaining({ benchmark: 'g/healthy.js', status: 'ok' }));
  return Object.fromEntries(
    events.flatMap((event) => {
      if ((event.type !== 'failure' && event.type !== 'run') || !('failure' in event.record)) return [];
      const kind = event.type === 'run' ? event.record.configuration['kind'] : undefined;
      return [[kind ?? event.record.benchmark.slice('g/'.length), event.record.failure]];
    }),
  );
}

describe('a session', () => {
  it('passes flags in the order of Node core: environment, benchmark, subject', async () => {
    const main = `const [, first, last] = /--stack-size=(\\d+).*--stack-size=(\\d+)/.exec(process.execArgv.join(' '));
      bench.report(first * 1000 + Number(last), 1n);`;
    const source = benchmark('{ n: 1 }', main, { options: '{ flags: ["--stack-size=901"] }' });
    const events = await run({ 'g/f.js': source }, { subjects: { node: { flags: ['--stack-size=902'] } } });
    expect(runsOf(events)).toMatchObject([{ status: 'ok', values: { rate: 901_902 } }]);
  });

  it('runs every configuration in a separate process, which gets its values without a shell, also those that only look like numbers', async () => {
    const texts = ['127.0.0.1', '$(touch /tmp/pwned); "a" = \'b\' *'];
    const main = 'bench.report(1000 * process.pid + conf.text.length, 1000n);';
    const source = benchmark(`{ text: ['x'], n: 1 }`, main);
    const set = texts.map((text) => `text=${text}`);
    const events = await run({ 'g/t.js': source }, { set, allowNewValues: true });
    expect(configurationsOf(events)).toEqual(texts.map((text) => ({ text, n: 1 })));
    const runs = runsOf(events).flatMap((record) => (record.status === 'ok' ? record : []));
    expect(runs.map(({ values: { rate } }) => rate % 1000)).toEqual(texts.map(({ length }) => length));
    expect(new Set(runs.map(({ values: { rate } }) => Math.floor(rate / 1000))).size).toBe(2);
    expect(runs[0]).toMatchObject({ time: '0.000001000' });
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
    const events = await run({ 'g/server.js': source });
    expect(runsOf(events)).toMatchObject([7, 14].map((rate) => ({ values: { rate } })));
    expect(readFileSync(log.path('log'), 'utf8')).toBe('true');
  });

  it.runIf(process.platform === 'linux')('fails a file that cannot be read, and runs others', async () => {
    using suite = temporarySuite({ 'g/healthy.js': benchmark('{ n: 1 }') });
    symlinkSync('/proc/self/mem', suite.path('g/broken.js'));
    const events = await eventsIn(suite, { scripted: anyRates() });
    expect(failuresOf(events)).toEqual([expect.stringMatching(/^g\/broken\.js: .*cannot be read/)]);
    expect(runsOf(events)).toMatchObject([{ benchmark: 'g/healthy.js', status: 'ok' }]);
  });

  it('refuses half a character and NUL in a value at planning, by name', async () => {
    const values = { 'g/a.js': "['y', '\\ud800x']", 'g/b.js': "['a\\0b']" };
    const files = Object.entries(values).map(([name, text]) => [name, benchmark(`{ s: ${text} }`)]);
    const events = await run(Object.fromEntries(files));
    expect(runsOf(events)).toEqual([]);
    expect(failuresOf(events)).toEqual([
      expect.stringMatching(/^g\/a\.js: .*"s" .*"\\ud800x"/),
      expect.stringMatching(/^g\/b\.js: .*"s" .*"a\\u0000b"/),
    ]);
  });

  it.each(['n=a\0b', 'n=\ud800'])('refuses --set with a text that no argument can have: %j', async (set) => {
    await expect(run({ 'g/a.js': benchmark('{ n: "a" }') }, { set: [set] })).rejects.toThrow(
      errorWith('OPTION', '--set'),
    );
  });

  it('names all benchmarks that --set does not fit, shows an empty text as two quotes, and says how to leave them out', async () => {
    const files = { 'g/a.js': '["x"]', 'g/b.js': '[""]', 'g/c.js': '["z"]' };
    const sources = Object.entries(files).map(([name, type]) => [name, benchmark(`{ type: ${type} }`)]);
    const refused = run(Object.fromEntries(sources), { set: ['type=z'] });
    const values = [
      'g/a.js',
      'g/b.js has the values "" for',
      'mean ""?',
      '--exclude g/a.js --exclude g/b.js',
    ];
    await expect(refused).rejects.toThrow(errorWith('NEW_VALUE', ...values));
  });

  it('warns once per benchmark if the measured part is too short for the clock', async () => {
    const names = ['g/empty.js', 'g/long.js'];
    const files = Object.fromEntries(names.map((name) => [name, benchmark('{ n: [1, 2] }')]));
    const scripted = scriptedRates((of) => ({
      rate: 1,
      ...(of.benchmark === 'g/empty.js' && { clockStepNs: 30 }),
    }));
    const events = await run(files, { runs: 2, scripted });
    expect(warningsOf(events)).toEqual([
      expect.stringMatching(/^g\/empty\.js n=[12]: .*too short.*more operations/),
    ]);
  });

  it('compares only configurations that all subjects have, and warns about others', async () => {
    const source = benchmark('{ n: process.env.MORE ? [1, 2] : [1] }');
    const subjects = { old: { env: { MORE: '1' } }, new: {} };
    const options = { command: 'run', subjects, scripted: anyRates() } as const;
    const events = await run({ 'g/m.js': source }, options);
    const runs = runsOf(events).map(({ subject, configuration }) => `${subject} n=${configuration['n']}`);
    expect(runs.sort()).toEqual(['new n=1', 'old n=1']);
    expect(warningsOf(events)).toEqual([expect.stringMatching(/^g\/m\.js: .*\b1 case\b/)]);
  });

  it('runs only the shortest configuration in test mode, without a warning', async () => {
    const source = benchmark('{ n: [1000, 2000], dur: 5 }', 'bench.start(); bench.end(1);');
    const events = await run({ 'g/t.js': source }, { test: true });
    expect(runsOf(events)).toMatchObject([{ configuration: { dur: 0.05, n: 1 }, status: 'ok' }]);
    expect(warningsOf(events)).toEqual([]);
  });

  it('leaves no process when its signal aborts', async () => {
    const main = 'await new Promise(() => setTimeout(() => {}, 1e6));';
    using suite = temporarySuite({ 'g/long.js': benchmark('{ marker_81231: [1, 2] }', main) });
    const stop = new AbortController();
    const seen: string[] = [];
    await expect(async () => {
      for await (const event of runSession(await requestIn(suite), { signal: stop.signal })) {
        seen.push(event.type);
        if (event.type === 'start') stop.abort(new Error('enough'));
      }
    }).rejects.toThrow('enough');
    expect(seen.at(-1)).toBe('start');
    expect(isRunning('marker_81231')).toBe(false);
  });
});

describe('a benchmark that misbehaves', () => {
  const flood = `for (let i = 0; i < 300; i++) process.stdout.write('x'.repeat(65535) + '\\n'); console.log('the end');`;
  const sending = (text: string) =>
    `process.getBuiltinModule('fs').writeSync(3, ${JSON.stringify(text)}); bench.report(1, 1n);`;
  const leaving = (marker: string, options: string) =>
    `process.getBuiltinModule('child_process').spawn('sleep', ['${marker}'], ${options}).unref(); bench.report(1, 1n);`;
  const containing = (kind: string, text: string) => ({ kind, message: expect.stringContaining(text) });
  const left = containing('left processes', '(sleep)');
  const at = (place: string) => expect.stringMatching(`/g/${place}$`);
  const reporting = (report: object) =>
    sending(`${JSON.stringify({ type: 'report', name: 'x', conf: {}, rate: 1, time: '1', ...report })}\n`);

  /** What the function of a benchmark does, and the failure. */
  const misbehaving: Readonly<Record<string, readonly [main: string, failure: object]>> = {
    'ends twice': ['bench.start(); bench.end(1); bench.end(1);', containing('threw', 'end()')],
    'never ends': ['bench.start();', containing('no result', 'bench.end(')],
    'exits with a code': [
      `console.log('goodbye'); process.exit(3);`,
      { ...containing('exit', '3'), output: 'goodbye' },
    ],
    exits: ['process.exit(0);', { kind: 'no result' }],
    // Its result is ignored.
    'fails after its result': [
      `bench.start(); bench.end(1); throw new Error('wrong sum');`,
      { kind: 'threw', message: 'Error: wrong sum' },
    ],
    'sends garbage': [sending('\0\xff garbage\n'), containing('bad message', 'garbage')],
    'sends a text': [
      reporting({ rate: 'fast' }),
      { kind: 'bad message', message: expect.stringMatching(/report.*"rate"/) },
    ],
    'reports twice': [reporting({}), { kind: 'no result' }],
    'leaves a child': [leaving(mark(86401), `{ stdio: 'ignore' }`), left],
    'leaves a daemon': [leaving(mark(86402), `{ stdio: 'inherit', detached: true }`), { kind: left.kind }],
    // The end of the output is kept.
    floods: [
      `${flood} process.exitCode = 1;`,
      { output: expect.stringMatching(/^\[\d+ bytes [\s\S]{1,20000}the end$/) },
    ],
  };
  const mains = Object.entries(misbehaving).map(
    ([kind, [main]]) => `'${kind}': async (bench) => { ${main} },\n`,
  );
  const kinds = benchmark('{ kind: Object.keys(mains) }', 'await mains[conf.kind](bench);', {
    head: `const mains = {\n${mains.join('')}};`,
  });

  /** Other files, of which all but the first cannot be planned. */
  const others: Readonly<Record<string, readonly [source: string, failure: object]>> = {
    'throws.ts': [
      benchmark('{ n: 1 }', '\n  const x: undefined = undefined;\n  x.y;'),
      {
        ...containing('threw', "TypeError: Cannot read properties of undefined (reading 'y')"),
        place: at('throws.ts:5:5'),
      },
    ],
    'is-none.js': ["import '@bench-cli/core';", containing('no result', 'createBenchmark')],
    'invalid.ts': ["const x: = 1;\nimport '@bench-cli/core';", { place: at('invalid.ts:1:10') }],
    'imports-missing.js': [
      `import './nowhere.js';`,
      { kind: 'exit', message: expect.stringContaining('nowhere.js') },
    ],
    'parameters.js': [benchmark('{ n: [1, "x"] }'), { message: expect.stringContaining('parameter "n"') }],
  };

  it('fails by itself, with kind, message and place', async () => {
    const sources = Object.entries(others).map(([name, [source]]) => [name, source]);
    const failures = await failuresIn({ ...Object.fromEntries(sources), 'kinds.js': kinds });
    const expected = Object.entries({ ...misbehaving, ...others }).map(([name, [, failure]]) => [
      name,
      expect.objectContaining(failure),
    ]);
    expect(failures).toEqual(Object.fromEntries(expected));
    expect([86401, 86402].filter((each) => isRunning(`sleep ${mark(each)}`))).toEqual([]);
  });

  it('is ended at the time limit, busy or idle', async () => {
    using marks = temporarySuite({});
    const files = ['busy', 'idle'].map((name) => marks.path(name));
    const [busy, idle] = files.map((file) => `writeFileSync(${JSON.stringify(file)}, '');`);
    const head = "import { writeFileSync } from 'node:fs';";
    const sources = {
      'busy.js': benchmark('{ n: 1 }', `${busy} for (;;);`, { head }),
      'idle.js': benchmark('{ n: 1 }', `${idle} await new Promise(() => setTimeout(() => {}, 1e6));`, {
        head,
      }),
    };
    const failure = expect.objectContaining(containing('timeout', '600 s'));
    const limits = { timeoutMs: CONTROLLED_LIMIT_MS };
    const failures = await passingLimits(files, () => failuresIn(sources, limits));
    expect(failures).toEqual({ 'busy.js': failure, 'idle.js': failure });
  });

  it('fails in setup, so that none of its configurations runs', async () => {
    const options = `{ setup: () => { throw new Error('no disk'); } }`;
    const events = await run({ 'g/s.js': benchmark('{ n: 1 }', undefined, { options }) });
    expect(runsOf(events)).toEqual([]);
    expect(failuresOf(events)).toEqual(['g/s.js: Error: no disk']);
    expect(events).toContainEqual(
      expect.objectContaining({ record: expect.objectContaining({ phase: 'setup' }) }),
    );
  });
});

const filtered = benchmark('{ n: [1, 2] }', undefined, {
  options: '{ combinationFilter: (c) => c.n > 5 }',
});

it.each<[what: string, options: SessionOptions, code: string, values: string[], source?: string]>([
  ['has an invalid number of runs', { runs: 0 }, 'OPTION', ['--runs 0']],
  ['has no configuration to run', {}, 'NO_CONFIGURATION', [], filtered],
  ['has an unknown flag', { subjects: { old: { flags: ['--none'] } } }, 'RUNTIME', ['bad option: --none']],
])('an invalid session %s', async (_, options, code, values, source = benchmark('{ n: [1, 2] }')) => {
  await expect(run({ 'g/b.js': source }, options)).rejects.toThrow(errorWith(code, ...values));
});

it('has ten runs of what is ranked, without --runs, and one run of all else, with --test and with --shortest', async () => {
  const tinybench = "import { Bench } from 'tinybench'; await new Bench().add('a', () => {}).run();";
  using suite = temporarySuite({ 'g/own.js': benchmark('{}'), 'g/tasks.mjs': tinybench });
  const runsIn = async (item: string, subjects = { node: {} }, more = {}) => {
    const options = { items: [item], cwd: suite.directory, ...more };
    return (await createRequest('run', subjects, options)).request.runs;
  };
  const [short, two] = [{ shortest: true }, { a: {}, node: {} }];
  expect(await Promise.all(['g/own.js', 'g/tasks.mjs', 'true x'].map((item) => runsIn(item)))).toEqual([
    1, 10, 10,
  ]);
  expect([await runsIn('g/own.js', two), await runsIn('g/own.js', two, short)]).toEqual([10, 1]);
  for (const more of [{ test: true }, short]) expect(await runsIn('g/tasks.mjs', undefined, more)).toBe(1);
});

it.runIf(process.platform === 'linux')('CPUSET limits the CPUs of the processes', async () => {
  const source = benchmark('{ n: 1 }', 'bench.report(availableParallelism(), 1n);', {
    head: `import { availableParallelism } from 'node:os';`,
  });
  const events = await run({ 'g/c.js': source }, { set: ['CPUSET=0'] });
  expect(runsOf(events)[0]).toMatchObject({ values: { rate: 1 } });
});
