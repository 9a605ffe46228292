import { readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { placeOrder } from '@bench-cli/core';
import { describe, expect, it } from 'vitest';
import { benchmark } from '../../../../test/support/suite.ts';
import {
  httpSuite,
  onlyRecord,
  type RunOptions,
  recordsOf,
  runSuite,
  serverBenchmark,
} from './http-suite.ts';

/** A tool of the user's own: makes some requests, and notes the CPUs that it may use. */
const tool = `
import { readFileSync, writeFileSync } from 'node:fs';
const started = performance.now();
let requests = 0;
for (; requests < 5; requests++) await (await fetch(process.argv[2])).text();
if (process.platform === 'linux')
  writeFileSync(new URL('cpus', import.meta.url), /^Cpus_allowed_list:\\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
console.log(JSON.stringify({ requests, durationSeconds: (performance.now() - started) / 1000 }));
`;

const config = (name: string, version = '1.0.0') => `
import { fileURLToPath } from 'node:url';
import { defineBenchmarker } from '@bench-cli/benchmarkers';
const command = [process.execPath, fileURLToPath(new URL('tool.mjs', import.meta.url))] as const;
const own = defineBenchmarker({
  name: '${name}',
  protocols: ['http'],
  tool: { locate: async () => ({ available: true, command, version: '${version}' }) },
  argumentsFor: ({ url }) => [url],
  parse: ({ stdout }) => JSON.parse(stdout),
});
export default { benchmarkers: [own] };
`;

const withTool = (files: Readonly<Record<string, string>>) => ({
  'g/b.js': serverBenchmark(),
  'tool.mjs': tool,
  ...files,
});

async function run(files: Readonly<Record<string, string>>, options: RunOptions = {}) {
  using suite = httpSuite(files);
  const record = onlyRecord(await runSuite(suite, options));
  return { record, directory: realpathSync(suite.directory) };
}

describe('a config file', () => {
  const set = ['benchmarker=five'];

  it.each(['bench-cli.config.ts', 'bench-cli.config.mts', 'g/bench-cli.config.ts'])(
    'adds a benchmarker of the user: %s',
    async (name) => {
      const files = withTool({ [name]: config('five'), 'g/tool.mjs': tool });
      const { record } = await run(files, { set });
      expect(record).toMatchObject({
        status: 'ok',
        load: { benchmarker: 'five', version: '1.0.0', requests: 5 },
      });
    },
  );

  it('may be JavaScript', async () => {
    const javascript = config('five').replace(' as const', '');
    const { record } = await run(withTool({ 'bench-cli.config.js': javascript }), { set });
    expect(record).toMatchObject({ status: 'ok', load: { benchmarker: 'five' } });
  });

  it('is the nearest one, upwards from the benchmark', async () => {
    const files = withTool({
      'bench-cli.config.ts': config('far'),
      'g/bench-cli.config.ts': config('near'),
      'g/tool.mjs': tool,
    });
    const { record } = await run(files, { set: ['benchmarker=far'] });
    expect(record).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringMatching(/no benchmarker far; there are .*near/) },
    });
  });

  it('does not take the choice from the built-in ones', async () => {
    const { record } = await run(withTool({ 'bench-cli.config.ts': config('five') }));
    expect(record).toMatchObject({ status: 'ok', load: { benchmarker: 'wrk' } });
  });

  it('puts a benchmarker in the place of a built-in one of the same name, also where none is named', async () => {
    const files = withTool({ 'bench-cli.config.ts': config('wrk', '99.0.0') });
    expect((await run(files)).record).toMatchObject({ load: { benchmarker: 'wrk', version: '99.0.0' } });
    const named = await run(files, { set: ['benchmarker=wrk'] });
    expect(named.record).toMatchObject({ load: { benchmarker: 'wrk', version: '99.0.0' } });
  });

  it('may print', async () => {
    const chatty = `console.log('{"result": "from the config"}');\n${config('five')}`;
    const { record } = await run(withTool({ 'bench-cli.config.ts': chatty }), { set });
    expect(record).toMatchObject({ status: 'ok', load: { benchmarker: 'five' } });
  });

  it('may hold clients, which bench-cli clients reads', async () => {
    const both = config('five').replace('{ benchmarkers:', '{ clients: [], benchmarkers:');
    const { record } = await run(withTool({ 'bench-cli.config.ts': both }), { set });
    expect(record).toMatchObject({ status: 'ok', load: { benchmarker: 'five' } });
  });

  it('is not read by a benchmark that loads nothing', async () => {
    const { record } = await run({
      'g/b.js': benchmark('{ n: 1 }'),
      'bench-cli.config.js': 'this is no JavaScript',
    });
    expect(record.status).toBe('ok');
  });

  it.each([
    ['has a syntax error', 'export default {', /cannot be loaded: .+/],
    ['throws', `throw new Error('not today');`, /cannot be loaded: not today$/],
    ['imports what is not there', `import 'nowhere-to-be-found';`, /cannot be loaded: .*nowhere-to-be-found/],
    [
      'ends the process',
      'process.exit(0);',
      /^the process that was loading .*bench-cli\.config\.ts exited with code 0$/,
    ],
    ['exports nothing', 'export {};', /the default export: .*expected object/],
    ['exports no object', 'export default 5;', /the default export: .*expected object/],
    ['has an unknown key', 'export default { benchmarker: [] };', /the default export: .*"benchmarker"/],
    ['has no list', `export default { benchmarkers: 'oha' };`, /benchmarkers: .*expected array/],
    [
      'has something else than a benchmarker',
      `export default { benchmarkers: [{ name: 'oha', protocols: ['http'], run() {} }] };`,
      /benchmarkers\.0: is no benchmarker; make it with defineBenchmarker/,
    ],
  ])('that %s fails the run with one message', async (_title, source, message) => {
    const { record, directory } = await run({ 'g/b.js': serverBenchmark(), 'bench-cli.config.ts': source });
    if (record.status === 'ok') throw new Error('it gave a rate');
    expect(record.failure.message).toMatch(message);
    expect(record.failure.message.split('\n').length).toBeLessThan(6);
    expect(record.failure.output).toBe('');
    expect(record.failure.message).toContain(`${directory}/bench-cli.config.ts`);
  });

  it.each([
    ['waits for what never comes', 'await new Promise(() => {});'],
    ['never ends', 'for (;;);'],
  ])('that %s is given up, and named', async (_title, source) => {
    using suite = httpSuite({ 'bench-cli.config.mjs': source });
    const path = fileURLToPath(new URL('../../dist/load-process.js', import.meta.url));
    const order = { load: { port: 1 }, script: suite.path('b.js') };
    expect(await placeOrder(order, { path, configLimitMs: 100 })).toEqual({
      error: `${suite.path('bench-cli.config.mjs')} did not load within 0.1 s: it waits for ever, or loops for ever`,
    });
  });
});

