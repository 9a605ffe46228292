import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/support/fixture.ts';
import { nameCase } from '../src/case.ts';
import { readCompareCsv } from '../src/csv/compare-csv.ts';
import { readScatterCsv } from '../src/csv/scatter-csv.ts';
import {
  compareCsvLines,
  RUN_CSV_HEADER,
  runCsvRow,
  scatterCsvHeader,
  scatterCsvRow,
} from '../src/csv/write.ts';

const run = {
  benchmark: 'path/join.js',
  configuration: { n: 1e5, paths: '/foo,bar', quote: `it's "it"` },
  values: { rate: 11552468.017281106 },
  time: '0.008656159',
};

const lines = compareCsvLines(['old', 'new']);

describe('a row as Node core writes it', () => {
  it('compare.js: values by util.inspect, no blanks', () => {
    expect(lines.row({ subject: 'old', ...run })).toBe(
      `"old","path/join.js","n=100000 paths='/foo,bar' quote=\`it's ""it""\`",11552468.017281106,0.008656159`,
    );
    expect(lines.header).toBe(fixture('compare-path.csv').split('\n')[0]);
  });

  it('compare.js with more than two subjects: their names in a column', () => {
    const named = compareCsvLines(['node@22', 'a "b"', 'c']);
    expect(named.header).toBe('"binary","subject","filename","configuration","rate","time"');
    expect(compareCsvLines(['a', 'b'], true).header).toBe(named.header);
    const row = { ...run, configuration: { n: 1 }, values: { rate: 2 }, time: '3' };
    expect(named.row({ subject: 'node@22', ...row })).toBe('"old","node@22","path/join.js","n=1",2,3');
    expect(named.row({ subject: 'a "b"', ...row })).toBe('"new","a ""b""","path/join.js","n=1",2,3');
  });

  it('run.js: values as JSON, blanks after commas', () => {
    expect(runCsvRow(run)).toBe(
      `"path/join.js", "n=100000 paths=""/foo,bar"" quote=""it's \\""it\\""""", 11552468.017281106, 0.008656159`,
    );
    expect(RUN_CSV_HEADER).toBe('"filename", "configuration", "rate", "time"');
  });

  it('scatter.js: one column per parameter, text quoted', () => {
    const recorded = scatterCsvHeader({ n: 20000, chunkLen: 16, inLen: 128, encoding: 'ascii' });
    expect(recorded).toBe(fixture('scatter-one-inlen.csv').split('\n')[0]);
    expect(scatterCsvHeader(run.configuration)).toBe('"filename", "n", "paths", "quote", "rate", "time"');
    expect(scatterCsvRow(run)).toBe(
      `"path/join.js", 100000, "/foo,bar", "it's ""it""", 11552468.017281106, 0.008656159`,
    );
  });

  it('prints a configuration without parameters', () => {
    expect(runCsvRow({ ...run, configuration: {} })).toContain('"path/join.js", "", ');
    expect(scatterCsvRow({ ...run, configuration: {} })).toBe(
      '"path/join.js", 11552468.017281106, 0.008656159',
    );
  });
});

describe('a written CSV can be read', () => {
  const configuration = { text: 'line\nend, "quoted"', strict: true, n: 1 };
  const awkward = { ...run, benchmark: 'a "b", c.js', configuration };

  it('compare.js', async () => {
    const text = [lines.header, lines.row({ subject: 'new', ...awkward })].join('\n');
    expect((await readCompareCsv(text)).pairs).toEqual([
      {
        ...nameCase(awkward),
        baseline: 'old',
        subject: 'new',
        old: new Float64Array(),
        new: new Float64Array([run.values.rate]),
        rounds: { old: [], new: [0] },
      },
    ]);
  });

  it('scatter.js', async () => {
    const text = [scatterCsvHeader(awkward.configuration), scatterCsvRow(awkward)].join('\n');
    expect(await readScatterCsv(text)).toMatchObject({
      parameters: ['text', 'strict', 'n'],
      samples: [{ benchmark: 'a "b", c.js', configuration: awkward.configuration }],
    });
  });
});
