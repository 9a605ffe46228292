import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { benchCli, root } from '../../../../test/support/command.ts';
import { usageError } from '../../../../test/support/error-with.ts';
import { sharedSuite } from '../../../../test/support/until-end.ts';

const fixtures = join(root, 'packages/stats/test/fixtures');

// 10 runs around 1000; the new mean by the configuration.
const rows = [
  ["len=16 kind='a'", 900],
  ["len=1024 kind='a'", 990],
  ["len=1024 kind='b'", 1200],
].flatMap(([configuration, mean]) =>
  Array.from({ length: 10 }, (_, run) => {
    const offset = (run * 7) % 10;
    return [
      `"old","g/a.js","${configuration}",${1000 + offset},0.1`,
      `"new","g/a.js","${configuration}",${Number(mean) + offset},0.1`,
    ];
  }).flat(),
);
const header = '"binary","filename","configuration","rate","time"';
const files = sharedSuite({ 'compare.csv': `${[header, ...rows].join('\n')}\n` });

const analyze = (...args: string[]) => benchCli(['analyze', ...args], { cwd: files.directory });
const compare = (...args: string[]) => analyze(...args, 'compare.csv');

it.each([
  ['a plot that is not a picture', '--plot a.pdf', 'OPTION', ['a.pdf', '.svg', '.png']],
  ['a plot that cannot be written', '--plot none/a.svg', 'WRITE', ['none/a.svg']],
  ['JUnit without a gate', '--format junit', 'OPTION_CONFLICT', ['--fail-on']],
  ['groups in Markdown', '--group-by len --format markdown', 'OPTION_CONFLICT', ['markdown']],
])('analyze refuses %s', async (_, args, code, names) => {
  const stdout = code === 'WRITE' ? { stdout: expect.any(String) } : {};
  expect(await compare(...args.split(' '))).toEqual({ ...usageError(code, ...names), ...stdout });
});

describe('formats of other services', () => {
  const names = ["g/a.js len=16 kind='a'", "g/a.js len=1024 kind='a'", "g/a.js len=1024 kind='b'"];
  // 10 runs have a standard deviation of 3.03 and t = 2.262.
  const half = expect.closeTo(2.166, 3);

  it('has the new rates with their intervals for Bencher', async () => {
    const { stdout, exitCode } = await compare('--format', 'bencher');
    const rates = [904.5, 994.5, 1204.5].map((value) => ({ throughput: expect.objectContaining({ value }) }));
    expect(JSON.parse(stdout)).toEqual(Object.fromEntries(names.map((name, at) => [name, rates[at]])));
    expect(exitCode).toBe(0);
    const { value, lower_value, upper_value } = JSON.parse(stdout)[names[0] ?? ''].throughput;
    expect([value - lower_value, upper_value - value]).toEqual([half, half]);
  });

  it('has the new rates for github-action-benchmark, where bigger is better', async () => {
    const entries = JSON.parse((await compare('--format', 'github-action-benchmark')).stdout);
    expect(entries).toHaveLength(3);
    const entry = { name: names[0], unit: 'ops/s', value: 904.5, extra: '10 runs' };
    expect(entries).toContainEqual({ ...entry, range: expect.stringMatching(/^± 2\.1\d+$/) });
  });

  it('has no interval of one run, and none below 0', async () => {
    const edges = async (format: string) =>
      JSON.parse(
        (await analyze('--format', format, join(import.meta.dirname, '../pinned/inputs/edges.csv'))).stdout,
      );
    const bencher: Record<string, { throughput: { lower_value?: number } }> = await edges('bencher');
    const [name = ''] = Object.keys(bencher).filter((each) => each.includes("'one run'"));
    expect(bencher[name]).toEqual({ throughput: { value: 12 } });
    const least = Object.values(bencher).map(({ throughput: { lower_value = 0 } }) => lower_value);
    expect(Math.min(...least)).toBe(0);
    const entry = { name, unit: 'ops/s', value: 12, extra: '1 run' };
    expect(await edges('github-action-benchmark')).toContainEqual(entry);
  });

  it('has the outcome of gates as tests for JUnit', async () => {
    const { stdout, exitCode } = await compare('--format', 'junit', '--fail-on', 'slower>=5%');
    expect(exitCode).toBe(1);
    expect(stdout).toContain('<testsuite name="bench-cli" tests="3" failures="1" errors="0">');
    const failed = stdout.match(/<testcase .*>/g)?.map((line) => line.includes('<failure message="'));
    expect(failed).toEqual([true, false, false]);
  });
});

it('the JSON is valid by its schema, which finds mistakes', async () => {
  const { stdout } = await analyze('--format', 'json', join(fixtures, 'compare-edge.csv'));
  const schema = JSON.parse(readFileSync(join(root, 'packages/cli/schema/comparison.schema.json'), 'utf8'));
  const validate = new Ajv2020({ strict: false }).compile(schema);
  const document = JSON.parse(stdout);
  expect(validate(document), JSON.stringify(validate.errors?.[0])).toBe(true);
  expect(validate({ ...document, format: 1 })).toBe(false);
  expect(validate({ ...document, comparisons: [{ ...document.comparisons[0], verdict: 'better' }] })).toBe(
    false,
  );
});

it('a picture is a PNG if its name says so', async () => {
  expect(await compare('--format', 'bars', '--plot', 'bar.png')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readFileSync(files.path('bar.png'), 'latin1').slice(1, 4)).toBe('PNG');
});
