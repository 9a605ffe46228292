import { loadServer } from '@bench-cli/benchmarkers';
import { expect, it } from 'vitest';
import { answering, RawServer } from './raw-server.ts';
import { describeTool, oha, wrk } from './tool.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

/** A server that answers nothing for a second, once. */
function stallingOnce(): Promise<RawServer> {
  let firstAtMs: number | undefined;
  return RawServer.start(
    answering((socket) => {
      const nowMs = performance.now();
      firstAtMs ??= nowMs;
      const leftMs = firstAtMs + 1500 - nowMs;
      const isStalled = leftMs > 0 && leftMs <= 1000;
      setTimeout(() => socket.write(ok), isStalled ? leftMs : 0);
    }),
  );
}

await describeTool(oha, 'with an arrival rate', () => {
  const load = { connections: 4, durationSeconds: 3, arrivalRate: 100 };

  it('sends as many requests, and counts latencies from the planned times', async () => {
    await using server = await stallingOnce();
    const { requests, latency } = await oha.run({ port: server.port, ...load });
    expect(requests).toBeLessThanOrEqual(301);
    // A third of the requests is planned in the stall. Only four of them are sent before its end.
    expect(latency.p90Ms).toBeGreaterThan(300);
  });

  it('is the load tool if none is named', async () => {
    await using server = await stallingOnce();
    expect(await loadServer({ port: server.port, ...load })).toMatchObject({ benchmarker: 'oha' });
  });
});

await describeTool(wrk, 'with an arrival rate', () => {
  it('refuses it, and names the tools that support it', async () => {
    const load = { port: 12346, benchmarker: 'wrk', arrivalRate: 100 };
    await expect(loadServer(load)).rejects.toMatchObject({
      code: 'ERR_BENCH_LOAD_UNSUPPORTED',
      message: expect.stringMatching(/^wrk .*arrivalRate .*oha\)/),
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
