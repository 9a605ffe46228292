/**
 * Compares what is measured with what was asked. In each of 17 worlds in which the two could differ, plain processes, one after the other,
 * measure two sides for the declared times, and `compare` answers the same question. Prints both ratios with their intervals, and exits
 * with 1 if they contradict each other: if their intervals do not overlap.
 *
 *     pnpm bench:worlds                                # 60 plain processes of each side, about an hour on a quiet machine
 *     pnpm bench:worlds --runs 5 --world 'memory|timers'
 */
import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs, promisify } from 'node:util';
import type { PlannedSampling } from '@bench-cli/results';
import { criticalT, meanOf, varianceOf } from '@bench-cli/stats/internal';
import { execa } from 'execa';
import { bin } from '../test/support/command.ts';
import { benchmark, temporarySuite } from '../test/support/suite.ts';

interface World {
  /** The source of the operation of both sides, which differ by `isNew`. */
  readonly operation: string;
  /** Code before it. */
  readonly head?: string;
  /** A process executes the operation once, without a warm-up. */
  readonly isOnce?: true;
  /** Variables of the new side only. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A module that takes long to compile. */
const largeModule = (functions: number, toExport: string) =>
  Array.from(
    { length: functions },
    (_, at) =>
      `${toExport}f${at} = (a) => { let x = a; for (let i = 0; i < 9; i++) x = x * ${at} + i; return x; };`,
  ).join('\n');

const worlds: Readonly<Record<string, World>> = {
  'turns: caches of the CPU': {
    head: `const size = 1 << (isNew ? 19 : 16); const ring = new Int32Array(size);
      for (let at = 0; at < size; at++) ring[at] = (Math.imul(at, 1664525) + 1013904223) & (size - 1); let at = 0;`,
    operation: 'for (let i = 0; i < 2e4; i++) at = ring[at]; sink += at;',
  },
  'plan: slower after 300 ms': {
    head: 'let first;',
    operation:
      'first ??= performance.now(); work(!isNew ? 5e4 : performance.now() - first < 300 ? 42500 : 15e4);',
  },
  'pilot: slower after 900 ms': {
    head: 'let first;',
    operation:
      'first ??= performance.now(); work(!isNew ? 5e4 : performance.now() - first < 900 ? 42500 : 15e4);',
  },
  'probes: reads of a clock': {
    operation: 'for (let i = 0; i < 50; i++) { work(isNew ? 3e4 : 2e4); sink += performance.now(); }',
  },
  'preloads: stack traces': {
    head: 'const trace = (depth) => depth > 0 ? trace(depth - 1) : new Error("a").stack.length;',
    // A trace has ten frames, none of which is of the caller.
    operation: 'for (let i = 0; i < 20; i++) { work(2e4); if (isNew) sink += trace(12); }',
  },
  'compile cache: import of a large module': {
    operation: 'await import(isNew ? "./_large.mjs" : "./_small.mjs");',
    isOnce: true,
  },
  'heap of preloads: garbage': {
    operation:
      'let kept; for (let i = 0; i < (isNew ? 4e4 : 3e4); i++) kept = { i, last: i % 1000 ? kept : 0 }; sink += kept.i;',
  },
  'CPU: threads in parallel': {
    head: `import { promisify } from 'node:util'; import zlib from 'node:zlib';
      const gzip = promisify(zlib.gzip); const input = Buffer.alloc(3e5, 'abcdefg');`,
    operation:
      'if (isNew) await Promise.all([gzip(input), gzip(input)]); else { await gzip(input); await gzip(input); }',
  },
  'size of the environment': {
    head: 'const deep = (n, x) => n > 0 ? deep(n - 1, x * 1.0001) + x : x;',
    operation: 'for (let i = 0; i < 500; i++) sink += deep(50, i);',
    env: { PADDING: 'x'.repeat(3001) },
  },
  'addresses: maps of objects': {
    head: `const keys = Array.from({ length: 2000 }, (_, at) => ({ at }));
      const map = isNew ? new WeakMap() : new Map(); for (const key of keys) map.set(key, key.at);`,
    operation: 'for (const key of keys) sink += map.get(key);',
  },
  'first run after a build: require': {
    head: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    operation: 'require(isNew ? "./_large.cjs" : "./_small.cjs");',
    isOnce: true,
  },
  'page cache: reads of a file': {
    head: `import { readFileSync } from 'node:fs'; const file = new URL('../data', import.meta.url);`,
    operation: 'for (let i = isNew ? 2 : 1; i > 0; i--) sink += readFileSync(file)[0];',
  },
  'memory of inputs': {
    head: 'const memo = new Map(); let at = 0;',
    operation: `const key = at++ % 200000; let entry = memo.get(key);
      if (entry === undefined) memo.set(key, entry = { key, text: [key, key, key, key] });
      for (let i = 0; i < (isNew ? 1500 : 1000); i++) sink = (sink + i * entry.key) | 0;`,
  },
  'timers within an operation': {
    operation: 'await new Promise((resolve) => setTimeout(resolve, 2)); work(isNew ? 4e6 : 2e6);',
  },
  'CPU time: a little sleep': {
    head: 'const lock = new Int32Array(new SharedArrayBuffer(4)); let calls = 0;',
    operation: 'work(1e5); if (++calls % 40 === 0) Atomics.wait(lock, 0, 0, isNew ? 0.5 : 0);',
  },
  'CPU time: sleep after 300 ms': {
    head: 'const lock = new Int32Array(new SharedArrayBuffer(4)); let first;',
    operation:
      'first ??= performance.now(); work(1e5); if (performance.now() - first > 300) Atomics.wait(lock, 0, 0, isNew ? 0.02 : 0);',
  },
  'cache that grows': {
    head: 'const cache = new Map(); let at = 0;',
    operation: 'for (let i = 0; i < 100; i++) cache.set(at++, isNew ? { at } : at);',
  },
};

const declared = { warmUpMs: 250, measuredMs: 1000 };
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '60' }, world: { type: 'string', default: '' } },
});
const sides = ['old', 'new'] as const;

