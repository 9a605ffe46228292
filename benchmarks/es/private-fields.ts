import { createBenchmark } from '@bench-cli/core';

class Public {
  count = 0;
  add(amount: number) {
    this.count += amount;
    return this.count;
  }
}

class Private {
  #count = 0;
  add(amount: number) {
    this.#count += amount;
    return this.#count;
  }
}

class PrivateMethod {
  #count = 0;
  #change(amount: number) {
    this.#count += amount;
    return this.#count;
  }
  add(amount: number) {
    return this.#change(amount);
  }
}

class Accessor {
  #count = 0;
  get count() {
    return this.#count;
  }
  set count(value) {
    this.#count = value;
  }
  add(amount: number) {
    this.count += amount;
    return this.count;
  }
}

const counts = new WeakMap<Weak, number>();

class Weak {
  constructor() {
    counts.set(this, 0);
  }
  add(amount: number) {
    const count = (counts.get(this) ?? 0) + amount;
    counts.set(this, count);
    return count;
  }
}

function closure() {
  let count = 0;
  return {
    add(amount: number) {
      count += amount;
      return count;
    },
  };
}

// Ways to make the state of an object private. One operation is a call that changes the state of the next of 16 objects,
// so that no state stays in a register. The states are checked at the end.
createBenchmark(
  ({ kind, n }, bench) => {
    const create = {
      public: () => new Public(),
      private: () => new Private(),
      'private-method': () => new PrivateMethod(),
      accessor: () => new Accessor(),
      closure,
      weakmap: () => new Weak(),
    }[kind];
    const objects = Array.from({ length: 16 }, () => create());
    let last = 0;
    bench.start();
    for (let i = 0; i < n; i++) last += (objects[i & 15]?.add(1) ?? 0) & 1;
    bench.end(n);
    const sum = objects.reduce((total, object) => total + object.add(0), 0);
    if (sum !== n || last === 0) throw new Error(`the objects counted ${sum}, not ${n}`);
  },
  { kind: ['public', 'private', 'private-method', 'accessor', 'closure', 'weakmap'], n: 3e7 },
);
