import { once } from 'node:events';
import { connect } from 'node:net';
import type { LoadUsage } from '@bench-cli/core';
import { serversOn } from '@bench-cli/system';
import { describe, expect, it } from 'vitest';
import { saturation, shortageOf } from '../src/cpu-usage.ts';
import { figuresOf, withoutLate } from '../src/load-result.ts';
import { loadResult } from './load-result.ts';
import { startRawServer } from './raw-server.ts';

/** A tool that is busy all the time, on its own CPU, beside a server that is not. */
const saturated: LoadUsage = {
  seconds: 2,
  tool: { cpuSeconds: 1.98, busiestThread: 0.99 },
  server: { cpuSeconds: 1.4, busiestThread: 0.66 },
  toolCpus: 1,
  sharesCpus: false,
  idleSeconds: 0.6,
  othersSeconds: 0,
};

describe('the shortage of a load', () => {
  const idleTool = { cpuSeconds: 0.2, busiestThread: 0.1 };
  it.each<[what: string, usage: Partial<LoadUsage>, text: RegExp | undefined]>([
    [
      'other programs',
      { idleSeconds: 0.1, othersSeconds: 3.5, tool: idleTool },
      /^other programs used 1\.8 of 3 CPUs \(wrk used 0\.1 CPUs, the server 0\.7\)/,
    ],
    ['others beside a far server', { server: null, idleSeconds: 0.1, othersSeconds: 3.5 }, /^other programs/],
    ['the tool alone', { server: null, idleSeconds: 3 }, /^wrk had no CPU time left/],
    [
      'the tool and the server',
      { sharesCpus: true, idleSeconds: 0.5 },
      /share CPUs.*wrk used 1\.0 CPUs, the server 0\.7, and 0\.3 were idle/,
    ],
    ['nobody, with a CPU each', { idleSeconds: 0.5 }, undefined],
    ['nobody, with an idle CPU', { sharesCpus: true, idleSeconds: 2.5, othersSeconds: 9 }, undefined],
    ['nobody, with a server elsewhere', { server: null, tool: idleTool, idleSeconds: 3 }, undefined],
  ])('is that of %s', (_, usage, text) => {
    const shortage = shortageOf({ ...loadResult(1), benchmarker: 'wrk', usage: { ...saturated, ...usage } });
    if (text === undefined) expect(shortage).toBeUndefined();
    else expect(shortage).toMatch(text);
  });

  it('is not known without an observation', () => {
    expect(shortageOf(loadResult(1))).toBeUndefined();
  });

  it.each([
    ['late beside the latencies', 30, 40, true],
    ['hardly late', 4, 6, false],
    ['late beside longer latencies', 30, 80, false],
  ])('withholds latencies of a tool that sent its requests %s', (_, p99Ms, latencyMs, isOwn) => {
    const report = { requests: 1, durationSeconds: 1, lateness: { p99Ms, maxMs: 90 } };
    const figures = withoutLate(figuresOf({ ...report, latency: { p99Ms: latencyMs, maxMs: 90 } }));
    expect(figures.latency.maxMs).toBe(isOwn ? null : 90);
    const shortage = shortageOf({ ...loadResult(1), ...figures });
    if (isOwn) expect(shortage).toMatch(/30\.0 ms late.*lower rate/);
    else expect(shortage).toBeUndefined();
  });
});

describe('a load tool gives no rate', () => {
  it('if its busiest thread had no CPU time left, but the server had: the message has both and the remedy', () => {
    expect(saturation('autocannon', saturated)).toMatch(/^autocannon .*99 %.*66 %.*wrk.*LOADCPUSET/);
  });

  it('if its CPUs had no time left', () => {
    const tool = { cpuSeconds: 1.98, busiestThread: 0.5 };
    expect(saturation('wrk', { ...saturated, tool })).toMatch(/^wrk .*99 %/);
  });

  it('if it shares CPUs with the server, of which one was idle all the time', () => {
    expect(
      saturation('autocannon', { ...saturated, toolCpus: 4, sharesCpus: true, idleSeconds: 2.1 }),
    ).toBeDefined();
  });
});

it.each<[what: string, usage: Partial<LoadUsage>]>([
  ['it had CPU time left', { tool: { cpuSeconds: 1.8, busiestThread: 0.9 } }],
  ['the server had no CPU time left either', { server: { cpuSeconds: 2, busiestThread: 0.95 } }],
  ['both share CPUs that were not idle', { toolCpus: 2, sharesCpus: true }],
  ['the server is on another machine', { server: null }],
  ['it was observed for too short a time', { seconds: 0.75 }],
])('a load tool gives a rate if %s', (_, usage) => {
  expect(saturation('autocannon', { ...saturated, ...usage })).toBeUndefined();
});

it.runIf(process.platform === 'linux')('finds a server among many others and ended connections', async () => {
  // Their list is longer than what one reading gets.
  const servers = await Promise.all(Array.from({ length: 100 }, () => startRawServer(() => {})));
  const ports = servers.map(({ port }) => port);
  for (const port of ports) await once(connect(port, '127.0.0.1').end(), 'close');
  const found = [ports[0], ports.at(-1)].map((port = 0) => serversOn(port));
  for (const server of servers) await server[Symbol.asyncDispose]();
  // A server's descendants are part of it, and other tests may have started some.
  for (const pids of found) expect(pids).toContain(process.pid);
  expect(serversOn(ports[0] ?? 0)).toEqual([]);
});
