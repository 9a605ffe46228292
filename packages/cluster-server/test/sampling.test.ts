import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockOutcome } from '../src/block/block.ts';
import type { BlockOrder } from '../src/block/messages.ts';
import { type ComparisonWorld, compareClients } from '../src/comparison/compare-clients.ts';
import { askOnce } from '../src/comparison/server-probe.ts';
import { type ClusterServer, startClusterServer } from '../src/index.ts';
import { directory } from './clients-of-tests.ts';

let server: ClusterServer;
beforeAll(async () => {
  server = await startClusterServer({ port: 0, workers: 1, timeoutMs: 0 });
});
afterAll(() => server.close());

/** A world in which a function gives the duration of samples, and each block takes a second. */
function world(elapsedMs: (client: string, round: number, sample: number) => number) {
  const orders: BlockOrder[] = [];
  let seconds = 0;
  const made: ComparisonWorld = {
    now: () => seconds * 1000,
    async measure(order): Promise<BlockOutcome> {
      const round = orders.filter(({ client }) => client === order.client).length;
      orders.push(order);
      seconds++;
      // The server counts requests, so it must receive the claimed ones.
      await askOnce(server, new URL(order.target.url).pathname);
      const samples = Array.from(
        { length: order.samples },
        (_, at) => elapsedMs(order.client, round, at) * 1e6,
      );
      return { kind: 'measured', elapsedNs: samples, warmUpMs: 500, isSteady: true, answers: 1 };
    },
  };
  return { made, orders };
}

const clients = ['http - keepalive', 'undici - request'];
const noise = (at: number) => 1 + ((at * 7919) % 13) / 50;

describe('SAMPLES=auto', () => {
  it('ends when all tolerances are below the error threshold', async () => {
    const { made, orders } = world((_client, round, sample) => 20 * noise(sample + round));
    const comparison = await compareClients(
      { server, clients, directory, options: { samples: 'auto', errorThreshold: 3 } },
      made,
    );
    expect(comparison.unsettled).toEqual([]);
    expect(comparison.rounds).toBe(5);
    expect(orders).toHaveLength(10);
    for (const { tolerance } of comparison.standings) expect(tolerance).toBeLessThan(0.03);
  });

  it('reports which client did not settle, and why, at the time limit', async () => {
    const { made } = world((client, round, sample) =>
      client === 'undici - request' && round % 2 === 0 ? 60 : 20 * noise(sample),
    );
    const comparison = await compareClients(
      { server, clients, directory, options: { samples: 'auto', errorThreshold: 3, timeLimitSeconds: 40 } },
      made,
    );
    expect(comparison.rounds).toBe(20);
    const unsettled = comparison.unsettled.find(({ name }) => name === 'undici - request');
    expect(unsettled?.reason).toMatch(/two groups, one 2\.\d times as fast .*\d+ rounds .* 20$/);
  });
});

describe('the rounds', () => {
  it.each([
    [1, 1],
    [3, 3],
    [40, 5],
    [41, 5],
  ])('of %d samples are %d', async (samples, rounds) => {
    const { made, orders } = world((_client, round, sample) => ((sample + round) % 2 === 0 ? 10 : 40));
    const comparison = await compareClients({ server, clients, directory, options: { samples } }, made);
    expect(comparison.rounds).toBe(rounds);
    expect(comparison.standings.map((it) => it.samples)).toEqual([samples, samples]);
    expect(orders[0]?.client).not.toBe(orders[2]?.client);
  });
});

describe('a number of samples', () => {
  it('ends early if all tolerances are below the error threshold', async () => {
    const { made } = world((_client, round, sample) => 20 * noise(sample + round));
    const { standings } = await compareClients(
      { server, clients, directory, options: { samples: 100, errorThreshold: 3 } },
      made,
    );
    expect(standings.map((it) => it.samples)).toEqual([60, 60]);
  });

  it('is complete even if blocks end early, because a sample was too long for cronometro', async () => {
    const { made } = world((_client, round) => 1000 + 500 * round);
    const measure: ComparisonWorld['measure'] = async (order, signal) => {
      const isSlow = order.client === clients[0];
      return made.measure({ ...order, samples: isSlow ? 1 : order.samples }, signal);
    };
    const { standings, rounds } = await compareClients(
      { server, clients, directory, options: { samples: 12, errorThreshold: 0 } },
      { ...made, measure },
    );
    expect(rounds).toBe(12);
    expect(standings.map((it) => it.samples)).toEqual([12, 12]);
  });
});

it('rejects with the reason if the signal aborts', async () => {
  const controller = new AbortController();
  const comparison = compareClients({
    server,
    clients,
    directory,
    options: { samples: 40 },
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('enough')),
  });
  await expect(comparison).rejects.toThrow('enough');
});
