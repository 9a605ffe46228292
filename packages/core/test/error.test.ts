import { describe, expect, it } from 'vitest';
import { BenchmarkError, describe as describeError } from '../src/error.ts';

/** An error with these frames in its stack. */
function thrownAt(...frames: readonly string[]): Error {
  const error = new TypeError('went wrong');
  error.stack = ['TypeError: went wrong', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
}

describe('the description of an error', () => {
  it.each([
    [new RangeError('too far'), 'RangeError: too far'],
    [new BenchmarkError('ERR_BENCH_CALL_ORDER', 'call bench.start()'), 'call bench.start()'],
    [new Error(), 'Error: (no message)'],
    ['text', 'threw text'],
    [undefined, 'threw undefined'],
    [null, 'threw null'],
    [Symbol('mark'), 'threw Symbol(mark)'],
    [{ code: 5 }, 'threw { code: 5 }'],
    [Object.create(null), 'threw [Object: null prototype] {}'],
  ])('is the message of a BenchmarkError, kind and message of others, or a value: %s', (thrown, message) => {
    expect(describeError(thrown).message).toBe(message);
  });

  it('is there without a place where the benchmark has replaced functions of the language', () => {
    const error = new Error('the real one');
    Object.defineProperty(error, 'stack', { get: () => ({ split: undefined }) });
    expect(describeError(error)).toEqual({ message: 'Error: the real one', place: undefined });
  });

  it('has the place of an error in this file', () => {
    expect(describeError(new Error('here')).place).toMatch(/error\.test\.ts:\d+:\d+$/);
  });
});

describe('the place of an error', () => {
  const own = new URL('../src/benchmark.ts', import.meta.url).href;

  it.each([
    ['in a named function', 'main (file:///suite/a.ts:3:7)', '/suite/a.ts:3:7'],
    ['in an arrow function', 'file:///suite/a.ts:3:7', '/suite/a.ts:3:7'],
    ['in an async function', 'async main (file:///suite/a.ts:3:7)', '/suite/a.ts:3:7'],
    ['in an async arrow function', 'async file:///suite/a.ts:3:7', '/suite/a.ts:3:7'],
    ['in a constructor', 'new Buffer (file:///suite/a.ts:3:7)', '/suite/a.ts:3:7'],
    ['in CommonJS', 'Object.<anonymous> (/suite/a.cjs:3:7)', '/suite/a.cjs:3:7'],
    ['in CommonJS, in an arrow function', '/suite/a.cjs:3:7', '/suite/a.cjs:3:7'],
    ['in a path with blanks and brackets', 'main (file:///a%20b%20(1)/a.ts:3:7)', '/a b (1)/a.ts:3:7'],
  ])('is found %s', (_where, frame, place) => {
    expect(describeError(thrownAt(frame)).place).toBe(place);
  });

  it('is the first one outside of Node.js, of this package and of installed packages', () => {
    const error = thrownAt(
      'Buffer.alloc (node:buffer:383:3)',
      `Benchmark.end (${own}:51:13)`,
      'run (file:///suite/node_modules/library/index.js:1:1)',
      'new Promise (<anonymous>)',
      'main (file:///suite/a.ts:3:7)',
      'later (file:///suite/a.ts:9:9)',
    );
    expect(describeError(error).place).toBe('/suite/a.ts:3:7');
  });

  it('is unknown if the stack has none', () => {
    expect(describeError(thrownAt('node:internal/timers:3:3')).place).toBeUndefined();
    const bare = new Error('bare');
    delete bare.stack;
    expect(describeError(bare).place).toBeUndefined();
  });
});
