import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorWith, inOrder } from '../../../test/support/error-with.ts';
import { nameCase } from '../src/case.ts';
import { readCompareCsv } from '../src/csv/compare-csv.ts';
import { readScatterCsv } from '../src/csv/scatter-csv.ts';

const HEADER = '"binary","filename","configuration","rate","time"';
const row = (binary: string, rate: number | string) => `"${binary}","a.js","n=1",${rate},0.5`;
const oldAndNew = { baseline: 'old', subject: 'new' };
const compareCsv = (...lines: string[]) => [HEADER, ...lines, ''].join('\n');

async function* chunksOf(bytes: Uint8Array, cuts: readonly number[]) {
  let start = 0;
  for (const end of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
    yield bytes.subarray(start, end);
    start = end;
  }
}

describe('a compare CSV with names of subjects', () => {
  const header = '"binary","subject","filename","configuration","rate","time"';
  const named = (binary: string, subject: string, rate: number) =>
    `"${binary}","${subject}","a.js","n=1",${rate},0.5`;
  const read = (...rows: string[]) => readCompareCsv([header, ...rows, ''].join('\n'));

  it('has a pair of each subject with the old one, whatever the order of the rows', async () => {
    const rows = [named('new', 'bun', 3), named('old', 'node@22', 1), named('new', 'node@24', 2)];
    const { subjects, pairs } = await read(...rows, named('new', 'bun', 4));
    expect(subjects).toEqual(['node@22', 'bun', 'node@24']);
    expect(
      pairs.map(({ baseline, subject, ...pair }) => [
        baseline,
        subject,
        [...Array.from(pair.old)],
        [...Array.from(pair.new)],
      ]),
    ).toEqual([
      ['node@22', 'bun', [1], [3, 4]],
      ['node@22', 'node@24', [1], [2]],
    ]);
  });

  it.each([
    ['two old subjects', [named('old', 'x', 1), named('old', 'y', 1)], ['line 3', '"x"', '"y"']],
    ['a subject that is old and new', [named('old', 'x', 1), named('new', 'x', 1)], ['line 3', '"x"']],
    ['a subject without a name', [named('new', '', 1)], ['line 2', 'empty']],
  ])('fails for %s', async (_, rows, values) => {
    await expect(read(...rows)).rejects.toThrow(errorWith('CSV_SUBJECT', ...values));
  });
});

describe('readCompareCsv', () => {
  it('groups the rates by case and subject, in the order of the file', async () => {
    const text = compareCsv(row('new', 3), row('old', 1), '"old","b.js","",7,1', row('new', 4));
    expect(await readCompareCsv(text)).toEqual({
      subjects: ['old', 'new'],
      pairs: [
        {
          ...nameCase({ benchmark: 'a.js', configuration: { n: 1 } }),
          ...oldAndNew,
          old: new Float64Array([1]),
          new: new Float64Array([3, 4]),
          rounds: { old: [0], new: [0, 1] },
        },
        {
          ...nameCase({ benchmark: 'b.js', configuration: {} }),
          ...oldAndNew,
          old: new Float64Array([7]),
          new: new Float64Array(),
          rounds: { old: [0], new: [] },
        },
      ],
      rows: 4,
      warnings: [],
    });
  });

  it.each([
    ['the older form with blanks', `${HEADER.replaceAll(',', ', ')}\n"old", "a.js", "n=1", 5, 0.5\n`],
    ['line ends of Windows', compareCsv(row('old', 5)).replaceAll('\n', '\r\n')],
    ['a byte-order mark', `\u{feff}${compareCsv(row('old', 5))}`],
    ['no quotes', 'binary,filename,configuration,rate,time\nold,a.js,n=1,5,0.5\n'],
    ['no last line end', compareCsv(row('old', 5)).trimEnd()],
    ['blank lines', `\n${compareCsv('', row('old', 5), '  ', '')}`],
    [
      'columns in another order',
      '"rate","time","binary","configuration","filename"\n5,0.5,"old","n=1","a.js"\n',
    ],
  ])('accepts %s', async (_, text) => {
    const expected = await readCompareCsv(compareCsv(row('old', 5)));
    expect(await readCompareCsv(text)).toEqual(expected);
  });

  it('reads quotes, commas and line ends inside fields', async () => {
    const { pairs } = await readCompareCsv(compareCsv('"old","a.js","s=""x, y""\r\nz""",5,0.5'));
    expect(pairs[0]?.text).toBe('s="x, y"\r\nz"');
  });

  it('reads the same from any chunks', async () => {
    const text = `\u{feff}${compareCsv(
      '"old","a.js","s=""日本"", \r\n 𝄞""",5,0.5\r',
      '"new", "a.js" ,"", 6 ,0.25',
      row('old', '1e3'),
    )}`;
    const bytes = new TextEncoder().encode(text);
    const expected = await readCompareCsv(text);
    expect(expected.rows).toBe(3);
    const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        expect(await readCompareCsv(chunksOf(bytes, at))).toEqual(expected);
      }),
      { seed: 7, numRuns: 500 },
    );
    const everywhere = Array.from(bytes.keys());
    expect(await readCompareCsv(chunksOf(bytes, everywhere))).toEqual(expected);
  });
});

