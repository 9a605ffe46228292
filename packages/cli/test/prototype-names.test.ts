import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

/** All objects have properties of these names, `__proto__` besides, which is refused as a name and can be a value. */
const names = ['constructor', 'toString'];
const formats = ['rates', 'table', 'json', 'markdown', 'csv', 'bars', 'bencher', 'github-annotations'];

let suite: TemporarySuite;
beforeAll(() => {
  const report = (metric: string) =>
    `bench.report(1000 + (process.pid % 9), 1n, { metrics: { ${metric}: { value: 1 + (process.pid % 9), better: 'less', unit: 'valueOf' } } });`;
  const files = names.map((name) => [
    `g/${name}.js`,
    benchmark(`{ ${name}: ['toString', '__proto__'] }`, report(name)),
  ]);
  suite = temporarySuite({
    ...Object.fromEntries(files),
    'g/other.js': benchmark('{ type: ["constructor"] }', report('other')),
    'g/reserved.js': benchmark('{ ["__proto__"]: ["a"] }', report('other')),
    'g/metric.js': benchmark('{}', report('["__proto__"]')),
  });
});
afterAll(() => suite[Symbol.dispose]());

const cli = (...words: readonly string[]) => benchCli(words, { cwd: suite.directory });

describe.each(names)('the name %s', (name) => {
  const files = [`g/${name}.js`, 'g/other.js'];
  const other = names.find((each) => each !== name) ?? '';
  const subjects = [
    ...['--subject', `${name}=${process.execPath}`],
    ...['--subject', `${other}=${process.execPath},env=${name}=${other}`, '--allow-same'],
  ];
  const sessions: readonly (readonly [command: string, ...words: string[]])[] = [
    ['run', '--runs', '2'],
    ['compare', ...subjects, '--runs', '2'],
    ['scatter', '--runs', '2', `g/${name}.js`],
  ];

  it.each(sessions)(
    'can be that of parameters, values, subjects, metrics and files: %s',
    async (...words) => {
      const out = suite.path(`${name}-${words[0]}.jsonl`);
      const given = words[0] === 'scatter' ? words : [...words, ...files];
      const { exitCode, stderr, stdout } = await cli(...given, '--out', out);
      expect([exitCode, stderr]).toEqual([0, expect.not.stringMatching(/\[native code\]|internal error/)]);
      expect(stdout).toContain(name);
      for (const format of words[0] === 'scatter' ? ['csv', 'table'] : formats) {
        const shown = await cli('analyze', out, '--format', format);
        expect([format, shown.stderr, shown.exitCode]).toEqual([
          format,
          expect.not.stringContaining('internal'),
          expect.any(Number),
        ]);
        expect(shown.stdout).not.toMatch(/\[native code\]|\[object Object\]/);
      }
      const plot = await cli(
        'analyze',
        out,
        '--plot',
        suite.path('plot.svg'),
        '--html',
        suite.path('page.html'),
      );
      expect(plot).toMatchObject({ exitCode: 0 });
      if (words[0] === 'scatter') return;
      const gate = await cli('analyze', out, '--fail-on', words[0] === 'run' ? 'failed' : `${name}>5%`);
      expect(gate.stderr).not.toMatch(/internal|native/);
    },
  );

  it('selects cases, sets parameters and groups by them', async () => {
    const set = await cli('run', '--dry-run', '--set', `${name}=toString`, ...files);
    expect(set).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`${name}='toString'`) });
    expect(set.stderr).toContain('not in g/other.js');
    const grouped = await cli('analyze', suite.path(`${name}-compare.jsonl`), '--group-by', name);
    expect(grouped.stderr).not.toContain('internal');
    expect(await cli('run', '--set', `${name}=c`, `g/${name}.js`)).toMatchObject(
      usageError('NEW_VALUE', name),
    );
    const missing = await cli('run', '--set', `${name}=c`, 'g/other.js');
    expect([missing.exitCode, missing.stderr]).toEqual([2, expect.stringContaining(name)]);
  });
});

it.each(['reserved', 'metric'])(
  'refuses __proto__ as the name of a parameter or metric: %s',
  async (file) => {
    const { exitCode, stderr } = await cli('run', `g/${file}.js`);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('__proto__')]);
  },
);
