import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureBlock } from '../src/block/block.ts';
import { type BlockOrder, WARM_UP } from '../src/block/messages.ts';
import { type ClusterServer, startClusterServer } from '../src/index.ts';
import { ANSWER_BYTES } from '../src/server/answering.ts';
import { directory } from './clients-of-tests.ts';

/** A sample from the slow server exceeds the longest sample of cronometro. */
const servers: Record<'quick' | 'slow', ClusterServer | undefined> = { quick: undefined, slow: undefined };
beforeAll(async () => {
  servers.quick = await startClusterServer({ port: 0, workers: 1, timeoutMs: 0 });
  servers.slow = await startClusterServer({ port: 0, workers: 1, timeoutMs: 1_000 });
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server?.close();
});

function measure(server: keyof typeof servers, options: Partial<BlockOrder>) {
  return measureBlock(
    {
      client: 'http - keepalive',
      directory,
      target: { url: servers[server]?.url ?? '', protocol: 'http', method: 'GET', postBytes: 0 },
      expected: { status: 200, bytes: ANSWER_BYTES },
      settings: { connections: 2, pipelining: 1, headersTimeoutMs: 0, bodyTimeoutMs: 0 },
      parallel: 4,
      samples: 1,
      leastMs: 0,
      warmUp: 'single',
      answerTimeoutMs: 20_000,
      ...options,
    },
    undefined,
  );
}

describe('a block', () => {
  it('has all its samples, without that of the warm-up', async () => {
    const outcome = await measure('quick', { samples: 5 });
    expect(outcome).toMatchObject({ kind: 'measured', answers: (1 + 5) * 4 });
    expect(outcome).toHaveProperty('elapsedNs.length', 5);
  });

  it('has more samples, if they are too short for its least time', async () => {
    const outcome = await measure('quick', { leastMs: 200 });
    if (outcome.kind === 'failed') throw new Error(outcome.message);
    expect(outcome.elapsedNs.reduce((sum, each) => sum + each, 0)).toBeGreaterThanOrEqual(200e6);
  });

  it('warms up for several windows until the rate is steady', async () => {
    const outcome = await measure('quick', { warmUp: 'steady' });
    expect(outcome).toMatchObject({ kind: 'measured', isSteady: expect.any(Boolean) });
    if (outcome.kind === 'failed') throw new Error(outcome.message);
    expect(outcome.warmUpMs).toBeGreaterThanOrEqual(4 * WARM_UP.windowMs);
    expect(outcome).toHaveProperty('elapsedNs.length', 1);
  });

  it('ends after a sample that is longer than a second, which counts', async () => {
    const outcome = await measure('slow', { samples: 5, parallel: 1 });
    expect(outcome).toMatchObject({ kind: 'measured', answers: 1 + 1 });
    expect(outcome).toHaveProperty('elapsedNs.length', 1);
  });
});
