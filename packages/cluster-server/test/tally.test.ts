import { expect, it } from 'vitest';
import { tallyProblem } from '../src/server/tally.ts';

const claim = { answers: 10, method: 'GET', bytes: 0 };
const honest = { methods: { GET: 10 }, received: 0, finished: 10 };

it.each([
  ['requests by another method', { methods: { GET: 10, HEAD: 1 } }, /HEAD/],
  ['fewer requests than answers', { methods: { GET: 9 } }, / 9 /],
  ['more requests than answers', { methods: { GET: 11 } }, / 11 /],
  ['answers that were not taken to their end', { finished: 9 }, / 9 /],
  ['bodies of another length', { received: 5 }, / 5 bytes/],
])('refuses %s', (_, counted, problem) => {
  expect(tallyProblem(honest, claim)).toBeUndefined();
  expect(tallyProblem({ ...honest, ...counted }, claim)).toMatch(problem);
});
