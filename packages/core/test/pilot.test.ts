import { expect, it } from 'vitest';
import { Trace } from '../src/pilot.ts';

it.each([
  [14, false],
  [40, true],
])('tells whether operations of %i ms are too long for its windows', (ms, isTooLong) => {
  const trace = new Trace();
  for (let operation = 0; operation < 10; operation++) trace.add(1, ms);
  expect(trace.isTooLong).toBe(isTooLong);
});
