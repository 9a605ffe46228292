import { deserialize, serialize } from 'node:v8';
import { createBenchmark } from '@bench-cli/core';

// Deep copies of a record, of a list of four records, and of collections, which JSON does not support.
// One part of every copy is read and counted.
createBenchmark(
  ({ payload, method, n }, bench) => {
    const record = (i: number) => ({
      id: i,
      name: `name ${i}`,
      tags: ['a', 'b'],
      position: { x: i, y: 0.5 },
    });
    const value = {
      record: { parts: [record(1)] },
      list: { parts: Array.from({ length: 4 }, (_, i) => record(i)) },
      collections: {
        parts: [new Map([['key', new Set([1, 2, 3])]]), new Date(0), new Uint8Array(64), /pattern/],
      },
    }[payload];
    const count = value.parts.length;
    const copy = {
      structuredClone: () => structuredClone(value),
      json: (): typeof value => JSON.parse(JSON.stringify(value)),
      serialize: (): typeof value => deserialize(serialize(value)),
    }[method];
    let parts = 0;
    bench.start();
    for (let i = 0; i < n; i++) parts += copy().parts.length;
    bench.end(n);
    if (parts !== n * count) throw new Error(`${parts} parts, not ${n * count}`);
  },
  {
    payload: ['record', 'list', 'collections'],
    method: ['structuredClone', 'json', 'serialize'],
    n: 6e4,
  },
  { combinationFilter: ({ payload, method }) => method !== 'json' || payload !== 'collections' },
);
