import { mkdirSync, symlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { ownPort } from '../../../test/support/own-port.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

/**
 * The benchmarks of Node core's document on benchmarks that load HTTP servers, in a directory like a checkout of Node. They are CommonJS as
 * those of Node core are, and get what they need from `../common.js`. The servers answer after a pause, so that the loads do not keep the
 * CPUs busy.
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
    `{ len: [4, 1024], connections: 2, duration: 1 }`,
    `require('node:http').createServer((request, response) => setTimeout(() => response.end('x'.repeat(conf.len)), 25))`,
  ),
  'benchmark/http/headers.js': `'use strict';
const common = require('../common.js');
const bench = common.createBenchmark(main, {
  fewHeaders: { n: [5], duration: 1 },
  hugeHeaders: { n: [700], duration: 1 },
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
    `{ type: ['bytes'], connections: 2, duration: 1 }`,
    `require('node:https').createServer(await require('selfsigned').generate(null, { keyType: 'ec', algorithm: 'sha256' })
      .then(({ private: key, cert }) => ({ key, cert })), (request, response) => setTimeout(() => response.end('secret'), 25))`,
    `, scheme: 'https'`,
  ),
  'benchmark/http2/simple.js': server(
    `{ streams: 10, connections: 2, duration: 1 }`,
    `require('node:http2').createServer().on('stream', (stream) => { stream.respond({ ':status': 200 }); setTimeout(() => stream.end('two'), 25); })`,
    `, protocol: 'http2', maxConcurrentStreams: conf.streams`,
  ),
  'example/package.json': '{ "type": "commonjs" }\n',
  'example/common.js': `module.exports = require('@bench-cli/core');\n`,
  'example/http/kb.js': example,
};

let checkout: TemporarySuite;

beforeAll(() => {
  checkout = temporarySuite(files);
  mkdirSync(checkout.path('node_modules'), { recursive: true });
  symlinkSync(
    fileURLToPath(new URL('../../../benchmarks/node_modules/selfsigned', import.meta.url)),
    checkout.path('node_modules/selfsigned'),
  );
});

afterAll(() => checkout[Symbol.dispose]());

/** The files and load tools in the output of a command that have a rate above 0 and latencies. */
async function measured(command: string, groups: string) {
  const { stdout, stderr, exitCode } = await benchCli(command.split(' '), {
    cwd: checkout.directory,
    env: { PORT: String(await ownPort()), NODE_RUN_BENCHMARK_GROUPS: groups },
  });
  expect(exitCode, stderr).toBe(0);
  const rate = / .*benchmarker="(.*?)": [\d,.]*[1-9][\d,.]* \(p50 .*\bp99\.9 .* ms\)$/;
  const lines = stdout.split('\n').filter((line) => line.includes(': '));
  return lines.map((line) => line.replace(rate, ' $1'));
}

it('run http, with autocannon', async () => {
  expect(
    await measured('run --format simple --set benchmarker=autocannon --set len=4 http', 'hugeHeaders'),
  ).toEqual(['http/headers.js autocannon', 'http/simple.js autocannon']);
});

it('run http https http2 test, and the example of the document, with doubles that make one request each', async () => {
  expect(
    await measured('run --format simple http https http2 example/http/kb.js test', 'fewHeaders'),
  ).toEqual([
    'http/headers.js test-double-http',
    'http/simple.js test-double-http',
    'https/simple.js test-double-https',
    'http2/simple.js test-double-http2',
    'http/kb.js test-double-http',
  ]);
});
