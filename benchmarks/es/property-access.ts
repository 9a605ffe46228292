import { createBenchmark } from '@bench-cli/core';

// Looks up each key in turn, by a computed string. For V8, an object with 16 keys has a hidden class, and one with 1024 keys
// is a hash table. Each key is used once before, so that no first use is measured. The sum of the values is checked.
createBenchmark(
  ({ container, keys, n }, bench) => {
    const names = Array.from({ length: keys }, (_, i) => `key-${i}`);
    const entries = names.map((name, i) => [name, i] satisfies [string, number]);
    const object = Object.fromEntries(entries);
    const dictionary = Object.assign(Object.create(null), object);
    const map = new Map(entries);
    const get = {
      object: (key: string) => object[key] ?? 0,
      'null-prototype': (key: string): number => dictionary[key] ?? 0,
      map: (key: string) => map.get(key) ?? 0,
    }[container];
    const mask = keys - 1;
    const expected = names.reduce((sum, name) => sum + get(name), 0);
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += get(names[i & mask] ?? '');
    bench.end(n);
    if (n % keys === 0 && sum !== (n / keys) * expected) throw new Error('a key was not found');
  },
  { container: ['object', 'null-prototype', 'map'], keys: [16, 1024], n: 2 ** 24 },
);