describe('an incomplete last line', () => {
  it.each([
    '"ol',
    '"old","a.js","n=1',
    '"old","a.js","n=1",5',
    '"old","a.js","n=1",5,',
    '"old","a.js","n=1",5,1e',
  ])('is skipped with a warning: %s', async (torn) => {
    const { rows, pairs, warnings } = await readCompareCsv(`${compareCsv(row('old', 5))}${torn}`);
    expect([rows, pairs[0]?.old]).toEqual([1, new Float64Array([5])]);
    expect(warnings).toEqual([expect.stringContaining('line 3')]);
  });

  it('is an error if it has a line end', async () => {
    const read = readCompareCsv(compareCsv(row('old', 5), '"old","a.js","n=1",5'));
    await expect(read).rejects.toThrow(errorWith('CSV_ROW', 'line 3'));
  });

  it('is an error if it is the only row', async () => {
    await expect(readCompareCsv(`${HEADER}\n"old","a`)).rejects.toThrow(errorWith('CSV_EMPTY'));
  });
});

describe('invalid input', () => {
  const good = row('old', 5);
  const utf16 = (text: string) => chunksOf(Buffer.from(`\u{feff}${text}`, 'utf16le'), []);

  it.each([
    ['text for a rate', [good, row('old', 'fast')], 'VALUE', 3, 'rate', '"fast"'],
    ['an empty rate', [row('old', '')], 'VALUE', 2, 'rate', 'empty'],
    ['NaN as a rate', [row('old', 'NaN')], 'VALUE', 2, 'rate', '"NaN"'],
    ['a negative rate', [row('old', -5)], 'VALUE', 2, 'rate', '-5'],
    ['a quoted blank rate', [row('old', '" "')], 'VALUE', 2, 'rate', 'empty'],
    ['an infinite rate', [row('old', 'Infinity')], 'VALUE', 2, 'rate', 'Infinity'],
    ['text for a time', ['"old","a.js","n=1",5,soon'], 'VALUE', 2, 'time', '"soon"'],
    ['another binary', [row('older', 5)], 'SUBJECT', 2, 'binary', '"older"'],
    ['too few fields', ['"old","a.js",5,0.5'], 'ROW', 2, undefined, '4 fields'],
    ['too many fields', [`${good},1`], 'ROW', 2, undefined, '6 fields'],
    ['a quote inside a field', [good, good, 'o"ld,a.js,n=1,5,1'], 'SYNTAX', 4, undefined, 'o"ld'],
    ['text after a closing quote', ['"old" x,"a.js","n=1",5,1'], 'SYNTAX', 2, undefined, 'field 1'],
    ['an unclosed quote', [good, '"old,a.js,n=1,5,1', good], 'SYNTAX', 3, undefined, 'field 1'],
    ['an unclosed quote', [good, 'old,a.js,"n=1,5,1', 'old,a.js,n=1,5,1'], 'SYNTAX', 3, undefined, 'quote'],
    ['an error after line ends', ['"old","a.js","x\n\ny",5,1', row('old', 'x')], 'VALUE', 5, 'rate', '"x"'],
  ])('names line and column: %s', async (_, lines, code, line, column, named) => {
    const read = readCompareCsv(compareCsv(...lines));
    await expect(read).rejects.toMatchObject({
      ...{ code: `ERR_BENCH_CSV_${code}`, line, column },
      message: expect.stringMatching(inOrder([`line ${line}: `, named])),
    });
  });

  it('does not fill the memory with a quote that is never closed', async () => {
    let taken = 0;
    async function* endless() {
      yield `${HEADER}\n"old`;
      for (; taken < 1000; taken++) yield 'x'.repeat(65536);
    }
    await expect(readCompareCsv(endless())).rejects.toThrow(errorWith('CSV_SYNTAX'));
    expect(taken).toBeLessThan(20);
  });

  it.each([
    ['an empty file', '', 'EMPTY', 'compare CSV'],
    ['only blank lines', '\n \n', 'EMPTY', 'compare CSV'],
    ['only a header', `${HEADER}\n`, 'EMPTY', 'header'],
    ['a missing column', '"binary","filename","rate"\n', 'HEADER', '"configuration", "time"'],
    ['an unknown column', `${HEADER},"extra"\n`, 'HEADER', '"extra"'],
    ['another column for subjects', HEADER.replace(',', ',"name",'), 'HEADER', '"name"'],
    ['a repeated column', `${HEADER},"rate"\n`, 'HEADER', '"rate"'],
    ['no header', `${row('old', 5)}\n`, 'HEADER', 'compare.js'],
    ['a run CSV', '"filename", "configuration", "rate", "time"\n', 'HEADER', 'run CSV'],
    ['UTF-16, as PowerShell writes it', utf16(compareCsv(good)), 'SYNTAX', 'UTF-16'],
  ])('is refused: %s', async (_, text, code, named) => {
    await expect(readCompareCsv(text)).rejects.toThrow(errorWith(`CSV_${code}`, named));
  });
});

describe('readScatterCsv', () => {
  it('reads a parameter as a number if all its values are numbers', async () => {
    const text = [
      '"filename", "n", "mixed", "text", "rate", "time"',
      '"a.js", 1e3, 1, "x", 5, 1',
      '"a.js", "2", "y", "", 6, 1',
    ];
    expect(await readScatterCsv(text.join('\n'))).toEqual({
      parameters: ['n', 'mixed', 'text'],
      samples: [
        {
          benchmark: 'a.js',
          configuration: { n: 1000, mixed: '1', text: 'x' },
          rates: new Float64Array([5]),
        },
        { benchmark: 'a.js', configuration: { n: 2, mixed: 'y', text: '' }, rates: new Float64Array([6]) },
      ],
      rows: 2,
      warnings: [],
    });
  });

  it('names the required columns', async () => {
    const read = readScatterCsv('"n", "rate"\n1, 2\n');
    await expect(read).rejects.toThrow(errorWith('CSV_HEADER', '"filename", "time"'));
  });
});
