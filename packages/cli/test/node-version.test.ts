import { expect, it } from 'vitest';
import { requireNode } from '../dist/node-version.js';

it.each(['22.21.0', '22.30.1', '23.0.0', '26.1.0'])('takes Node.js %s', (version) => {
  expect(() => requireNode('clients', '22.21', version)).not.toThrow();
});

it.each(['22.19.0', '22.20.9', '21.99.0'])('refuses Node.js %s, and says what it needs', (version) => {
  expect(() => requireNode('clients', '22.21', version)).toThrow(
    `bench-cli clients needs Node.js 22.21 or later; this is ${version}`,
  );
});
