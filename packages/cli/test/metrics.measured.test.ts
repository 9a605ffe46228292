import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;

beforeAll(() => {
  // The elements of an array take 8 bytes each. Larger arrays leave more of each page of memory unused, which counts too.
  suite = temporarySuite({
    'benchmarks/g/fill.js': benchmark(
      '{ n: 200000 }',
      `const length = 100 + Number(process.env.EXTRA ?? 0);
       const make = () => new Array(length).fill(0);
       let last;
       for (let i = 0; i < 1000; i++) last = make();
       bench.start();
       for (let i = 0; i < conf.n; i++) last = make();
       bench.end(conf.n);
       globalThis.last = last;`,
    ),
  });
});

afterAll(() => suite[Symbol.dispose]());

const run = (...args: string[]) => benchCli(args, { cwd: suite.directory });
const subjects = (variable: string) => [
  '--old',
  process.execPath,
  '--new',
  `${process.execPath},env=${variable}`,
];
const six = ['--runs', '6', '--metric', 'alloc'];

describe('compare --metric', () => {
  it('finds in six runs that an operation allocates 4 % more', async () => {
    const { stdout, exitCode } = await run(
      ...['compare', ...subjects('EXTRA=4'), ...six, '--format', 'json', '--out', 'more.jsonl', 'g'],
    );
    expect(exitCode).toBe(0);
    const [alloc] = JSON.parse(stdout).metrics;
    expect(alloc).toMatchObject({ name: 'alloc', unit: 'B', comparisons: [{ verdict: 'more' }] });
    expect(alloc.comparisons[0].ratio.ratio).toBeGreaterThan(1.025);
    expect(alloc.comparisons[0].ratio.ratio).toBeLessThan(1.055);
  });

  it('is shown again by analyze, with words for more and less', async () => {
    const { stdout } = await run('analyze', 'more.jsonl', '--format', 'table');
    expect(stdout).toMatch(/^bytes .*\(alloc\)$/m);
    expect(stdout).toMatch(/^g\/fill\.js n=200000 .* B .* B .* more$/m);
    // A single comparison needs no correction, and gives no guarantee.
    expect(stdout).not.toContain('expected to be due to chance');
  });

  it('is gated', async () => {
    const gated = (...gates: string[]) =>
      run('analyze', ...gates.flatMap((gate) => ['--fail-on', gate]), 'more.jsonl');
    expect(await gated('alloc>1%')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^failed: 1 of 1 .* alloc>1% \(alloc of g\/fill\.js n=200000: \+\d\.\d % to \+\d\.\d %, corrected p .*\)$/m,
      ),
    });
    expect(await gated('alloc>10%')).toMatchObject({
      exitCode: 0,
      stderr: expect.not.stringContaining('failed'),
    });
    expect(await gated('gc>2%')).toEqual(usageError('GATE', '"gc"', 'alloc'));
  });

  it('is gated by the command that measures, which first checks that it measures what the gate names', async () => {
    const words = 'compare --resume more.jsonl --fail-on alloc>1% --format csv';
    const resumed = await run(...words.split(' '));
    expect(resumed).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('alloc of g/fill.js n=200000'),
    });
    // It has rates only.
    expect(resumed.stdout.trim().split('\n')).toHaveLength(13);
    const measuring = ['compare', ...subjects('EXTRA=20'), ...six, '--fail-on', 'rss>10%', 'g'];
    expect(await run(...measuring)).toEqual(usageError('GATE', '"rss"', '--metric rss'));
  });
});

it('run --metric prints the mean of each metric', async () => {
  const { stdout, exitCode } = await run('run', '--metric', 'alloc,rss', '--runs', '2', 'g');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/alloc +rss/);
  expect(stdout).toMatch(/n=200000 +8\d\d B ±.* MB ±/);
});
