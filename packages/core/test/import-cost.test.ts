import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { Suite } from '../../../test/support/script-suite.ts';

const suite = new Suite();
afterAll(() => suite.remove());

interface Loaded {
  readonly files: readonly string[];
  readonly builtins: readonly string[];
}

/** The files and built-in modules that Node.js loads for a module, except those that it always loads. */
async function loadedBy(
  specifier: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Loaded> {
  const observer = suite.write(
    'observer.mjs',
    `import { registerHooks } from 'node:module';
     const before = new Set(process.moduleLoadList);
     const files = [];
     registerHooks({
       load(url, context, nextLoad) {
         if (url.startsWith('file:')) files.push(url);
         return nextLoad(url, context);
       },
     });
     process.on('exit', () => {
       const builtins = process.moduleLoadList.filter((entry) => !before.has(entry));
       console.log(JSON.stringify({ files, builtins }));
     });
     await import(process.env['OBSERVED']);`,
  );
  const { code, stdout, stderr } = await suite.run(observer, {
    environment: { OBSERVED: specifier, ...environment },
  });
  if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
  return JSON.parse(stdout.split('\n').at(-2) ?? '');
}

const heavy =
  /^NativeModule (child_process|cluster|net|http|http2|https|worker_threads|stream|crypto|readline)$/;
const later = 'each run would load it: import it where it is used, with await import()';
const entry = new URL('../lib/index.js', import.meta.url).href;

describe('the process of one configuration', () => {
  // Standard error is the channel here, because standard output would load streams.
  // An empty variable lets the process exit by itself.
  const order = { NODE_RUN_BENCHMARK_FN: '', BENCH_CLI_ORDER: '{"channel":2}' };
  const oneRun = { ...order, BENCH_CLI_TEST: '', LD_PRELOAD: '' };

  it('loads its script, one file, and no module for processes', async () => {
    const source = 'createBenchmark((conf, bench) => { bench.start(); Buffer.alloc(9); bench.end(1); }, {});';
    const script = suite.benchmark('buffers/light.mjs', source);
    const { files, builtins } = await loadedBy(script, oneRun);
    expect(
      files.map((file) => fileURLToPath(file)),
      later,
    ).toEqual([script, fileURLToPath(entry)]);
    expect(builtins.filter((name) => heavy.test(name))).toEqual([]);
  });

  it('loads what it calls and imports: the code of measure(), and a module for processes', async () => {
    const source = 'createBenchmark((conf, bench) => bench.measure(() => Buffer.alloc(9)), {});';
    const script = suite.benchmark('buffers/measure.mjs', `import 'node:child_process'; ${source}`);
    const { files, builtins } = await loadedBy(script, oneRun);
    expect(files.some((file) => /measure\.js$/.test(file))).toBe(true);
    expect(builtins.filter((name) => heavy.test(name))).toContain('NativeModule child_process');
  });
});
