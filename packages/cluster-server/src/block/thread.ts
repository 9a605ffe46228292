import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parentPort } from 'node:worker_threads';
import { cronometro } from 'cronometro';
import type { CountedAnswer } from '../client/answer.ts';
import { importClients, knownClients, preferPackagesOf } from '../client/known-clients.ts';
import { POST_BYTES } from '../server/bodies.ts';
import { lateProblem, sendBatch } from './batch.ts';
import type { BlockMessage, ThreadOrder } from './block.ts';
import { type KnownWarmUp, warmUpClient, warmUpWith } from './client-warm-up.ts';

/** Answers whose bodies are kept: the first ones, and ever fewer of the others, about 160 of 100,000. */
const KEPT = 16;

/** Connects a client in a thread of cronometro, and passes cronometro the warm-up and the samples. */
export async function measureInThread(): Promise<void> {
  const order = await new Promise<ThreadOrder>((resolve) => parentPort?.once('message', resolve));
  const { target, certificate, settings } = order;
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
  let warmUp: KnownWarmUp = { isSteady: true, neededMs: 0, sampleNs: 0 };
  let warmUpMs = 0;
  const before = async () => {
    const startedAtMs = performance.now();
    if (typeof order.warmUp === 'number') await warmUpWith(order.warmUp, sample);
    else warmUp = await warmUpClient(timed, order.warmUp);
    warmUpMs = performance.now() - startedAtMs;
  };
  const after = async () => {
    await connection.close?.();
    const problem = lateProblem(seen.flat(), order.expected);
    if (problem !== undefined) throw new Error(problem);
    const answers = seen.length * order.parallel;
    parentPort?.postMessage({ type: 'bench-cli.block', answers, warmUp, warmUpMs } satisfies BlockMessage);
  };
  // The options are set in the main thread; here cronometro only reads the tests.
  cronometro({ [order.client]: { before, test: sample, after } }, {});
}
