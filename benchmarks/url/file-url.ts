import { fileURLToPath, pathToFileURL } from 'node:url';
import { createBenchmark } from '@bench-cli/core';

// Does what a module loader does for every module. Uses 16 paths in turn. The sum of the lengths of the results is checked.
createBenchmark(
  ({ direction, path, n }, bench) => {
    const tail = { plain: 'src/module', escapes: 'my files/100%/größe' }[path];
    const paths = Array.from({ length: 16 }, (_, i) => `/home/user/project/${tail}-${i}.js`);
    const urls = paths.map((file) => pathToFileURL(file).href);
    const convert = {
      'url-to-path': (i: number) => fileURLToPath(urls[i] ?? '').length,
      'path-to-url': (i: number) => pathToFileURL(paths[i] ?? '').href.length,
    }[direction];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += convert(i & 15);
    bench.end(n);
    if (sum === 0) throw new Error('nothing was converted');
  },
  { direction: ['url-to-path', 'path-to-url'], path: ['plain', 'escapes'], n: 1.5e5 },
);
