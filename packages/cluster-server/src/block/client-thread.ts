import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { cronometro } from 'cronometro';
import type { CountedAnswer } from '../client/answer.ts';
import { builtInClients } from '../client/built-in.ts';
import type { ClientConfig } from '../client/client-config.ts';
import type { ClientConnection, HttpClient } from '../client/http-client.ts';
import { preferPackagesOf } from '../client/installed.ts';
import { lateProblem, sendBatch } from './batch.ts';
import {
  type BlockOrder,
  END_OF_BLOCK,
  LONGEST_SAMPLE_NS,
  type SampleMessage,
  type WarmMessage,
} from './messages.ts';
import { warmUp } from './warm-up.ts';

/** Prepares a client in this thread, and passes cronometro the test that measures it. */
export async function measureInThread(order: BlockOrder): Promise<void> {
  const { target, settings, expected } = order;
  if (target.certificate !== undefined)
    setDefaultCACertificates([...getCACertificates('default'), target.certificate]);
  preferPackagesOf(
    order.directory,
    builtInClients.flatMap((it) => it.package ?? []),
  );
  const configured = order.config === undefined ? [] : await configuredClients(order.config);
  const client = [...builtInClients, ...configured].findLast(({ name }) => name === order.client);
  if (client === undefined) throw new Error(`unknown client "${order.client}"`);
  const body = target.method === 'POST' ? '_'.repeat(target.postBytes) : undefined;
  const headers: Readonly<Record<string, string>> =
    body === undefined
      ? {}
      : { 'content-type': 'text/plain; charset=UTF-8', 'content-length': String(body.length) };

  const seen: (readonly CountedAnswer[])[] = [];
  let connection: ClientConnection | undefined;
  let left = order.samples;
  let leftNs = order.leastMs * 1e6;
  const sample = async (connected: ClientConnection, warmingUp: boolean) => {
    const startedAt = process.hrtime.bigint();
    const answers = await sendBatch(connected, order);
    const elapsedNs = Number(process.hrtime.bigint() - startedAt);
    seen.push(answers);
    const message: SampleMessage = { type: 'bench-cli.sample', elapsedNs, warmUp: warmingUp };
    parentPort?.postMessage(message);
    return elapsedNs;
  };
  cronometro(
    {
      [order.client]: {
        before: async () => {
          connection = await client.connect(
            { ...target, socketPath: target.socketPath, body, headers },
            settings,
          );
          const connected = connection;
          const isSteady =
            order.warmUp === 'steady'
              ? await warmUp(() => sample(connected, true))
              : (await sample(connected, true)) > 0;
          const message: WarmMessage = { type: 'bench-cli.warm', isSteady };
          parentPort?.postMessage(message);
        },
        test: async () => {
          if (connection === undefined) throw new Error('the client is not connected');
          const elapsedNs = await sample(connection, false);
          left--;
          leftNs -= elapsedNs;
          if ((left <= 0 && leftNs <= 0) || elapsedNs > LONGEST_SAMPLE_NS) throw new Error(END_OF_BLOCK);
        },
        after: async () => {
          await connection?.close?.();
          const problem = lateProblem(seen.flat(), expected);
          if (problem !== undefined) throw new Error(problem);
        },
      },
    },
    // The options are set in the main thread; here cronometro only reads the tests.
    {},
  );
}

/** The clients of a config file, which the comparison has validated. */
async function configuredClients(config: string): Promise<readonly HttpClient[]> {
  const module: { readonly default: ClientConfig } = await import(pathToFileURL(config).href);
  return module.default.clients ?? [];
}
