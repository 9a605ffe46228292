import { createBenchmark } from '@bench-cli/core';

// V8 delays the copying of characters until they are read, so the last character of each string is read and the sum of the
// codes is checked. Otherwise `plus` would measure the creation of pairs of pointers.
createBenchmark(
  ({ method, parts, n }, bench) => {
    const words = Array.from({ length: parts + 64 }, (_, i) => `word-${i % 10}`);
    const build = {
      plus: (start: number) => {
        let text = '';
        for (let k = 0; k < parts; k++) text += words[start + k];
        return text;
      },
      template: (start: number) => {
        let text = '';
        for (let k = 0; k < parts; k++) text = `${text}${words[start + k]}`;
        return text;
      },
      concat: (start: number) => {
        let text = '';
        for (let k = 0; k < parts; k++) text = text.concat(words[start + k] ?? '');
        return text;
      },
      join: (start: number) => {
        const list: string[] = [];
        for (let k = 0; k < parts; k++) list.push(words[start + k] ?? '');
        return list.join('');
      },
    }[method];
    const last = parts * 'word-0'.length - 1;
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += build(i & 63).charCodeAt(last);
    bench.end(n);
    if (!(sum >= n * '0'.charCodeAt(0))) throw new Error('a string is too short');
  },
  { method: ['plus', 'template', 'concat', 'join'], parts: [4, 32], n: 1e6 },
);
