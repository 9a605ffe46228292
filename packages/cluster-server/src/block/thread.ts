import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { cronometro } from 'cronometro';
import type { CountedAnswer } from '../client/answer.ts';
import { importClients, knownClients, preferPackagesOf } from '../client/known-clients.ts';
import { POST_BYTES } from '../server/bodies.ts';
import { lateProblem, sendBatch } from './batch.ts';
import { type BlockMessage, type BlockOrder, orderVariable } from './block.ts';
import { warmUpClient } from './warm-up.ts';

/** The least number of samples of a block without a number of samples. */
const LEAST_SAMPLES = 20;

/**
 * A block takes so many times as long as its warm-up needs. The first warm-up of a client takes longer than it needs, and samples can
 * take less time than in the warm-up, so that all runs of a client with a number of samples measure for as long as they warm up.
 */
const TIMES = { auto: 3, fixed: 2 };

/** The part of its samples after which cronometro can end a run that has reached the error threshold. */
const EARLIEST_END = 0.1;

/** Answers whose bodies are kept: the first ones, and ever fewer of the others, about 160 of 100,000. */
const KEPT = 16;

/**
 * Connects a client in a thread of cronometro, warms it up, and passes cronometro the test that sends a sample.
 *
 * cronometro fixes the number of samples before the thread starts, but how many fill the time is only known after the warm-up:
 * then this replaces the number in the data of the thread, which cronometro reads next.
 */
export async function measureInThread(): Promise<void> {
  const order: BlockOrder = JSON.parse(process.env[orderVariable] ?? 'null');
  const { target, certificate, settings, samples } = order;
  if (certificate !== undefined) setDefaultCACertificates([...getCACertificates('default'), certificate]);
  preferPackagesOf(process.cwd());
  const client = knownClients(await importClients(order.config)).get(order.client);
  if (client === undefined) throw new Error(`unknown client "${order.client}"`);
  const body = target.method === 'POST' ? '_'.repeat(POST_BYTES) : undefined;
  const headers: Readonly<Record<string, string>> =
    body === undefined
      ? {}
      : { 'content-type': 'text/plain; charset=UTF-8', 'content-length': String(body.length) };
  const connection = await client.connect({ ...target, body, headers }, settings);

  const seen: (readonly CountedAnswer[])[] = [];
  let requests = 0;
  const keeps = () => Math.random() < KEPT / ++requests;
  const sample = async () => {
    seen.push(await sendBatch(connection, order, keeps));
  };
  const timed = async () => {
    const startedAt = process.hrtime.bigint();
    await sample();
    return Number(process.hrtime.bigint() - startedAt);
  };
  const startedAtMs = performance.now();
  const { isSteady, sampleNs, neededMs } =
    order.warmUp === 'single'
      ? { isSteady: true, sampleNs: await timed(), neededMs: 0 }
      : await warmUpClient(timed, order.warmUp === 'steady' ? undefined : order.warmUp);
  const warmUpMs = performance.now() - startedAtMs;
  const [least, times] = samples === 'auto' ? [LEAST_SAMPLES, TIMES.auto] : [samples, TIMES.fixed];
  const needed = Math.ceil((times * neededMs * 1e6) / sampleNs);
  workerData.iterations = Math.max(least, needed);
  if (workerData.iterations * EARLIEST_END < needed) workerData.errorThreshold = 0;

  const after = async () => {
    await connection.close?.();
    const problem = lateProblem(seen.flat(), order.expected);
    if (problem !== undefined) throw new Error(problem);
    const message: BlockMessage = {
      type: 'bench-cli.block',
      answers: seen.length * order.parallel,
      warmUp: { elapsedMs: warmUpMs, isSteady, neededMs },
    };
    parentPort?.postMessage(message);
  };
  // The options are set in the main thread; here cronometro only reads the tests.
  cronometro({ [order.client]: { test: sample, after } }, {});
}
