import { expect, it } from 'vitest';
import { exportsOf } from './support/source-graph.ts';

/**
 * Every public name, types included. Each has a user outside of its package or is documented for embedding; adding one is a
 * decision. `@bench-cli/results/schema` is for the packages of this repository only.
 */
const publicNames = {};

it.each(Object.entries(publicNames))('%s exports these names and no others', (file, names) => {
  expect(exportsOf(file)).toEqual(names);
});
