import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import { allToolOptions, type LoadRequest } from './load-request.ts';
import type { OpenLoad } from './open-loop-process.ts';
import type { SingleRequest } from './requester.ts';

const program = fileURLToPath(new URL(`./open-loop-process${extname(import.meta.url)}`, import.meta.url));
const tool = {
  locate: async () => ({ available: true, command: [process.execPath, program], version: '1.0.0' }) as const,
};

/** A load of this package, at a rate that does not depend on the answers, as fast as one CPU can send. */
export const openLoop: Benchmarker = defineBenchmarker({
  name: 'open-loop',
  protocols: ['http', 'https', 'http2'],
  supports: [
    ...(['method', 'HEAD', 'body', 'mix', 'expectStatus', 'expectBody'] as const),
    ...(['timeoutSeconds', 'requests', 'arrivalRate', 'socketPath'] as const),
  ],
  closedLoop: true,
  countsPending: true,
  tool,
  argumentsFor({ connections, amount, arrivalRate = null, ...request }) {
    const durationSeconds = amount.kind === 'time' ? amount.seconds : null;
    const requests = amount.kind === 'time' ? null : amount.requests;
    return [orderOf(request, { connections, requests, durationSeconds, arrivalRate })];
  },
  parse: ({ stdout }) => JSON.parse(stdout),
});

/**
 * Benchmarkers for tests of benchmark scripts, one per protocol: each sends one request, or each of a mix.
 * They accept the options of all tools.
 */
export const testDoubles: readonly Benchmarker[] = (['http', 'https', 'http2'] as const).map((protocol) =>
  defineBenchmarker({
    name: `test-double-${protocol}`,
    protocols: [protocol],
    supports: allToolOptions,
    byNameOnly: true,
    tool,
    argumentsFor: (request) => [
      orderOf(request, {
        ...{ connections: 1, durationSeconds: null, arrivalRate: null },
        requests: request.mix?.length ?? 1,
      }),
    ],
    parse: ({ stdout }) => JSON.parse(stdout),
  }),
);

function orderOf(
  { protocol, url, method, headers, body, mix, ...rest }: Pick<LoadRequest, keyof SingleRequest | 'mix'>,
  load: Omit<OpenLoad, 'request' | 'cycle'>,
): string {
  const { socketPath, timeoutSeconds, expectStatus, expectBody } = rest;
  const sent = { url, method, headers, body };
  const request = { protocol, socketPath, ...sent, timeoutSeconds, expectStatus, expectBody };
  return JSON.stringify({ request, cycle: mix ?? [sent], ...load } satisfies OpenLoad);
}
