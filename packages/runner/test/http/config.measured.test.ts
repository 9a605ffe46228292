import { readFileSync, realpathSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { inOrder } from '../../../../test/support/error-with.ts';
import { runsOf, warningsOf } from '../../../../test/support/session-events.ts';
import { benchmark } from '../../../../test/support/suite.ts';
import { httpSuite, runSuite, serverBenchmark } from './http-suite.ts';

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

const config = (name: string, version: string, program = '_tool.mjs') => `
import { fileURLToPath } from 'node:url';
import { defineBenchmarker } from '@bench-cli/benchmarkers';
const command = [process.execPath, fileURLToPath(new URL('${program}', import.meta.url))] as const;
const own = defineBenchmarker({
  name: '${name}',
  protocols: ['http'],
  tool: { locate: async () => ({ available: true, command, version: '${version}' }) },
  argumentsFor: ({ url }) => [url],
  parse: ({ stdout }) => JSON.parse(stdout),
});
export default { benchmarkers: [own] };
`;

type Files = Readonly<Record<string, string>>;
const withTool = (files: Files) => ({ 'g/b.js': serverBenchmark(), '_tool.mjs': tool, ...files });

const set = ['benchmarker=five'];

describe('a config file', () => {
  it('adds a benchmarker, as TypeScript or JavaScript, and is the nearest one above the benchmark', async () => {
    const javascript = config('five', '2.0.0', '../_tool.mjs')
      .replace(' as const', '')
      // These are read by bench-cli clients.
      .replace('{ benchmarkers:', '{ clients: [], benchmarkers:');
    using suite = httpSuite(
      withTool({
        'bench-cli.config.mts': config('five', '1.0.0'),
        'near/bench-cli.config.js': `console.log('{"result": "from the config"}');\n${javascript}`,
        'near/b.js': serverBenchmark(),
        // Those of config files above are not added.
        'without/bench-cli.config.ts': config('near', '1.0.0', '../_tool.mjs'),
        'without/b.js': serverBenchmark(),
      }),
    );
    const loadedBy = (version: string) => ({ load: { benchmarker: 'five', version, requests: 5 } });
    expect(runsOf(await runSuite(suite, { set }))).toMatchObject([
      ...['1.0.0', '2.0.0'].map(loadedBy),
      { failure: { message: expect.stringMatching(/"five".*: .*near/) } },
    ]);
  });

  it('replaces a built-in benchmarker of the same name, by default and by the parameter benchmarker, and no other', async () => {
    using suite = httpSuite(
      withTool({
        'bench-cli.config.ts': config('wrk', '99.0.0'),
        'g/named.js': serverBenchmark({ parameters: `{ benchmarker: ['wrk'], n: 1 }` }),
        'g/other.js': serverBenchmark({ parameters: `{ benchmarker: ['test-double-http'], n: 1 }` }),
      }),
    );
    const loads = runsOf(await runSuite(suite)).map((run) => run.status === 'ok' && run.load);
    const own = { benchmarker: 'wrk', version: '99.0.0' };
    expect(loads).toMatchObject([own, own, { benchmarker: 'test-double-http' }]);
  });

  it('is not read by a benchmark that loads no server, which has no warning about CPUs', async () => {
    using suite = httpSuite({ 'g/b.js': benchmark('{ n: 1 }'), 'bench-cli.config.js': 'not JavaScript' });
    const events = await runSuite(suite, { set });
    expect(runsOf(events).map(({ status }) => status)).toEqual(['ok']);
    expect(warningsOf(events).filter(isOfShared)).toEqual([]);
  });

  // What else is refused is in config-file.test.ts of the results.
  it('that is wrong fails the run with one message', async () => {
    const wrong: Readonly<Record<string, readonly [source: string, ...values: string[]]>> = {
      invalid: [
        "export default { benchmarkers: [{ name: 'oha', protocols: ['http'], run() {} }] };",
        ...['benchmarkers[0] ', 'defineBenchmarker'],
      ],
      throws: ["throw new Error('not today');", 'not today'],
    };
    const files = Object.entries(wrong).flatMap(([name, [source]]) => [
      [`${name}/b.js`, serverBenchmark()],
      [`${name}/bench-cli.config.ts`, source],
    ]);
    using suite = httpSuite(Object.fromEntries(files));
    const runs = runsOf(await runSuite(suite));
    const failures = runs.map((run) => (run.status === 'failed' ? run.failure : undefined));
    expect(failures).toMatchObject(
      Object.entries(wrong).map(([name, [, ...values]]) => {
        const path = `${realpathSync(suite.directory)}/${name}/bench-cli.config.ts`;
        return { message: expect.stringMatching(inOrder([path, ': ', ...values])), output: '' };
      }),
    );
    for (const failure of failures) expect(failure?.message.split('\n').length).toBeLessThan(6);
  });
});

/** On a machine that others load too, there is a warning about these in place of that about shared CPUs. */
const isOfShared = (text: string) => text.includes('--set CPUSET=0 --set LOADCPUSET=1');
const isOfOthers = (text: string) => text.startsWith('other programs');

describe.runIf(process.platform === 'linux' && availableParallelism() > 1)('--set LOADCPUSET', () => {
  // When else there is a warning is in cpu-set.test.ts and run-warning.test.ts.
  it.each([
    [['CPUSET=0'], '0', true],
    [['CPUSET=0', 'LOADCPUSET=1'], '1', false],
  ])(
    '%j sets the CPUs of the load tool to %s, with a warning that server and load tool share CPUs: %j',
    async (given, cpus, isShared) => {
      using suite = httpSuite(withTool({ 'bench-cli.config.ts': config('five', '1.0.0') }));
      const events = await runSuite(suite, { set: [...set, ...given] });
      expect(runsOf(events).map(({ status }) => status)).toEqual(['ok']);
      expect(readFileSync(suite.path('cpus'), 'utf8').trim()).toBe(cpus);
      const warnings = warningsOf(events);
      if (isShared) expect(warnings.filter((text) => isOfShared(text) || isOfOthers(text))).toHaveLength(1);
      else expect(warnings.filter(isOfShared)).toEqual([]);
    },
  );
});
