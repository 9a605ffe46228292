import { type Configuration, configurationText, type ParameterValue } from '../configuration.ts';
import type { SubjectRole } from '../samples.ts';

export interface CsvRun {
  readonly name: string;
  readonly configuration: Configuration;
  /** Operations per second. */
  readonly rate: number;
  /** Seconds, as a decimal number, such as `0.217523877`. */
  readonly time: string;
}

/** The first line of a compare CSV, without a line end. */
export const COMPARE_CSV_HEADER = '"binary","filename","configuration","rate","time"';

/** A line of a compare CSV as Node core's compare.js writes it, without a line end. */
export function compareCsvRow(run: CsvRun & { readonly binary: SubjectRole }): string {
  const configuration = quotesDoubled(configurationText(run.configuration));
  return `"${run.binary}","${quotesDoubled(run.name)}","${configuration}",${run.rate},${run.time}`;
}

/** The first line of a run CSV, without a line end. */
export const RUN_CSV_HEADER = '"filename", "configuration", "rate", "time"';

/** A line of a run CSV as Node core's run.js writes it, without a line end. */
export function runCsvRow(run: CsvRun): string {
  const configuration = quotesDoubled(runConfiguration(run.configuration));
  return `"${quotesDoubled(run.name)}", "${configuration}", ${run.rate}, ${run.time}`;
}

/** A configuration as run.js prints it, with values as JSON: `n=1000 type="fast"`. */
export function runConfiguration(configuration: Configuration): string {
  return Object.entries(configuration)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(' ');
}

/** The first line of a scatter CSV, without a line end. Like scatter.js, it uses the parameters of the first run. */
export function scatterCsvHeader(configuration: Configuration): string {
  const parameters = Object.keys(configuration).map(scatterValue);
  return ['"filename"', ...parameters, '"rate"', '"time"'].join(', ');
}

/** A line of a scatter CSV as Node core's scatter.js writes it, without a line end. */
export function scatterCsvRow(run: CsvRun): string {
  const values = Object.values(run.configuration).map(scatterValue);
  return [`"${quotesDoubled(run.name)}"`, ...values, run.rate, run.time].join(', ');
}

function scatterValue(value: ParameterValue): string {
  return typeof value === 'string' ? `"${quotesDoubled(value)}"` : String(value);
}

function quotesDoubled(text: string): string {
  return text.replaceAll('"', '""');
}
