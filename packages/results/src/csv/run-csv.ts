import { type RowCount, RUN_FORM, readRows } from './form.ts';
import { Grouping } from './grouping.ts';
import { RateColumns } from './rate-columns.ts';
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
  const grouping = new Grouping();
  const rates = new RateColumns();

  const count = await readRows(source, RUN_FORM, (header) => {
    const filenameAt = header.indexOf('filename');
    const configurationAt = header.indexOf('configuration');
    return (fields, rate) =>
      rates.push(grouping.numberOf(fields[filenameAt] ?? '', fields[configurationAt] ?? ''), rate);
  });

  const { groups } = grouping;
  const bySample = rates.bySample(groups.length);
  const samples = groups.map((group, number) => ({ ...group, rates: bySample[number] ?? [] }));
  return { samples, ...count };
}
