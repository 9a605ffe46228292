import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureBlock } from '../src/block/block.ts';
import type { BlockOrder } from '../src/block/messages.ts';
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
      warmUp: 0,
      answerTimeoutMs: 20_000,
      ...options,
    },
    undefined,
  );
}

describe('a block', () => {
  it('has all its samples, without those of the warm-up', async () => {
    const outcome = await measure('quick', { samples: 5, warmUp: 3 });
    expect(outcome).toMatchObject({ kind: 'measured', answers: (3 + 5) * 4 });
    expect(outcome).toHaveProperty('elapsedNs.length', 5);
  });

  it('ends after a sample that is longer than a second, which counts', async () => {
    const outcome = await measure('slow', { samples: 5, parallel: 1 });
    expect(outcome).toMatchObject({ kind: 'measured', answers: 1 });
    expect(outcome).toHaveProperty('elapsedNs.length', 1);
  });
});