interface Answer {
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
  readonly how: string;
}

async function ask({ operation, head = '', isOnce, env = {} }: World) {
  const measured = isOnce
    ? 'bench.start(); await operation(); bench.end(1);'
    : `await bench.measure(operation, { warmupMs: ${declared.warmUpMs}, durationMs: ${declared.measuredMs} });`;
  const isAsync = operation.includes('await') ? 'async ' : '';
  using suite = temporarySuite({
    'g/_operation.mjs': `const isNew = process.env.SIDE === 'new'; let sink = 0;
      const work = (n) => { let x = 1; for (let i = 0; i < n; i++) x = (Math.imul(x, 1664525) + 1013904223) | 0; sink += x; };
      ${head}
      export const operation = ${isAsync}() => { ${operation} };`,
    'g/_large.mjs': largeModule(4000, 'export const '),
    'g/_small.mjs': largeModule(2000, 'export const '),
    'g/_large.cjs': largeModule(4000, 'exports.'),
    'g/_small.cjs': largeModule(2000, 'exports.'),
    'g/world.mjs': benchmark('{}', measured, { head: `import { operation } from './_operation.mjs';` }),
    data: 'a'.repeat(2e6),
    // Without any code of this project. As in measure(), the first call comes before the warm-up.
    'plain.mjs': `import { operation } from './g/_operation.mjs';
      const now = () => Number(process.hrtime.bigint()) / 1e6;
      const rate = async (ms) => {
        const began = now(); let [count, elapsedMs] = [0, 0];
        do { const value = operation(); if (value !== undefined) await value; count++; elapsedMs = now() - began; } while (elapsedMs < ms);
        return 1e3 * count / elapsedMs;
      };
      ${isOnce ? '' : `await operation(); await rate(${declared.warmUpMs});`} console.log(await rate(${isOnce ? 0 : declared.measuredMs}));`,
  });
  const tool = await answerOfTool(suite.directory, env);
  return { tool, plain: await answerOfProcesses(suite.path('plain.mjs'), env) };
}

async function answerOfProcesses(file: string, env: World['env']): Promise<Answer> {
  const differences: number[] = [];
  for (let round = 0; round < Number(values.runs); round++) {
    const logs = { old: 0, new: 0 };
    for (const side of randomInt(2) === 0 ? sides : sides.toReversed()) {
      const more = side === 'new' ? env : {};
      const options = { env: { ...process.env, ...more, SIDE: side } };
      const { stdout } = await promisify(execFile)(process.execPath, [file], options);
      logs[side] = Math.log(Number(stdout));
    }
    differences.push(logs.new - logs.old);
  }
  const { length } = differences;
  const width = criticalT(0.05, length - 1) * Math.sqrt(varianceOf(differences) / length);
  const [ratio = 1, low = 1, high = 1] = [0, -width, width].map((side) =>
    Math.exp(meanOf(differences) + side),
  );
  return { ratio, low, high, how: `${length} pairs` };
}

/** A part of `--format json`. */
interface Output {
  readonly comparisons: readonly {
    readonly verdict: string;
    readonly old: { readonly n: number };
    readonly ratio: Omit<Answer, 'how'> | null;
    readonly inTurns?: boolean;
    readonly byCpuTime?: boolean;
    readonly sampling?: PlannedSampling;
  }[];
}

async function answerOfTool(cwd: string, env: World['env']): Promise<Answer> {
  const more = Object.entries(env ?? {}).map(([name, value]) => `,env=${name}=${value}`);
  const subjects = sides.flatMap((side) => [
    '--subject',
    `${side}=${process.execPath},env=SIDE=${side}${side === 'new' ? more.join('') : ''}`,
  ]);
  const args = ['compare', ...subjects, '--suite', cwd, '--budget', '2m', '--format', 'json', 'g'];
  const { stdout, stderr } = await execa(process.execPath, [bin, ...args], { cwd, reject: false });
  const { comparisons }: Output = stdout.startsWith('{') ? JSON.parse(stdout) : { comparisons: [] };
  const [comparison] = comparisons;
  if (!comparison?.ratio) return { ratio: Number.NaN, low: Number.NaN, high: Number.NaN, how: stderr };
  const { ratio, old, sampling, inTurns, byCpuTime, verdict } = comparison;
  const plan = sampling?.plans.at(-1) ?? sampling?.declared;
  const part = plan ? `, ${plan.warmUpMs} + ${plan.measuredMs} ms` : '';
  const way = `${inTurns ? ' in turns' : ''}${byCpuTime ? ' by CPU time' : ''}`;
  return { ...ratio, how: `${verdict}, ${old.n} pairs${way}${part}` };
}

const text = ({ ratio, low, high, how }: Answer) =>
  `${ratio.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), ${how}`;
for (const [name, world] of Object.entries(worlds)) {
  if (!new RegExp(values.world).test(name)) continue;
  const { plain, tool } = await ask(world);
  const agrees = plain.low <= tool.high && tool.low <= plain.high;
  console.log(
    `${agrees ? 'agrees     ' : 'CONTRADICTS'}  ${name}\n  plain  ${text(plain)}\n  tool   ${text(tool)}`,
  );
  if (!agrees) process.exitCode = 1;
}
