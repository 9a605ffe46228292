import { loadServer } from '@bench-cli/benchmarkers';
import { describe, expect, it } from 'vitest';
import { answering, RawServer } from './raw-server.ts';
import { describeTool, oha, openLoop, wrk } from './tool.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** More requests than the checks before a load make. */
const BEFORE_STALL = 30;

/** A server that answers nothing for a second, once, soon after the load has begun. */
function stallingOnce(): Promise<RawServer> {
  let requests = 0;
  let endMs = 0;
  return RawServer.start(
    answering((socket) => {
      const nowMs = performance.now();
      if (++requests === BEFORE_STALL) endMs = nowMs + 1000;
      setTimeout(() => socket.write(ok), Math.max(0, endMs - nowMs));
    }),
  );
}

const load = { connections: 4, durationSeconds: 3, arrivalRate: 100 };

for (const benchmarker of [oha, openLoop]) {
  await describeTool(benchmarker, 'with an arrival rate', () => {
    it('sends as many requests, and counts latencies from the planned times', async () => {
      await using server = await stallingOnce();
      const { requests, latency } = await benchmarker.run({ port: server.port, ...load });
      expect(requests).toBeGreaterThan(270);
      expect(requests).toBeLessThanOrEqual(301);
      // A third of the requests is planned in the stall. Only four of them are sent before its end.
      expect(latency.p90Ms).toBeGreaterThan(300);
    });
  });
}

describe.concurrent('open-loop', () => {
  it('is the load tool for an arrival rate if oha is not installed', async () => {
    await using server = await stallingOnce();
    const { benchmarker } = await loadServer({ port: server.port, ...load }, { registered: [wrk, openLoop] });
    expect(benchmarker).toBe('open-loop');
  });

  it('counts requests that the server never answers with the time that they have waited', async () => {
    let asked = 0;
    await using server = await RawServer.start(answering((socket) => asked++ < 150 && socket.write(ok)));
    const { requests, latency } = await openLoop
      .run({ port: server.port, ...load, durationSeconds: 2, maxFailures: 500, timeoutSeconds: 1 })
      .catch((error) => error.failures ?? error);
    expect(requests ?? 150).toBeLessThanOrEqual(150);
    expect(latency?.p90Ms ?? 1000).toBeGreaterThan(500);
  });

  it('finds the highest rate within a promise', async () => {
    const serviceMs = 10;
    let freeAtMs = 0;
    await using server = await RawServer.start(
      answering((socket) => {
        freeAtMs = Math.max(performance.now(), freeAtMs) + serviceMs;
        setTimeout(() => socket.write(ok), freeAtMs - performance.now());
      }),
    );
    const { rate, points } = await loadServer({
      port: server.port,
      findRate: 'p50<100ms',
      durationSeconds: 0.5,
    });
    // How exact it is depends on what else the machine does.
    expect(rate).toBeGreaterThan(20);
    expect(rate).toBeLessThan(180);
    expect(points?.some(({ isKept }) => !isKept)).toBe(true);
  });
});

await describeTool(wrk, 'with an arrival rate', () => {
  it('refuses it, and names the tools that support it', async () => {
    const load = { port: 12346, benchmarker: 'wrk', arrivalRate: 100 };
    await expect(loadServer(load)).rejects.toMatchObject({
      code: 'ERR_BENCH_LOAD_UNSUPPORTED',
      message: expect.stringMatching(/^wrk .*arrivalRate .*oha, open-loop\)/),
    });
  });
});

it('without a tool that supports it, an arrival rate fails with the command that installs one', async () => {
  const missing = {
    ...oha,
    available: async () => ({ available: false, reason: 'missing', message: 'get oha' }) as const,
  };
  const load = loadServer({ port: 12346, arrivalRate: 100 }, { registered: [wrk, missing] });
  await expect(load).rejects.toMatchObject({
    code: 'ERR_BENCH_LOAD_UNAVAILABLE',
    message: expect.stringContaining('get oha'),
  });
});
