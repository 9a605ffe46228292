import { loadServer } from '@bench-cli/benchmarkers';
import { describe, expect, it } from 'vitest';
import { answering, startRawServer } from './raw-server.ts';
import { describeTools, oha, openLoop } from './tool.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** More requests than the checks before a load make. */
const BEFORE_STALL = 30;

/** A server that answers nothing for a second, once, soon after the load has begun. */
function stallingOnce() {
  let requests = 0;
  let endMs = 0;
  return startRawServer(
    answering((socket) => {
      const nowMs = performance.now();
      if (++requests === BEFORE_STALL) endMs = nowMs + 1000;
      setTimeout(() => socket.write(ok), Math.max(0, endMs - nowMs));
    }),
  );
}

const load = { connections: 4, durationSeconds: 3, arrivalRate: 100 };

await describeTools([oha, openLoop], 'with an arrival rate', (benchmarker) => {
  it('sends as many requests, and counts latencies from the planned times', async () => {
    await using server = await stallingOnce();
    const amount = { requests: 300, durationSeconds: undefined };
    const { requests, latency } = await benchmarker.run({ port: server.port, ...load, ...amount });
    expect(requests).toBe(300);
    // A third of the requests is planned in the stall. Only four of them are sent before its end.
    expect(latency.p90Ms).toBeGreaterThan(300);
  });
});

describe.concurrent('open-loop', () => {
  it('has no rate without an arrival rate if the server is silent on connections beside others', async () => {
    let open = 0;
    await using server = await startRawServer((socket) => {
      socket.on('close', () => open--);
      // A pool of five. The requests before and after the load come alone.
      if (open++ < 5) answering(() => void setTimeout(() => socket.write(ok), 5))(socket);
    });
    const load = { port: server.port, connections: 10, durationSeconds: 3, timeoutSeconds: 1 };
    await expect(openLoop.run(load)).rejects.toMatchObject({ code: 'ERR_BENCH_LOAD_FAILURES' });
  });

  it('counts requests that the server never answers with the time that they have waited', async () => {
    let asked = 0;
    await using server = await startRawServer(answering((socket) => asked++ < 150 && socket.write(ok)));
    const { requests, latency } = await openLoop
      .run({ port: server.port, ...load, durationSeconds: 2, maxFailures: 500, timeoutSeconds: 1 })
      .catch((error) => error.failures ?? error);
    expect(requests ?? 150).toBeLessThanOrEqual(150);
    expect(latency?.p90Ms ?? 1000).toBeGreaterThan(500);
  });
});

it.each([
  ['wrk', { method: 'head' }],
  ['autocannon', { method: 'HEAD' }],
  ['h2load', { method: 'HEAD' }],
  ['oha', { method: 'HEAD' }],
  ['wrk', { mix: [{ path: '/' }, { method: 'HEAD' }] }],
])('HEAD is refused with %s, which waits for bodies: %j', async (benchmarker, options) => {
  await expect(loadServer({ port: 12346, benchmarker, ...options })).rejects.toMatchObject({
    code: 'ERR_BENCH_LOAD_UNSUPPORTED',
    message: expect.stringContaining('HEAD (benchmarkers that do: open-loop)'),
  });
});
