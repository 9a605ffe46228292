import { type RowCount, RUN_FORM, readRows } from './form.ts';
import { entryOf } from './grouping.ts';
import { RateList } from './rate-list.ts';
import type { CsvSource } from './source.ts';

/** Rates (operations per second) of one configuration of one benchmark. */
export interface RunSample {
  readonly benchmark: string;
  readonly configuration: string;
  readonly rates: ArrayLike<number>;
}

/** What a run CSV holds. */
export interface RunCsv extends RowCount {
  /** In the order in which the file first names them. */
  readonly samples: readonly RunSample[];
}

/**
 * Reads the CSV of Node core's run.js: `"filename", "configuration", "rate", "time"`.
 *
 * @throws StatsInputError with the line, for input that is not of that form.
 */
export async function readRunCsv(source: CsvSource): Promise<RunCsv> {
  const benchmarks = new Map<string, Map<string, RateList>>();

  const count = await readRows(source, RUN_FORM, (header) => {
    const filenameAt = header.indexOf('filename');
    const configurationAt = header.indexOf('configuration');
    return (fields, rate) => {
      const configurations = entryOf(benchmarks, fields[filenameAt] ?? '', () => new Map<string, RateList>());
      entryOf(configurations, fields[configurationAt] ?? '', () => new RateList()).push(rate);
    };
  });

  const samples = [...benchmarks].flatMap(([benchmark, configurations]) =>
    Array.from(configurations, ([configuration, rates]) => ({
      benchmark,
      configuration,
      rates: rates.toArray(),
    })),
  );
  return { samples, ...count };
}
