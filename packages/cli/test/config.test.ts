/** What a typed config file may hold. The type checker is what decides here: `tsc -p tsconfig.tests.json`. */
import { defineClient } from '@bench-cli/cluster-server';
import type { BenchmarkerConfig } from '@bench-cli/core';
import { describe, it } from 'vitest';
import type { Config } from '../src/config.ts';

type Benchmarker = NonNullable<BenchmarkerConfig['benchmarkers']>[number];

const benchmarker: Benchmarker = {
  name: 'mine',
  protocols: ['http'],
  supports: [],
  byNameOnly: true,
  available: async () => ({ available: true, command: ['mine'], version: '1.0.0' }),
  run: () => Promise.reject(new Error('not here')),
};
const client = defineClient({
  name: 'mine',
  connect: () => ({ request: async (answer) => answer.status(200) }),
});

describe('a config file', () => {
  it('may hold benchmarkers, clients, both or none', () => {
    void ({ benchmarkers: [benchmarker] } satisfies Config);
    void ({ clients: [client] } satisfies Config);
    void ({ benchmarkers: [benchmarker], clients: [client] } satisfies Config);
    void ({} satisfies Config);
  });

  it('holds nothing else, and each where it belongs', () => {
    // @ts-expect-error There is no such key.
    void ({ benchmarker: [benchmarker] } satisfies Config);
    // @ts-expect-error A benchmarker is no client.
    void ({ clients: [benchmarker] } satisfies Config);
    // @ts-expect-error A client is no benchmarker.
    void ({ benchmarkers: [client] } satisfies Config);
  });
});
