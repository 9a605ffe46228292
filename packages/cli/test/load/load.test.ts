import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli, commandIo } from '../../../../test/support/command.ts';
import { usageError } from '../../../../test/support/error-with.ts';
import { listeningPort } from '../../../../test/support/own-port.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { run } from '../../src/main.ts';

const server = createServer((_, response) => response.end('hello'));
let origin: string;

beforeAll(async () => {
  origin = `http://127.0.0.1:${await listeningPort(server)}`;
});
afterAll(() => server.close());

/** A config file with a load tool, which is given `rate`. */
const tool = (
  supported: string,
  run: string,
) => `const figures = { benchmarker: 'mine', version: '1', protocol: 'http' };
  const available = async () => ({ available: true });
  export default { benchmarkers: [{ name: 'mine', protocols: ['http'], supports: ['${supported}'], byNameOnly: true, available,
    run: async ({ arrivalRate: rate }) => { ${run} } }] };`;

describe('bench-cli http load', () => {
  it('shows each load of a search on a terminal, and warns if it contradicts itself', async () => {
    // It keeps the limit only in the first load at 800 requests per second, and below 300.
    using files = temporarySuite({
      'bench-cli.config.mjs': `let high = 0;
       const latency = (p50Ms) => ({ p50Ms, p90Ms: p50Ms, p99Ms: p50Ms, p999Ms: p50Ms, meanMs: p50Ms, maxMs: p50Ms });
       ${tool(
         'arrivalRate',
         `const isKept = rate < 300 || (rate === 800 && high++ === 0) || (rate === 400 && high < 1);
         return { ...figures, rate, requests: rate, durationSeconds: 1, latency: latency(isKept ? 1 : 90) };`,
       )}`,
    });
    const args = ['http', 'load', '--benchmarker', 'mine', '--find-rate', 'p99<50ms', origin];
    const options = { cwd: files.directory, env: { NO_COLOR: '1' } };
    const { io, stdout, stderr } = commandIo(options, { columns: 200 });
    expect(await run(args, io)).toBe(0);
    // The tool does not report bytes.
    expect(stdout()).toMatch(/ answers per second\n/);
    expect(stderr()).toMatch(/warning: .*\b800 .*--duration/);
    expect(stderr()).toContain('load 3: 400 requests per second, kept at 200');
  });

  it('says how many requests were sent over how many connections, and what bench-cli sent beside them', async () => {
    using files = temporarySuite({
      'bench-cli.config.mjs': tool(
        'pipelining',
        `return { ...figures, rate: 100, requests: 200, durationSeconds: 2, bytes: 4000,
           latency: { p50Ms: 1, p90Ms: 2, p99Ms: 3, p999Ms: 4, meanMs: 1, maxMs: 4001.2 },
           beside: { requests: 70, warmUpRequests: 90, areSample: true, slowestMs: 3990, slowestAtSeconds: 3.14 } };`,
      ),
    });
    const args = ['http', 'load', '--benchmarker', 'mine', '--connections', '7', '--pipelining', '3', origin];
    const { stdout } = await benchCli(args, { cwd: files.directory });
    expect(stdout).toContain('100 answers per second, 2.00 kB/s\n');
    expect(stdout).toContain('p99.9 4 ms, max 4000 ms\n            not corrected');
    expect(stdout).toContain('sent by mine 1 over 7 connections, 3 pipelined\n');
    expect(stdout).toMatch(
      /beside .* 90 requests of the warm-up, 70 .* mine .* slowest took 3990 ms, 3\.1 s after the start\n/,
    );
  });

  it('knows the load tools of bench-cli.config.ts', async () => {
    using files = temporarySuite({ 'bench-cli.config.mjs': tool('', "throw new Error('mine was used');") });
    const args = ['http', 'load', '--benchmarker', 'mine', origin];
    expect((await benchCli(args, { cwd: files.directory })).stderr).toContain('mine was used');
  });

  it.each([
    ['OPTION', ['ftp://127.0.0.1/'], ['ftp://127.0.0.1/ ']],
    ['OPTION', ['http://%zz@127.0.0.1/'], ['%25']],
    ['OPTION', ['127.0.0.1:3000'], ['127.0.0.1:3000 ']],
    ['OPTION', ['--header', 'accept', 'http://127.0.0.1/'], ['--header accept ']],
    ['OPTION_CONFLICT', ['--plot', 'a.svg', 'http://127.0.0.1/'], ['--find-rate']],
    ['USAGE', ['--rate', 'fast', 'http://127.0.0.1/'], ['--rate ']],
    ['OPTION', ['--body', '@/no/file', 'http://127.0.0.1/'], ['--body /no/file']],
    ['OPTION', ['--mix', import.meta.filename, 'http://127.0.0.1/'], ['--mix ', 'load.test.ts']],
    [
      'LOAD_UNSUPPORTED',
      ['--rate', '2000', '--benchmarker', 'autocannon', 'http://127.0.0.1/'],
      ['autocannon ', 'arrivalRate', ' oha, open-loop)'],
    ],
    ['OPTION_CONFLICT', ['--protocol', 'http2', 'http://127.0.0.1/'], ['--protocol http2 ', 'https://']],
    ['LOAD_UNSUPPORTED', ['--socket', '/s', '--benchmarker', 'wrk', 'http://a/'], ['wrk ', 'socketPath']],
    ['LOAD_UNKNOWN_BENCHMARKER', ['--benchmarker', 'ab', 'http://127.0.0.1/'], ['"ab"', 'oha']],
  ])('exits with 2 and %s for %j', async (code, args, values) => {
    expect(await benchCli(['http', 'load', ...args])).toEqual(usageError(code, ...values));
  });
});
