import { caseOfText } from '../case.ts';
import type { SamplePair } from '../samples.ts';
import { UsageError } from '../usage-error.ts';
import { type RowCount, readRows } from './form.ts';
import { Grouping } from './grouping.ts';
import { RateColumns } from './rate-columns.ts';
import type { CsvSource } from './scan.ts';

export interface CompareCsv extends RowCount {
  /** In the order of their first rows. */
  readonly pairs: readonly SamplePair[];
}

/**
 * Reads the CSV of Node core's compare.js: `"binary","filename","configuration","rate","time"`. Memory grows with the
 * number of rates (up to 36 bytes each) and of cases, not with the size of the file.
 *
 * @throws UsageError with the line, for input that is not of that form
 */
export async function readCompareCsv(source: CsvSource): Promise<CompareCsv> {
  const grouping = new Grouping();
  const rates = new RateColumns();

  const count = await readRows(source, 'compare', (header) => {
    const binaryAt = header.indexOf('binary');
    const filenameAt = header.indexOf('filename');
    const configurationAt = header.indexOf('configuration');
    return (fields, rate, line) => {
      const side = sideOf(fields[binaryAt] ?? '', line);
      const group = grouping.numberOf(fields[filenameAt] ?? '', fields[configurationAt] ?? '');
      rates.push(2 * group + side, rate);
    };
  });

  const { groups } = grouping;
  const samples = rates.bySample(2 * groups.length);
  const none = new Float64Array();
  const pairs = groups.map((group, number) => ({
    ...caseOfText(group.benchmark, group.configuration),
    old: samples[2 * number] ?? none,
    new: samples[2 * number + 1] ?? none,
  }));
  return { pairs, ...count };
}

function sideOf(binary: string, line: number): 0 | 1 {
  if (binary === 'old') return 0;
  if (binary === 'new') return 1;
  throw new UsageError(
    'ERR_BENCH_CSV_SUBJECT',
    `the column "binary" must be "old" or "new", not "${binary}": a comparison has two subjects, so rename them to these`,
    { line, column: 'binary' },
  );
}
