import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli, commandIo } from '../../../../test/support/command.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { run } from '../../src/main.ts';

/** Other tests can keep the CPUs busy, of which a load warns. */
const withoutShortage = (stderr: string) => stderr.replaceAll(/^warning: other programs used .*\n/gm, '');

const answers: Readonly<Record<string, RequestListener>> = {
  '/page?a=b': (request, response) => {
    response.statusCode = request.headers['x-test'] === 'yes' ? 200 : 400;
    setTimeout(() => response.end('hello'), 2);
  },
  '/user': ({ headers }, response) => {
    const credentials = `Basic ${Buffer.from('me:a b').toString('base64')}`;
    response.statusCode = headers.authorization === credentials && headers['x-a'] === '1, 2' ? 200 : 401;
    setTimeout(() => response.end(), 2);
  },
  '/slow': (_, response) => void setTimeout(() => response.end('hello'), 20),
  '/post': (request, response) => {
    response.statusCode = request.method === 'PUT' ? 200 : 405;
    request.resume().once('end', () => response.end());
  },
};

const server = createServer((request, response) => {
  const answer = answers[request.url ?? ''];
  if (answer === undefined) response.writeHead(404).end();
  else answer(request, response);
});
let origin: string;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

/** Long enough for a machine that other tests keep busy. */
const quick = ['http', 'load', '--benchmarker', 'autocannon', '--duration', '1s', '--connections', '2'];

