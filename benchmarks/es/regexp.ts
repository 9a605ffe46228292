import { createBenchmark } from '@bench-cli/core';

// 256 lines of an access log in turn. They are created at runtime, because V8 caches results for strings in the source.
// The sum of the lengths of the results is checked.
createBenchmark(
  ({ task, n }, bench) => {
    const lines = Array.from(
      { length: 256 },
      (_, i) =>
        `10.0.${i}.1 - user${i} [2025-11-${10 + (i % 20)}T12:00:00Z] "GET /items/${i}?q=${i * 7} HTTP/1.1" 200 ${i * 31}`,
    );
    const request = /"(?:GET|POST) ([^ ?]+)(?:\?([^ ]*))? HTTP\/1\.1"/;
    const named = /\[(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)T/;
    const behind = /(?<=\?q=)\d+/u;
    const token = /[\w./:-]+|\S/y;
    const length = {
      test: (line: string) => (request.test(line) ? 1 : 0),
      exec: (line: string) => request.exec(line)?.[1]?.length ?? 0,
      'named-groups': (line: string) => named.exec(line)?.groups?.['day']?.length ?? 0,
      lookbehind: (line: string) => behind.exec(line)?.[0].length ?? 0,
      sticky: (line: string) => {
        let tokens = 0;
        for (let at = 0; at < line.length; at = token.lastIndex + 1) {
          token.lastIndex = at;
          if (!token.test(line)) break;
          tokens++;
        }
        return tokens;
      },
      'match-all': (line: string) => line.match(/\d+/g)?.length ?? 0,
      replace: (line: string) => line.replace(/\d+/g, '#').length,
      'replace-function': (line: string) =>
        line.replace(/\w+ing|items/g, (word) => word.toUpperCase()).length,
      split: (line: string) => line.split(/[\s"[\]]+/).length,
    }[task];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += length(lines[i & 255] ?? '');
    bench.end(n);
    if (sum < n) throw new Error('a line did not match');
  },
  {
    task: [
      'test',
      'exec',
      'named-groups',
      'lookbehind',
      'sticky',
      'match-all',
      'replace',
      'replace-function',
      'split',
    ],
    n: 1.2e6,
  },
);