const cpus = availableParallelism();

describe.runIf(process.platform === 'linux')('--set LOADCPUSET', () => {
  const cpusOf = async (set: readonly string[]) => {
    using suite = httpSuite(withTool({ 'bench-cli.config.ts': config('five') }));
    const record = onlyRecord(await runSuite(suite, { set: ['benchmarker=five', ...set] }));
    if (record.status === 'failed') throw new Error(record.failure.message);
    return readFileSync(suite.path('cpus'), 'utf8').trim();
  };

  it.runIf(cpus > 1)('keeps the tool to its CPUs, apart from those of the server', async () => {
    expect(await cpusOf(['CPUSET=0', 'LOADCPUSET=1'])).toBe('1');
    expect(await cpusOf(['CPUSET=0'])).toBe('0');
  });

  it('is no variable of the benchmark', async () => {
    expect(await cpusOf(['LOADCPUSET=0'])).toBe('0');
  });
});

describe('the warning that server and load tool share CPUs', () => {
  const warningsOf = async (
    options: RunOptions,
    source = serverBenchmark({ parameters: '{ n: [1, 2] }' }),
  ) => {
    using suite = httpSuite(
      withTool({ 'bench-cli.config.ts': config('five'), 'g/a.js': source, 'g/b.js': source }),
    );
    const events = await runSuite(suite, { ...options, set: ['benchmarker=five', ...(options.set ?? [])] });
    expect(recordsOf(events).map(({ status }) => status)).not.toContain('failed');
    return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  };

  it('comes once in a session, with the remedy', async () => {
    const warnings = await warningsOf({ runs: 2 });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('--set CPUSET=0 --set LOADCPUSET=1');
  });

  it.runIf(process.platform === 'linux' && cpus > 1).each([
    [['CPUSET=0'], 1],
    [['LOADCPUSET=1'], 1],
    [['CPUSET=0', 'LOADCPUSET=0'], 1],
    [['CPUSET=0-1', 'LOADCPUSET=1'], 1],
    [['CPUSET=0', 'LOADCPUSET=1'], 0],
  ])('comes unless there are two sets that have no CPU in common: %j', async (set, times) => {
    expect(await warningsOf({ set }, serverBenchmark())).toHaveLength(times);
  });

  it('does not come in test mode, nor for benchmarks that load nothing', async () => {
    expect(await warningsOf({ test: true })).toEqual([]);
    expect(await warningsOf({}, benchmark('{ n: [1, 2] }'))).toEqual([]);
  });
});
