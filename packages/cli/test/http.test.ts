import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin } from '../../../test/support/command.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { hasTool, skipWithout } from '../../../test/support/tools.ts';
import { typeCommand } from '../../../test/support/typed-command.ts';

skipWithout('wrk', /manyHeaders node|benchmarker=wrk|comparing HTTP servers/);
skipWithout('h2load', /benchmarker=h2load/);

/**
 * The example commands of Node core's document on benchmarks that load HTTP servers, in a directory like a checkout of
 * Node, with `node benchmark/run.js` written `bench-cli run`. The benchmarks are CommonJS as those of Node core are, and
 * get what they need from `../common.js`. The servers answer after a pause, so that the loads do not keep the CPUs busy.
 */
const server = (parameters: string, create: string, options = '') => `'use strict';
const common = require('../common.js');
const bench = common.createBenchmark(main, ${parameters});
async function main(conf) {
  const server = ${create};
  server.listen(common.PORT, () => {
    bench.http({ connections: conf.connections, duration: conf.duration${options} }, () => server.close());
  });
}
`;

/** The example of the document's section "Creating an HTTP benchmark", as it stands there. */
const example = `'use strict';

const common = require('../common.js');

const bench = common.createBenchmark(main, {
  kb: [64, 128, 256, 1024],
  connections: [100, 500],
  duration: 5,
});

function main(conf) {
  const http = require('node:http');
  const len = conf.kb * 1024;
  const chunk = Buffer.alloc(len, 'x');
  const server = http.createServer((req, res) => {
    res.end(chunk);
  });

  server.listen(common.PORT, () => {
    bench.http({
      connections: conf.connections,
    }, () => {
      server.close();
    });
  });
}
`;

const files = {
  'benchmark/package.json': '{ "type": "commonjs" }\n',
  'benchmark/common.js': `module.exports = require('@bench-cli/core');\n`,
  'benchmark/http/simple.js': server(
    `{ len: [4, 1024], connections: 2, duration: 0.3 }`,
    `require('node:http').createServer((request, response) => setTimeout(() => response.end('x'.repeat(conf.len)), 25))`,
  ),
  'benchmark/http/headers.js': `'use strict';
const common = require('../common.js');
const bench = common.createBenchmark(main, {
  fewHeaders: { n: [0, 5], duration: 0.3 },
  manyHeaders: { n: [600], duration: 0.3 },
  hugeHeaders: { n: [700], duration: 0.3 },
}, { byGroups: true });
function main({ n, duration }) {
  const server = require('node:http').createServer((request, response) => {
    for (let i = 0; i < n; i++) response.setHeader('foo' + i, 'some header value ' + i);
    setTimeout(() => response.end('hello'), 25);
  });
  server.listen(common.PORT, () => bench.http({ connections: 2, duration }, () => server.close()));
}
`,
  'benchmark/https/simple.js': server(
    `{ type: ['bytes'], connections: 2, duration: 0.3 }`,
    `require('node:https').createServer(await require('selfsigned').generate(null, { keyType: 'ec', algorithm: 'sha256' })
      .then(({ private: key, cert }) => ({ key, cert })), (request, response) => setTimeout(() => response.end('secret'), 25))`,
    `, scheme: 'https'`,
  ),
  'benchmark/http2/simple.js': server(
    `{ streams: [1, 10], connections: 2, duration: 0.3 }`,
    `require('node:http2').createServer().on('stream', (stream) => { stream.respond({ ':status': 200 }); setTimeout(() => stream.end('two'), 25); })`,
    `, protocol: 'http2', maxConcurrentStreams: conf.streams`,
  ),
  'example/package.json': '{ "type": "commonjs" }\n',
  'example/common.js': `module.exports = require('@bench-cli/core');\n`,
  'example/http/kb.js': example,
  'example/brief/kb.js': example.replace(
    'connections: conf.connections,\n',
    'connections: conf.connections, duration: conf.duration,\n',
  ),
};

