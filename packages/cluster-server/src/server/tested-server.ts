import { randomUUID } from 'node:crypto';
import { UsageError } from '@bench-cli/results';
import { POST_BYTES } from '../block/order.ts';
import type { ExpectedAnswer } from '../client/answer.ts';
import { placeOf, type ServerAddress } from './address.ts';
import { askOnce, certificateOf, tallyOf } from './probe.ts';

/** The methods of clients; a POST sends 128 KiB. */
export const methods = ['GET', 'POST'] as const;

export type Method = (typeof methods)[number];

/** A server that clients are measured with, and what all of them must receive from it. */
export interface TestedServer {
  readonly address: ServerAddress;
  /** PEM; undefined without TLS. */
  readonly certificate: string | undefined;
  /** Whether it counts requests, as the cluster server does. Otherwise invented answers of a client cannot be detected. */
  readonly countsRequests: boolean;
  /** What Node.js itself receives, by method. */
  readonly answers: Readonly<Partial<Record<Method, ExpectedAnswer>>>;
}

/**
 * Asks a server what it answers.
 *
 * @throws UsageError if it does not answer, or not with status 200
 */
export async function examineServer(
  address: ServerAddress,
  methods: readonly Method[],
): Promise<TestedServer> {
  const answers: Partial<Record<Method, ExpectedAnswer>> = {};
  for (const method of methods) {
    const post = method === 'POST' ? '_'.repeat(POST_BYTES) : undefined;
    const { status, body } = await askOnce(address, '/', post);
    if (status !== 200)
      throw new UsageError(
        'ERR_BENCH_SERVER_ANSWER',
        `${placeOf(address)} answers ${method} / with status ${status} instead of 200; use a server that answers with 200`,
      );
    answers[method] = { status, bytes: body.length };
  }
  return {
    address,
    certificate: address.protocol === 'http' ? undefined : await certificateOf(address),
    countsRequests: (await tallyOf(address, randomUUID())) === 0,
    answers,
  };
}
