import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import type { LoadRequest } from './load-request.ts';

/** A program of this package that makes one request and checks the answer. */
const program = [
  process.execPath,
  fileURLToPath(new URL(`./request-once-process${extname(import.meta.url)}`, import.meta.url)),
] as const;

/** Benchmarkers that make one real request and report it, for tests of benchmark scripts: one for each protocol. */
export const testDoubles: readonly Benchmarker[] = (['http', 'https', 'http2'] as const).map((protocol) =>
  defineBenchmarker({
    name: `test-double-${protocol}`,
    protocols: [protocol],
    supports: ['method', 'body', 'timeoutSeconds'],
    byNameOnly: true,
    tool: { locate: async () => ({ available: true, command: program, version: '1.0.0' }) },
    argumentsFor: ({ protocol, url, method, headers, body, timeoutSeconds }: LoadRequest) => [
      JSON.stringify({ protocol, url, method, headers, body, timeoutSeconds }),
    ],
    parse: ({ stdout }) => JSON.parse(stdout),
  }),
);
