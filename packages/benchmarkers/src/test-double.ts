import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import { onceArguments, onceProgram } from './request-once.ts';

/** Benchmarkers that make one real request and report it, for tests of benchmark scripts: one for each protocol. */
export const testDoubles: readonly Benchmarker[] = (['http', 'https', 'http2'] as const).map((protocol) =>
  defineBenchmarker({
    name: `test-double-${protocol}`,
    protocols: [protocol],
    supports: ['method', 'body', 'timeoutSeconds'],
    byNameOnly: true,
    tool: { locate: async () => ({ available: true, command: onceProgram, version: '1.0.0' }) },
    argumentsFor: onceArguments,
    parse: ({ stdout }) => JSON.parse(stdout),
  }),
);
