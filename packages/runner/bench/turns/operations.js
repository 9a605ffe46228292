import { createBenchmark } from '@bench-cli/core';

/** Operations of JavaScript that need no package, by name. Each function returns one. */
const operations = {
  sort: () => {
    const numbers = Array.from({ length: 300 }, (_, at) => (at * 7919) % 1009);
    return () => numbers.slice().sort((a, b) => a - b)[3];
  },
  json: () => {
    const text = JSON.stringify({ list: [1, 2, 3, { b: 'text', c: null }], d: 'x'.repeat(80) });
    return () => JSON.parse(text).list.length;
  },
  regexp: () => {
    const text = 'the quick brown fox '.repeat(10);
    return () => text.replace(/\b(\w)(\w*)/g, (_, first, rest) => first.toUpperCase() + rest).length;
  },
  objects: () => () => {
    let last = null;
    for (let i = 0; i < 50; i++) last = { i, last: i % 3 === 0 ? null : last };
    return last.i;
  },
  map: () => () => {
    const map = new Map();
    for (let i = 0; i < 60; i++) map.set(i * 31, i);
    return map.get(62);
  },
  strings: () => () => {
    let text = '';
    for (let i = 0; i < 40; i++) text += i.toString(16);
    return text.indexOf('3b');
  },
  classes: () => {
    class Shape {
      constructor(size) {
        this.size = size;
      }
      area() {
        return this.size;
      }
    }
    class Square extends Shape {
      area() {
        return this.size * this.size;
      }
    }
    const shapes = Array.from({ length: 200 }, (_, at) => (at % 2 ? new Square(at) : new Shape(at)));
    return () => shapes.reduce((sum, shape) => sum + shape.area(), 0);
  },
  numbers: () => () => {
    let sum = 0;
    for (let i = 1; i < 500; i++) sum += Math.sqrt(i) / (i % 7 || 1);
    return sum;
  },
  'reads of 1 MB': () => readsOf(1 << 20),
  'reads of 16 MB': () => readsOf(16 << 20),
};

/** Random reads of an array of so many bytes. */
function readsOf(bytes) {
  const numbers = new Uint32Array(bytes / 4).map((_, at) => at * 2_654_435_761);
  let at = 1;
  return () => {
    let sum = 0;
    for (let i = 0; i < 200; i++) {
      at = (at * 1_664_525 + 1_013_904_223) >>> 0;
      sum += numbers[at % numbers.length];
    }
    return sum + 1;
  };
}

/** Calls in one operation. One more is 1 %. */
const calls = 100;
const timeMs = Number(process.env.MEASURED_MS ?? 60);

createBenchmark(
  ({ operation }, bench) => {
    const call = operations[operation]();
    const times = calls + Number(process.env.PLANTED ?? 0);
    let result = 0;
    const operate = () => {
      for (let i = 0; i < times; i++) result += call() ? 1 : 0;
    };
    const operateFor = (ms) => {
      const endMs = performance.now() + ms;
      let count = 0;
      do {
        operate();
        count++;
      } while (performance.now() < endMs);
      return count;
    };
    operateFor(timeMs / 2);
    bench.start();
    const count = operateFor(timeMs);
    bench.end(result > 0 ? count : 0);
  },
  { operation: Object.keys(operations) },
);
