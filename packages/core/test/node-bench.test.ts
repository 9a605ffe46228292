import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

/** Node.js 26.10, which has `node:bench` behind a flag. */
const node = fileURLToPath(new URL('../../../node_modules/node-runtime/bin/node', import.meta.url));

interface Complete {
  readonly name: string;
  readonly namePath: readonly string[];
  readonly params: object;
  readonly samples: readonly {
    readonly operations: number;
    readonly duration_ns: string;
    readonly rate: number;
  }[];
  readonly error?: { readonly name: string; readonly message: string };
}

async function bench(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  using suite = temporarySuite(files);
  const flags = '--experimental-bench --disable-warning=ExperimentalWarning --bench --bench-reporter=json';
  const { stdout, exitCode } = await execa(node, [...flags.split(' '), ...args, ...Object.keys(files)], {
    cwd: suite.directory,
    reject: false,
  });
  const records = stdout.split('\n').map((line) => JSON.parse(line));
  const completed: readonly Complete[] = records
    .filter(({ type }) => type === 'bench:complete')
    .map(({ data }) => data);
  const printed: readonly string[] = records
    .filter(({ data }) => data.stream !== undefined)
    .flatMap(({ data }) => data.message.trim().split('\n'));
  return { completed, printed, exitCode };
}

describe('createBenchmark under node --bench', () => {
  it.each(['process', 'none'])(
    'declares each configuration as a benchmark, with isolation %s',
    async (isolation) => {
      const files = {
        'g/a.ts': benchmark(
          '{ n: [10, 20], type: "x", copy: true }',
          'bench.report(conf.n / 2, 4_000_000_000n);',
        ),
        'g/b.js': benchmark('{ n: 3 }', 'bench.start(); for (let i = 0; i < 1e4; i++); bench.end(conf.n);'),
      };
      const { completed, exitCode } = await bench(
        files,
        `--bench-isolation=${isolation}`,
        '--bench-samples=2',
      );
      expect(exitCode).toBe(0);
      const sample = (operations: number) => ({
        operations,
        duration_ns: '4000000000',
        rate: operations / 4,
      });
      expect(completed.slice(0, 2)).toMatchObject([
        { name: 'g/a.ts', params: { copy: true, n: 10, type: 'x' }, samples: [sample(20), sample(20)] },
        { name: 'g/a.ts', params: { copy: true, n: 20, type: 'x' }, samples: [sample(40), sample(40)] },
      ]);
      expect(completed.slice(2)).toMatchObject([
        { name: 'g/b.js', params: { n: 3 }, samples: [{ operations: 3 }, { operations: 3 }] },
      ]);
    },
  );

  it('runs setup and teardown once, around the benchmarks', async () => {
    const source = benchmark(
      '{ n: [1, 2] }',
      'console.log("main", conf.n); bench.report(1, 1_000_000_000n);',
      {
        options:
          '{ setup: (all) => console.log("setup", all.length), teardown: () => console.log("teardown") }',
      },
    );
    const { completed, printed } = await bench({ 'g/a.js': source }, '--bench-samples=2');
    expect(printed).toEqual(['setup 2', 'main 1', 'main 1', 'main 2', 'main 2', 'teardown']);
    expect(completed.map(({ namePath }) => namePath)).toEqual([
      ['g/a.js', 'g/a.js'],
      ['g/a.js', 'g/a.js'],
    ]);
  });

  it('waits for a result that is reported after main has returned', async () => {
    const source = `import { createBenchmark } from '@bench-cli/core';
const bench = createBenchmark(({ n }) => { setImmediate(() => { bench.start(); setImmediate(() => bench.end(n)); }); }, { n: 7 });
`;
    const { completed } = await bench({ 'g/a.js': source }, '--bench-samples=3');
    expect(completed[0]?.samples.map(({ operations }) => operations)).toEqual([7, 7, 7]);
  });

  it('reports errors of one benchmark, and continues with the next', async () => {
    const files = {
      'g/a.js': benchmark(
        '{ n: [1, 2, 3, 4] }',
        [
          'if (conf.n === 1) throw new RangeError("boom");',
          'if (conf.n === 2) bench.end(1);',
          'if (conf.n === 4) bench.report(1, 1n);',
        ].join('\n'),
      ),
    };
    const { completed, exitCode } = await bench(files, '--bench-samples=1');
    expect(exitCode).toBe(1);
    expect(completed.map(({ error }) => error?.name)).toEqual([
      'RangeError',
      'BenchmarkError',
      'BenchmarkError',
      undefined,
    ]);
  });

  it('names missing flags', async () => {
    const source = benchmark('{ n: 1 }', 'bench.report(1, 1n);', { options: '{ flags: ["--expose-gc"] }' });
    const missing = /g\/a\.js [^"]*--expose-gc/;
    expect(JSON.stringify(await bench({ 'g/a.js': source }))).toMatch(missing);
    expect(JSON.stringify(await bench({ 'g/a.js': source }, '--expose-gc'))).not.toMatch(missing);
  });
});
