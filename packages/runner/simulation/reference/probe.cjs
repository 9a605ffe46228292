'use strict';

/**
 * Loaded by --require into the process of a benchmark of Node core's suite. Measures candidates for a reference right before and
 * right after the measured part, and sends them after the result.
 */

const Module = require('node:module');

/** The module exports its memory of 1 MiB (m), a walk through it (w), and arithmetic (a), both with a start and a count. */
const { m, w, a } = new WebAssembly.Instance(
  new WebAssembly.Module(
    Buffer.from(
      [
        '0061736d01000000',
        '01070160027f7f017f', // type: (i32, i32) -> i32
        '0303020000', // two functions
        '0503010010', // 16 pages
        '070d03', // exports
        '016d0200',
        '01770000',
        '01610001',
        '0a3602',
        '17000340200028020021002001' + '41016b22010d000b20000b', // p = load(p), n times
        '1c000340200041cd9b046c41016a2100200141016b22010d000b20000b', // x = x * 69069 + 1, n times
      ].join(''),
      'hex',
    ),
  ),
).exports;

const lines = 16_384;
linkLines(new Int32Array(m.buffer));

/** Links all cache lines of the memory to one cycle in random order, by Sattolo's algorithm. */
function linkLines(memory) {
  const order = Int32Array.from({ length: lines }, (_, index) => index);
  let state = 1;
  for (let last = lines - 1; last > 0; last--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const other = state % last;
    [order[last], order[other]] = [order[other], order[last]];
  }
  for (let at = 0; at < lines; at++) memory[order[at] * 16] = order[(at + 1) % lines] * 64;
}

const unsorted = Float64Array.from({ length: 12_000 }, (_, index) => Math.imul(index, 2654435761) >>> 0);
const sorted = new Float64Array(unsorted.length);
const source = Buffer.alloc(1 << 20, 1);
const target = Buffer.alloc(1 << 20, 2);

function sort() {
  sorted.set(unsorted);
  sorted.sort();
}

const candidates = {
  walk: () => w(0, 6 * lines),
  arithmetic: () => a(1, 500_000),
  copy: () => {
    for (let times = 0; times < 24; times++) source.copy(target);
  },
  sort,
};

function warmUp() {
  w(0, lines);
  a(1, 50_000);
  source.copy(target);
  sort();
}

/** Nanoseconds of each candidate. */
function measure() {
  return Object.fromEntries(
    Object.entries(candidates).map(([name, run]) => {
      const startedAt = process.hrtime.bigint();
      run();
      return [name, Number(process.hrtime.bigint() - startedAt)];
    }),
  );
}

const load = Module._load;
Module._load = function (id, ...rest) {
  const loaded = load.call(this, id, ...rest);
  if (!/common(?:\.js)?$/.test(id) || typeof loaded.createBenchmark !== 'function') return loaded;
  const create = loaded.createBenchmark;
  loaded.createBenchmark = (...args) => {
    const bench = create(...args);
    const { start, end } = Object.getPrototypeOf(bench);
    let before;
    bench.start = () => {
      warmUp();
      before = measure();
      start.call(bench);
    };
    bench.end = (operations) => {
      end.call(bench, operations);
      process.send({ type: 'reference', before, after: measure() });
    };
    return bench;
  };
  Module._load = load;
  return loaded;
};
