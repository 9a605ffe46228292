import type { Protocol } from '@bench-cli/core';
import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import { onceArguments, onceProgram } from './request-once.ts';

/** A benchmarker that makes one real request and reports it: for the tests of benchmark scripts. */
export function defineTestDouble(protocol: Protocol): Benchmarker {
  return defineBenchmarker({
    name: `test-double-${protocol}`,
    protocols: [protocol],
    supports: ['method', 'body', 'timeoutSeconds'],
    byNameOnly: true,
    tool: { locate: async () => ({ available: true, command: onceProgram, version: '1.0.0' }) },
    argumentsFor: onceArguments,
    parse: ({ stdout }) => JSON.parse(stdout),
  });
}
