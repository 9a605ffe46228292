import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import { allToolOptions, type LoadRequest } from './load-request.ts';
import type { OpenLoad } from './open-loop-process.ts';

const program = fileURLToPath(new URL(`./open-loop-process${extname(import.meta.url)}`, import.meta.url));
const tool = {
  locate: async () => ({ available: true, command: [process.execPath, program], version: '1.0.0' }) as const,
};

/** A load of this package, for a rate of requests that does not depend on the answers. It sends as many as one CPU can. */
export const openLoop: Benchmarker = defineBenchmarker({
  name: 'open-loop',
  protocols: ['http', 'https'],
  supports: ['method', 'body', 'timeoutSeconds', 'requests', 'arrivalRate'],
  tool,
  argumentsFor({ connections, amount, arrivalRate = null, ...request }) {
    const durationSeconds = amount.kind === 'time' ? amount.seconds : null;
    const requests = amount.kind === 'time' ? null : amount.requests;
    return [orderOf(request, { connections, requests, durationSeconds, arrivalRate })];
  },
  parse: ({ stdout }) => JSON.parse(stdout),
});

/**
 * Benchmarkers that make one real request and report it, for tests of benchmark scripts: one for each protocol. They accept the
 * options of all tools.
 */
export const testDoubles: readonly Benchmarker[] = (['http', 'https', 'http2'] as const).map((protocol) =>
  defineBenchmarker({
    name: `test-double-${protocol}`,
    protocols: [protocol],
    supports: allToolOptions,
    byNameOnly: true,
    tool,
    argumentsFor: (request) => [
      orderOf(request, { connections: 1, requests: 1, durationSeconds: null, arrivalRate: null }),
    ],
    parse: ({ stdout }) => JSON.parse(stdout),
  }),
);

function orderOf(
  { protocol, url, method, headers, body, timeoutSeconds }: Pick<LoadRequest, keyof OpenLoad['request']>,
  load: Omit<OpenLoad, 'request'>,
): string {
  const request = { protocol, url, method, headers, body, timeoutSeconds };
  return JSON.stringify({ request, ...load } satisfies OpenLoad);
}
