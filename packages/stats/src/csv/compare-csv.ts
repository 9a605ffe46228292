import type { SubjectRole } from '../comparison.ts';
import type { SamplePair } from '../comparison-list.ts';
import { StatsInputError } from '../input-error.ts';
import { COMPARE_FORM, type RowCount, readRows } from './form.ts';
import { entryOf } from './grouping.ts';
import { RateList } from './rate-list.ts';
import type { CsvSource } from './source.ts';

/** What a compare CSV holds. */
export interface CompareCsv extends RowCount {
  /** In the order in which the file first names them. */
  readonly pairs: readonly SamplePair[];
}

/** By configuration. */
type RatesByConfiguration = Map<string, { readonly old: RateList; readonly new: RateList }>;

/**
 * Reads the CSV of Node core's compare.js: `"binary","filename","configuration","rate","time"`. Memory grows with
 * the number of rates (8 bytes each) and configurations, not with the file.
 *
 * @throws StatsInputError with the line, for input that is not of that form.
 */
export async function readCompareCsv(source: CsvSource): Promise<CompareCsv> {
  const benchmarks = new Map<string, RatesByConfiguration>();

  const count = await readRows(source, COMPARE_FORM, (header) => {
    const binaryAt = header.indexOf('binary');
    const filenameAt = header.indexOf('filename');
    const configurationAt = header.indexOf('configuration');
    const newBenchmark = (): RatesByConfiguration => new Map();
    const newConfiguration = () => ({ old: new RateList(), new: new RateList() });
    return (fields, rate, line) => {
      const subject = subjectOf(fields[binaryAt] ?? '', line);
      const configurations = entryOf(benchmarks, fields[filenameAt] ?? '', newBenchmark);
      const rates = entryOf(configurations, fields[configurationAt] ?? '', newConfiguration);
      rates[subject].push(rate);
    };
  });

  const pairs = [...benchmarks].flatMap(([benchmark, configurations]) =>
    Array.from(configurations, ([configuration, rates]) => ({
      benchmark,
      configuration,
      old: rates.old.toArray(),
      new: rates.new.toArray(),
    })),
  );
  return { pairs, ...count };
}

function subjectOf(binary: string, line: number): SubjectRole {
  if (binary === 'old' || binary === 'new') return binary;
  throw new StatsInputError(
    `the column "binary" must be "old" or "new", not "${binary}": a comparison has two subjects, so rename them to these`,
    { line, column: 'binary' },
  );
}
