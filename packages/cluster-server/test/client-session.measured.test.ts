import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientRequest, clientSession } from '@bench-cli/cluster-server';
import { createRequest, runSession } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { runsOf } from '../../../test/support/session-events.ts';
import { temporarySuite } from '../../../test/support/suite.ts';
import { skipWithout } from '../../../test/support/tools.ts';
import { untilEnd } from '../../../test/support/until-end.ts';
import { directory, fixture } from './clients-of-tests.ts';

const { directory: project } = untilEnd(temporarySuite({}));

const small = { WORKERS: '1', TIMEOUT: '10', PARALLEL: '4', CONNECTIONS: '2' };

/** Executes a session and returns its runs, by client. */
async function runsByClient(request: Partial<ClientRequest> & { readonly set?: readonly string[] }) {
  const { subjects, file, suite, runs } = await clientSession({
    directory,
    ...request,
    environment: { ...small, ...request.environment },
  });
  const { request: session } = await createRequest(subjects.length > 1 ? 'compare' : 'run', subjects, {
    items: [file],
    suite,
    runs,
    set: request.set,
    cwd: request.directory ?? directory,
  });
  const events = await Array.fromAsync(runSession(session));
  expect(events.filter(({ type }) => type === 'failure')).toEqual([]);
  return Map.groupBy(runsOf(events), ({ subject }) => subject);
}

describe.concurrent('a session of clients', () => {
  // lying-clients.test.ts has all lies.
  it('refuses clients that lie about their answers, with a code', async () => {
    const refused = {
      'invented answer': /body/,
      'one request for two answers': /16 answers.* 8 requests/,
      'ends its process': /thread .*ended/,
    };
    const runs = await runsByClient({
      config: fixture('lying-clients.ts'),
      clients: [...Object.keys(refused), 'fetch'],
      environment: { PARALLEL: '8' },
    });
    const failures = [...runs].flatMap(([name, [run]]) =>
      run?.status === 'failed' ? [[name, run.failure.message]] : [],
    );
    expect(Object.fromEntries(failures)).toEqual(
      Object.fromEntries(
        Object.entries(refused).map(([name, why]) => [
          name,
          expect.stringMatching(new RegExp(`${why.source}.*\\[ERR_BENCH_CLIENT_ANSWER\\]`)),
        ]),
      ),
    );
    expect(runs.get('fetch')).toMatchObject([
      {
        status: 'ok',
        latency: { samples: 1, p99Ns: expect.any(Number) },
        warmUp: { elapsedMs: expect.any(Number) },
        configuration: { parallel: 8, connections: 2, pipelining: 10, method: 'GET', protocol: 'http' },
      },
    ]);
  });

  it.each([
    ['auto', (samples: number) => samples >= 20, 800],
    // cronometro would end before the last of them: it ends at whole twentieths, if the threshold lets it.
    ['320', (samples: number) => samples === 40, 100],
  ] as const)('takes all samples after the warm-up with SAMPLES=%s', async (samples, isRight, warmUpMs) => {
    const { subjects, file, suite } = await clientSession({
      clients: ['http - keepalive'],
      environment: { ...small, TIMEOUT: '10', SAMPLES: samples, ERROR_THRESHOLD: '100' },
    });
    const { request } = await createRequest('run', subjects, { items: [file], suite, runs: 1 });
    const events = await Array.fromAsync(runSession(request));
    const run = runsOf(events)[0];
    if (run?.status !== 'ok') throw new Error(JSON.stringify(run));
    expect(run.latency?.samples).toSatisfy(isRight);
    expect(run.warmUp?.elapsedMs).toBeGreaterThanOrEqual(warmUpMs);
  });

  it('has clients as a parameter, if the benchmark runs by itself', async () => {
    const { file, suite } = await clientSession({});
    const { request } = await createRequest(
      'run',
      { node: { env: small } },
      {
        items: [file],
        suite,
        runs: 1,
        set: ['client=fetch', 'method=POST', 'pipelining=3'],
      },
    );
    const events = await Array.fromAsync(runSession(request));
    expect(runsOf(events)).toMatchObject([
      { status: 'ok', configuration: { client: 'fetch', method: 'POST', pipelining: 3 } },
    ]);
  });

  it("measures the libraries of the user's project", async () => {
    const library = join(project, 'node_modules/superagent');
    mkdirSync(library, { recursive: true });
    writeFileSync(join(library, 'package.json'), '{"name":"superagent","main":"main.js"}');
    writeFileSync(join(library, 'main.js'), 'module.exports = () => { throw new Error("of the project"); };');
    const runs = await runsByClient({ clients: ['superagent'], directory: project });
    expect(runs.get('superagent')).toMatchObject([
      { failure: { message: expect.stringContaining('of the project') } },
    ]);
  });

  describe('with podium', () => {
    skipWithout("podium's HTTP client");

    it('measures its client', async () => {
      const runs = await runsByClient({
        clients: ['podium-http-client - request'],
        directory: process.env['PODIUM_PROJECT'] ?? '',
      });
      expect(runs.get('podium-http-client - request')).toMatchObject([{ status: 'ok' }]);
    });
  });
});
