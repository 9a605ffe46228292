import { readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../../test/support/session-events.ts';
import { benchmark } from '../../../../test/support/suite.ts';
import { httpSuite, onlyRecord, type RunOptions, runSuite, serverBenchmark } from './http-suite.ts';

/** A user's load tool: it makes five requests, and writes the CPUs that it may use to a file. */
const tool = `
import { readFileSync, writeFileSync } from 'node:fs';
const { get } = process.getBuiltinModule('node:http');
const started = performance.now();
let requests = 0;
for (; requests < 5; requests++) await new Promise((resolve) => get(process.argv[2], (answer) => answer.resume().once('end', resolve)));
if (process.platform === 'linux')
  writeFileSync(new URL('cpus', import.meta.url), /^Cpus_allowed_list:\\s*(.*)$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
console.log(JSON.stringify({ requests, durationSeconds: (performance.now() - started) / 1000 }));
`;

const config = (name: string, version = '1.0.0') => `
import { fileURLToPath } from 'node:url';
import { defineBenchmarker } from '@bench-cli/benchmarkers';
const command = [process.execPath, fileURLToPath(new URL('_tool.mjs', import.meta.url))] as const;
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
  '_tool.mjs': tool,
  ...files,
});

async function run(files: Readonly<Record<string, string>>, options: RunOptions = {}) {
  using suite = httpSuite(files);
  const record = onlyRecord(await runSuite(suite, options));
  return { record };
}

describe('a config file', () => {
  const set = ['benchmarker=five'];

  it.each(['bench-cli.config.mts', 'g/bench-cli.config.ts'])('adds a benchmarker: %s', async (name) => {
    const { record } = await run(withTool({ [name]: config('five'), 'g/_tool.mjs': tool }), { set });
    expect(record).toMatchObject({
      status: 'ok',
      load: { benchmarker: 'five', version: '1.0.0', requests: 5 },
    });
  });

  it('can be JavaScript, print, and contain clients, which bench-cli clients reads', async () => {
    const javascript = config('five')
      .replace(' as const', '')
      .replace('{ benchmarkers:', '{ clients: [], benchmarkers:');
    const chatty = `console.log('{"result": "from the config"}');\n${javascript}`;
    const { record } = await run(withTool({ 'bench-cli.config.js': chatty }), { set });
    expect(record).toMatchObject({ status: 'ok', load: { benchmarker: 'five' } });
  });

  it('is the nearest one above the benchmark', async () => {
    const files = withTool({
      'bench-cli.config.ts': config('far'),
      'g/bench-cli.config.ts': config('near'),
      'g/_tool.mjs': tool,
    });
    const { record } = await run(files, { set: ['benchmarker=far'] });
    expect(record).toMatchObject({
      status: 'failed',
      failure: { message: expect.stringMatching(/"far".*: .*near/) },
    });
  });

  it('replaces a built-in benchmarker of the same name, by default and by name', async () => {
    const files = withTool({ 'bench-cli.config.ts': config('wrk', '99.0.0') });
    expect((await run(files)).record).toMatchObject({ load: { benchmarker: 'wrk', version: '99.0.0' } });
    const named = await run(files, { set: ['benchmarker=wrk'] });
    expect(named.record).toMatchObject({ load: { benchmarker: 'wrk', version: '99.0.0' } });
  });

  it('is not read by a benchmark that loads no server', async () => {
    const { record } = await run({
      'g/b.js': benchmark('{ n: 1 }'),
      'bench-cli.config.js': 'not JavaScript',
    });
    expect(record.status).toBe('ok');
  });

  it('that is wrong fails the run with one message', async () => {
    const wrong: Readonly<Record<string, readonly [source: string, named: string]>> = {
      syntax: ['export default {', ': .+'],
      throws: [`throw new Error('not today');`, ': not today$'],
      missing: [`import 'missing-module';`, "'missing-module'"],
      exits: ['process.exit(0);', '\\b0$'],
      nothing: ['export {};', 'default export'],
      number: ['export default 5;', 'default export'],
      key: ['export default { benchmarker: [] };', '"benchmarker".*: benchmarkers, clients, defaults$'],
      text: [`export default { benchmarkers: 'oha' };`, ': benchmarkers .*array'],
      invalid: [
        `export default { benchmarkers: [{ name: 'oha', protocols: ['http'], run() {} }] };`,
        ': benchmarkers\\[0\\] .*defineBenchmarker',
      ],
    };
    const files = Object.entries(wrong).flatMap(([name, [source]]) => [
      [`${name}/b.js`, serverBenchmark()],
      [`${name}/bench-cli.config.ts`, source],
    ]);
    using suite = httpSuite(Object.fromEntries(files));
    const failures = runsOf(await runSuite(suite)).map(({ benchmark: name, ...record }) => [
      name,
      'failure' in record && record.failure,
    ]);
    const expected = Object.entries(wrong).map(([name, [, named]]) => {
      const path = `${realpathSync(suite.directory)}/${name}/bench-cli\\.config\\.ts`;
      // A few lines, with the path and the reason.
      const message = expect.stringMatching(new RegExp(`^(?=[^]*${path})(?:.*\\n){0,4}.*$`));
      const reason = expect.objectContaining({ message, output: '' });
      return [`${name}/b.js`, reason, named];
    });
    for (const [name, reason, named] of expected) {
      const failure = failures.find(([file]) => file === name)?.[1];
      expect(failure).toEqual(reason);
      expect(failure).toMatchObject({ message: expect.stringMatching(String(named)) });
    }
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

  it.runIf(cpus > 1)('sets the CPUs of the load tool, independently of those of the server', async () => {
    expect(await cpusOf(['CPUSET=0', 'LOADCPUSET=1'])).toBe('1');
    expect(await cpusOf(['CPUSET=0'])).toBe('0');
  });

  it('can be given without CPUSET', async () => {
    expect(await cpusOf(['LOADCPUSET=0'])).toBe('0');
  });
});

describe('the warning that server and load tool share CPUs', () => {
  const warningsOf = async (options: RunOptions, ...sources: readonly string[]) => {
    const benchmarks = sources.map((source, at) => [`g/${at}.js`, source] as const);
    using suite = httpSuite(
      withTool({ 'bench-cli.config.ts': config('five'), ...Object.fromEntries(benchmarks) }),
    );
    const events = await runSuite(suite, { ...options, set: ['benchmarker=five', ...(options.set ?? [])] });
    expect(runsOf(events).map(({ status }) => status)).not.toContain('failed');
    return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
  };

  it('is given once per session, with the remedy', async () => {
    const warnings = await warningsOf({}, serverBenchmark({ parameters: '{ n: [1, 2] }' }));
    // On a machine that others load too, there is one about these for some of the runs.
    const [others, shared] = [
      warnings.filter((text) => text.startsWith('other programs')),
      warnings.filter((text) => text.includes('--set CPUSET=0 --set LOADCPUSET=1')),
    ];
    expect(warnings).toHaveLength(others.length + shared.length);
    expect(Math.max(others.length, shared.length)).toBe(1);
  });

  it.runIf(process.platform === 'linux' && cpus > 1).each([
    [['LOADCPUSET=1'], 1],
    [['CPUSET=0-1', 'LOADCPUSET=1'], 1],
    [['CPUSET=0', 'LOADCPUSET=1'], 0],
  ])('is given unless both sets are given and have no CPU in common: %j', async (set, times) => {
    expect(await warningsOf({ set })).toHaveLength(times);
  });

  it('is not given in test mode, or for benchmarks that load no server', async () => {
    expect(await warningsOf({ test: true })).toEqual([]);
    const quiet = { 'g/b.js': benchmark('{ n: [1, 2] }') };
    using suite = httpSuite({ ...withTool({ 'bench-cli.config.ts': config('five') }), ...quiet });
    expect((await runSuite(suite, { set: ['benchmarker=five'] })).map(({ type }) => type)).not.toContain(
      'warning',
    );
  });
});
