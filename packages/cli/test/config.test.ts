/** The types of a config file. `tsc -p tsconfig.tests.json` checks them. */
import { defineClient } from '@bench-cli/cluster-server';
import { describe, it } from 'vitest';
import type { Config } from '../src/config.ts';

type Benchmarker = NonNullable<Config['benchmarkers']>[number];

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
  it('can have benchmarkers, clients, both or neither', () => {
    void ({ benchmarkers: [benchmarker] } satisfies Config);
    void ({ clients: [client] } satisfies Config);
    void ({ benchmarkers: [benchmarker], clients: [client] } satisfies Config);
    void ({} satisfies Config);
  });

  it('can have defaults of settings, as values or as texts', () => {
    void ({ defaults: { runs: 'auto', margin: 0.01, timeoutMs: '90s', set: ['n=1'] } } satisfies Config);
    // @ts-expect-error The setting is unknown.
    void ({ defaults: { timeout: '90s' } } satisfies Config);
    // @ts-expect-error It is a list.
    void ({ defaults: { set: 1 } } satisfies Config);
  });

  it('has no other keys, and no values of another kind', () => {
    // @ts-expect-error The key is unknown.
    void ({ benchmarker: [benchmarker] } satisfies Config);
    // @ts-expect-error A benchmarker is not a client.
    void ({ clients: [benchmarker] } satisfies Config);
    // @ts-expect-error A client is not a benchmarker.
    void ({ benchmarkers: [client] } satisfies Config);
  });
});