describe('bench-cli http load', () => {
  it('shows the rate and the latency of a server', async () => {
    const url = `${origin}/page?a=b`;
    const { stdout, stderr, exitCode } = await benchCli([...quick, '--header', 'x-test: yes', url]);
    expect({ stderr: withoutShortage(stderr), exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.split('\n')).toEqual([
      url,
      expect.stringMatching(/^ {2}rate {6}[\d.,]+ /),
      expect.stringMatching(/^ {2}latency {3}p50 \S+ ms, p90 \S+ ms, p99 \S+ ms, p99\.9 \S+ ms$/),
      expect.stringMatching(
        /^ {2}requests {2}\d+ in \d\.\d s by HTTP\/1\.1, sent by autocannon 9\.\d+\.\d+$/,
      ),
      '',
    ]);
  });

  it('prints all figures as JSON', async () => {
    const options = ['--method', 'PUT', '--body', 'text', '--warmup', '0.1s', '--format', 'json'];
    const { stdout, stderr, exitCode } = await benchCli([...quick, ...options, `${origin}/post`]);
    expect({ stderr: withoutShortage(stderr), exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      benchmarker: 'autocannon',
      protocol: 'http',
      non2xx: 0,
      rate: expect.any(Number),
    });
  });

  it('sends the user of the URL, and all values of a header, and shows no password', async () => {
    const user = `${origin.replace('//', '//me:a%20b@')}/user`;
    const result = await benchCli([...quick, '--header', 'x-a: 1', '--header', 'x-a: 2', user]);
    expect(withoutShortage(result.stderr)).toBe('');
    expect(result.exitCode).toBe(0);
    expect(result.stdout).toContain(`${origin}/user\n`);
  });

  it('sends the requests of files', async () => {
    const requests = [{ path: '/slow' }, { path: '/page?a=b', headers: { 'x-test': 'yes' } }];
    using files = temporarySuite({ 'mix.json': JSON.stringify(requests) });
    const mix = files.path('mix.json');
    const expected = ['--expect-status', '200'];
    const limits = ['--duration', '0.5s', '--format', 'json'];
    const { stdout, stderr } = await benchCli(['http', 'load', '--mix', mix, ...expected, ...limits, origin]);
    expect(withoutShortage(stderr)).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      benchmarker: expect.stringMatching(/^(wrk|autocannon|open-loop)$/),
      non2xx: 0,
    });
  });

  it('warns with the numbers if a rate is not reached', async () => {
    const args = [...quick.with(3, 'open-loop'), '--rate', '20000', `${origin}/slow`];
    const { stderr, exitCode } = await benchCli(args);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^warning: .* of 20\.0k /m);
  });

  it('shows the latencies of a search by rate', async () => {
    using files = temporarySuite({});
    const search = ['--find-rate', 'p50<5s', '--plot', 'curve.svg', `${origin}/slow`];
    const { stdout, exitCode } = await benchCli([...quick.with(3, 'open-loop'), ...search], {
      cwd: files.directory,
    });
    expect(readFileSync(files.path('curve.svg'), 'utf8')).toContain('Latency by rate');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ {2}promise {3}p50<5s, broken from [\d.,]+ /m);
    expect(stdout).toMatch(/^ +100( +[\d.]+){3} +(kept|broken)$/m);
  });

  it('shows each load of a search on a terminal, and warns if it contradicts itself', async () => {
    // It keeps the promise only in the first load at 800 requests per second, and below 300.
    using files = temporarySuite({
      'bench-cli.config.mjs': `let high = 0;
       const latency = (p50Ms) => ({ p50Ms, p90Ms: p50Ms, p99Ms: p50Ms, p999Ms: p50Ms, meanMs: p50Ms, maxMs: p50Ms });
       export default { benchmarkers: [{
         name: 'noisy', protocols: ['http'], supports: ['arrivalRate'], byNameOnly: true, available: async () => ({ available: true }),
         run: async ({ arrivalRate: rate }) => {
           const isKept = rate < 300 || (rate === 800 && high++ === 0) || (rate === 400 && high < 1);
           return { benchmarker: 'noisy', version: '1', protocol: 'http', rate, requests: rate, durationSeconds: 1, latency: latency(isKept ? 1 : 90) };
         },
       }] };`,
    });
    const args = ['http', 'load', '--benchmarker', 'noisy', '--find-rate', 'p99<50ms', origin];
    const { io, stderr } = commandIo({ cwd: files.directory, env: { NO_COLOR: '1' } }, { columns: 200 });
    expect(await run(args, io)).toBe(0);
    expect(stderr()).toMatch(/warning: .*\b800 .*--duration/);
    expect(stderr()).toContain('load 3: 400 requests per second, kept at 200');
  });

  it('knows the load tools of bench-cli.config.ts', async () => {
    using files = temporarySuite({
      'bench-cli.config.mjs': `export default { benchmarkers: [{
         name: 'mine', protocols: ['http'], supports: [], byNameOnly: true, available: async () => ({ available: true }),
         run: async () => { throw new Error('mine was used'); },
       }] };`,
    });
    const args = ['http', 'load', '--benchmarker', 'mine', origin];
    expect((await benchCli(args, { cwd: files.directory })).stderr).toContain('mine was used');
  });

  it('exits with 1 if there is no rate', async () => {
    const { stdout, stderr, exitCode } = await benchCli([...quick, `${origin}/missing`]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(/^failed: autocannon: .*4xx[\s\S]*\[ERR_BENCH_LOAD_FAILURES\]$/m);
  });

  it.each<[args: readonly string[], named: RegExp]>([
    [['ftp://127.0.0.1/'], /ftp:\/\/127\.0\.0\.1\/ .*\[ERR_BENCH_OPTION\]/],
    [['http://%zz@127.0.0.1/'], /%25.*\[ERR_BENCH_OPTION\]/],
    [['127.0.0.1:3000'], /127\.0\.0\.1:3000 .*\[ERR_BENCH_OPTION\]/],
    [['--header', 'accept', 'http://127.0.0.1/'], /--header accept .*\[ERR_BENCH_OPTION\]/],
    [['--plot', 'a.svg', 'http://127.0.0.1/'], /--find-rate.*\[ERR_BENCH_OPTION_CONFLICT\]/],
    [['--rate', 'fast', 'http://127.0.0.1/'], /--rate .*\[ERR_BENCH_USAGE\]/],
    [['--body', '@/no/file', 'http://127.0.0.1/'], /--body \/no\/file.*\[ERR_BENCH_OPTION\]/],
    [['--mix', import.meta.filename, 'http://127.0.0.1/'], /--mix .*load.test.ts.*\[ERR_BENCH_OPTION\]/],
    [
      ['--rate', '2000', '--benchmarker', 'autocannon', 'http://127.0.0.1/'],
      /autocannon .*arrivalRate.* oha, open-loop\).*\[ERR_BENCH_LOAD_UNSUPPORTED\]/,
    ],
    [
      ['--protocol', 'http2', 'http://127.0.0.1/'],
      /--protocol http2 .*https:\/\/.*\[ERR_BENCH_OPTION_CONFLICT\]/,
    ],
    [
      ['--socket', '/s', '--benchmarker', 'wrk', 'http://a/'],
      /wrk .*socketPath.*\[ERR_BENCH_LOAD_UNSUPPORTED\]/,
    ],
    [['--benchmarker', 'ab', 'http://127.0.0.1/'], /"ab".*oha.*\[ERR_BENCH_LOAD_UNKNOWN_BENCHMARKER\]/],
  ])('exits with 2 for %j', async (args, named) => {
    const { stdout, stderr, exitCode } = await benchCli(['http', 'load', ...args]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toMatch(named);
  });
});
