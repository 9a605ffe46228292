import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../../test/support/command.ts';
import { listeningPort } from '../../../../test/support/own-port.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';

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
  origin = `http://127.0.0.1:${await listeningPort(server)}`;
});
afterAll(() => server.close());

/** Long enough for a machine that other tests keep busy. */
const quick = ['http', 'load', '--benchmarker', 'autocannon', '--duration', '1s', '--connections', '2'];

/** What is printed of a load that must succeed without other warnings than of what else the machine does, and of the server in this process. */
async function loaded(...args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode } = await benchCli(args);
  const shortage = /^warning: (?:other programs used|the server and autocannon share CPUs) .*\n/gm;
  expect({ stderr: stderr.replaceAll(shortage, ''), exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout;
}

describe('bench-cli http load', () => {
  it('shows the rate and the latency of a server', async () => {
    const url = `${origin}/page?a=b`;
    const stdout = await loaded(...quick, '--header', 'x-test: yes', url);
    expect(stdout.split('\n')).toEqual([
      url,
      expect.stringMatching(/^ {2}rate {6}[\d.,]+ /),
      expect.stringMatching(/^ {2}latency {3}p50 \S+ ms, p90 \S+ ms, p99 \S+ ms, p99\.9 \S+ ms, max \S+ ms$/),
      expect.stringContaining('not corrected for coordinated omission'),
      expect.stringMatching(
        /^ {2}requests {2}\d+ in \d\.\d s by HTTP\/1\.1, sent by autocannon 9\.\d+\.\d+ over 2 connections$/,
      ),
      expect.stringMatching(
        /^ {2}beside {4}\d+ requests of bench-cli itself; the slowest took \S+ ms, \S+ s after the start$/,
      ),
      '',
    ]);
  });

  it('prints all figures as JSON', async () => {
    const options = ['--method', 'PUT', '--body', 'text', '--warmup', '0.1s', '--format', 'json'];
    expect(JSON.parse(await loaded(...quick, ...options, `${origin}/post`))).toMatchObject({
      benchmarker: 'autocannon',
      protocol: 'http',
      non2xx: 0,
      rate: expect.any(Number),
    });
  });

  it('sends the user of the URL, and all values of a header, and shows no password', async () => {
    const user = `${origin.replace('//', '//me:a%20b@')}/user`;
    const stdout = await loaded(...quick, '--header', 'x-a: 1', '--header', 'x-a: 2', user);
    expect(stdout).toContain(`${origin}/user\n`);
  });

  it('sends the requests of files', async () => {
    const requests = [{ path: '/slow' }, { path: '/page?a=b', headers: { 'x-test': 'yes' } }];
    using files = temporarySuite({ 'mix.json': JSON.stringify(requests) });
    const mix = files.path('mix.json');
    const expected = ['--expect-status', '200'];
    const limits = ['--duration', '1s', '--format', 'json'];
    const stdout = await loaded('http', 'load', '--mix', mix, ...expected, ...limits, origin);
    expect(JSON.parse(stdout)).toMatchObject({
      benchmarker: expect.stringMatching(/^(wrk|autocannon|open-loop)$/),
      non2xx: 0,
    });
  });

  it('warns with the numbers if a rate is not reached', async () => {
    const args = [...quick.with(3, 'open-loop'), '--rate', '20000', `${origin}/slow`];
    const { stderr, exitCode } = await benchCli(args);
    expect(exitCode, stderr).toBe(0);
    expect(stderr).toMatch(/^warning: .* of 20\.0 k /m);
  });

  it('shows the latencies of a search by rate', async () => {
    using files = temporarySuite({});
    const search = ['--find-rate', 'p50<5s', '--plot', 'curve.svg', `${origin}/slow`];
    const { stdout, stderr, exitCode } = await benchCli([...quick.with(3, 'open-loop'), ...search], {
      cwd: files.directory,
    });
    expect(exitCode, stderr).toBe(0);
    expect(readFileSync(files.path('curve.svg'), 'utf8')).toContain('Latency by rate');
    expect(stdout).toMatch(/^ {2}limit {5}p50<5s, broken from [\d.,]+ /m);
    expect(stdout).toMatch(/^ +100( +[\d.]+){3} +(kept|broken)( .*)?$/m);
  });

  it('exits with 1 if there is no rate', async () => {
    const { stdout, stderr, exitCode } = await benchCli([...quick, `${origin}/missing`]);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 1 });
    expect(stderr).toMatch(/^failed: autocannon: .*\b404 Not Found\b.*\[ERR_BENCH_LOAD_FAILURES\]$/m);
  });
});
