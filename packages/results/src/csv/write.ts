import { argumentsOf, type Configuration, configurationText, type ParameterValue } from '../configuration.ts';
import type { SucceededRun } from '../recording/line.ts';

type CsvRun = Pick<SucceededRun, 'benchmark' | 'configuration' | 'values' | 'time'>;

/** Node core's compare CSV. With more than two subjects, the baseline first, a column has their names. */
export function compareCsvLines(subjects: readonly string[], isNamed = subjects.length > 2) {
  return {
    header: `"binary",${isNamed ? '"subject",' : ''}"filename","configuration","rate","time"`,
    row({ subject, benchmark, configuration, values, time }: CsvRun & Pick<SucceededRun, 'subject'>) {
      const role = subject === subjects[0] ? 'old' : 'new';
      const names = isNamed ? [role, subject, benchmark] : [role, benchmark];
      const texts = [...names, configurationText(configuration)].map((text) => `"${quotesDoubled(text)}"`);
      return `${texts.join(',')},${values.rate},${time}`;
    },
  };
}

/** The first line of a run CSV, without a line end. */
export const RUN_CSV_HEADER = '"filename", "configuration", "rate", "time"';

/** A line of a run CSV as Node core's run.js writes it, without a line end. */
export function runCsvRow(run: CsvRun): string {
  const configuration = quotesDoubled(runConfiguration(run.configuration));
  return `"${quotesDoubled(run.benchmark)}", "${configuration}", ${run.values.rate}, ${run.time}`;
}

/** A configuration as run.js prints it, with values as JSON: `n=1000 type="fast"`. */
export function runConfiguration(configuration: Configuration): string {
  return argumentsOf(configuration, JSON.stringify).join(' ');
}

/** The first line of a scatter CSV with the parameters of the first run, like scatter.js. */
export function scatterCsvHeader(configuration: Configuration): string {
  const parameters = Object.keys(configuration).map(scatterValue);
  return ['"filename"', ...parameters, '"rate"', '"time"'].join(', ');
}

/** A line of a scatter CSV as Node core's scatter.js writes it, without a line end. */
export function scatterCsvRow(run: CsvRun): string {
  const values = Object.values(run.configuration).map(scatterValue);
  return [`"${quotesDoubled(run.benchmark)}"`, ...values, run.values.rate, run.time].join(', ');
}

function scatterValue(value: ParameterValue): string {
  return typeof value === 'string' ? `"${quotesDoubled(value)}"` : String(value);
}

function quotesDoubled(text: string): string {
  return text.replaceAll('"', '""');
}