let checkout: TemporarySuite;

beforeAll(() => {
  checkout = temporarySuite({
    ...files,
    'bin/bench-cli': `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
    'bin/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
  });
  for (const program of ['bench-cli', 'node']) chmodSync(checkout.path(`bin/${program}`), 0o755);
  mkdirSync(checkout.path('node_modules'), { recursive: true });
  symlinkSync(
    fileURLToPath(new URL('../../../benchmarks/node_modules/selfsigned', import.meta.url)),
    checkout.path('node_modules/selfsigned'),
  );
});

afterAll(() => checkout[Symbol.dispose]());

/** Which of these there are depends on what else runs. */
const shared = /^warning: .*(?:share CPUs.*LOADCPUSET=1|other programs used .*)\n?/gm;

/** Types a command into a shell, in the checkout; gives what it printed, without the warning that is expected. */
async function type(command: string, env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr, exitCode } = await typeCommand(command, {
    cwd: checkout.directory,
    programs: checkout.path('bin'),
    env: { PORT: String(await freePort()), ...env },
  });
  const others = stderr.replaceAll(shared, '');
  expect({ stderr: others, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return { stdout, warned: others !== stderr };
}

/** The lines of an output, with every rate at the end of a line cut to `#` once it was seen to be above 0, and latencies. */
function lines(output: string): string[] {
  return output
    .split('\n')
    .map((line) =>
      line.replace(
        /: ([\d,]+(\.\d+)?)( \(p50 .*\bp99\.9 .* ms\))?$/,
        (_, rate: string, _decimals, latency) =>
          Number(rate.replaceAll(',', '')) > 0 ? `: #${latency === undefined ? '' : ' (latency)'}` : ': 0',
      ),
    );
}

describe('HTTP benchmarks', () => {
  it('bench-cli run --set benchmarker=autocannon http', async () => {
    const { stdout, warned } = await type('bench-cli run --set benchmarker=autocannon http');
    expect(lines(stdout)).toEqual([
      '',
      'http/headers.js',
      'http/headers.js group="fewHeaders" duration=0.3 n=0 benchmarker="autocannon": # (latency)',
      'http/headers.js group="fewHeaders" duration=0.3 n=5 benchmarker="autocannon": # (latency)',
      'http/headers.js group="manyHeaders" duration=0.3 n=600 benchmarker="autocannon": # (latency)',
      'http/headers.js group="hugeHeaders" duration=0.3 n=700 benchmarker="autocannon": # (latency)',
      '',
      'http/simple.js',
      'http/simple.js duration=0.3 connections=2 len=4 benchmarker="autocannon": # (latency)',
      'http/simple.js duration=0.3 connections=2 len=1024 benchmarker="autocannon": # (latency)',
    ]);
    expect(warned).toBe(true);
  });

  it('node benchmark/http/simple.js benchmarker=autocannon', async () => {
    const { stdout } = await type('node benchmark/http/simple.js benchmarker=autocannon');
    expect(lines(stdout)).toEqual([
      'http/simple.js duration=0.3 connections=2 len=4 benchmarker=autocannon: #',
      'http/simple.js duration=0.3 connections=2 len=1024 benchmarker=autocannon: #',
    ]);
  });

  it('NODE_RUN_BENCHMARK_GROUPS=fewHeaders,manyHeaders node http/headers.js', async () => {
    const { stdout } = await type(
      'cd benchmark && NODE_RUN_BENCHMARK_GROUPS=fewHeaders,manyHeaders node http/headers.js',
    );
    expect(lines(stdout)).toEqual([
      'http/headers.js group=fewHeaders duration=0.3 n=0 benchmarker=wrk: #',
      'http/headers.js group=fewHeaders duration=0.3 n=5 benchmarker=wrk: #',
      'http/headers.js group=manyHeaders duration=0.3 n=600 benchmarker=wrk: #',
    ]);
  });
});

describe('HTTPS benchmarks', () => {
  it.each(['autocannon', 'wrk'])('node benchmark/https/simple.js benchmarker=%s', async (tool) => {
    const { stdout } = await type(`node benchmark/https/simple.js benchmarker=${tool}`);
    expect(lines(stdout)).toEqual([
      `https/simple.js duration=0.3 connections=2 type=bytes benchmarker=${tool}: #`,
    ]);
  });
});

describe('HTTP/2 benchmarks', () => {
  it('node benchmark/http2/simple.js benchmarker=h2load', async () => {
    const { stdout } = await type('node benchmark/http2/simple.js benchmarker=h2load');
    expect(lines(stdout)).toEqual([
      'http2/simple.js duration=0.3 connections=2 streams=1 benchmarker=h2load: #',
      'http2/simple.js duration=0.3 connections=2 streams=10 benchmarker=h2load: #',
    ]);
  });
});

describe('all of them', () => {
  it('bench-cli run http https http2 test, with doubles that make one request each', async () => {
    const { stdout, warned } = await type('bench-cli run http https http2 test', {
      NODE_RUN_BENCHMARK_GROUPS: 'fewHeaders',
    });
    expect(lines(stdout).filter((line) => line.endsWith('# (latency)'))).toEqual([
      'http/headers.js group="fewHeaders" duration=0.05 n=0 benchmarker="test-double-http": # (latency)',
      'http/simple.js duration=0.05 connections=1 len=1 benchmarker="test-double-http": # (latency)',
      'https/simple.js duration=0.05 connections=1 type="bytes" benchmarker="test-double-https": # (latency)',
      'http2/simple.js duration=0.05 connections=1 streams=1 benchmarker="test-double-http2": # (latency)',
    ]);
    expect(warned).toBe(false);
  });
});

describe('creating an HTTP benchmark', () => {
  it('the example of the document, in test mode', async () => {
    const { stdout } = await type('bench-cli run example/http/kb.js test');
    expect(lines(stdout).at(-1)).toBe(
      'http/kb.js duration=0.05 connections=1 kb=1 benchmarker="test-double-http": # (latency)',
    );
  });

  it('the example of the document with its duration handed on, under load', async () => {
    const { stdout } = await type(
      'node example/brief/kb.js kb=64 kb=128 connections=10 duration=0.3 benchmarker=autocannon',
    );
    expect(lines(stdout)).toEqual([
      'brief/kb.js duration=0.3 connections=10 kb=64 benchmarker=autocannon: #',
      'brief/kb.js duration=0.3 connections=10 kb=128 benchmarker=autocannon: #',
    ]);
  });
});

describe('comparing HTTP servers', () => {
  beforeAll(async () => {
    if (!hasTool('wrk')) return;
    const subjects = '--old node --new node --allow-same';
    await type(
      `bench-cli compare ${subjects} --runs 2 --set len=4 --out compare.jsonl benchmark/http/simple.js > compare.csv`,
    );
  });

  it('gives a table', async () => {
    const { stdout } = await type('bench-cli compare --resume compare.jsonl --format table');
    expect(stdout).toMatch(/^ +confidence improvement accuracy/m);
    expect(stdout).toMatch(
      /^http\/simple\.js duration=0\.3 connections=2 len=4 benchmarker='wrk' .* -?\d+\.\d\d % +(±\d+\.\d\d% *){3}$/m,
    );
  });

  it('names the benchmarker in each configuration of the CSV, and of the table that is made of it', async () => {
    const [, ...rows] = readFileSync(checkout.path('compare.csv'), 'utf8').trimEnd().split('\n');
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(row).toContain(`"duration=0.3 connections=2 len=4 benchmarker='wrk'"`);
    const { stdout } = await type('bench-cli analyze compare.csv');
    expect(stdout).toMatch(/^http\/simple\.js duration=0\.3 connections=2 len=4 benchmarker='wrk' /m);
  });
});
