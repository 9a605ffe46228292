import { caseName, counted, type OfCommand } from '@bench-cli/results';
import type { NewCase, SampleSummary } from '@bench-cli/stats';
import { percent, speedText } from './figure-text.ts';
import { columnsOf, textTable } from './table/table.ts';

const { names, words } = columnsOf<NewCase>();

/** The heading of the cases that are not compared: `2 new configurations, not compared`. */
export function newCasesHeading(cases: readonly NewCase[]): string {
  return `${counted(cases.length, 'new configuration')}, not compared`;
}

/** The name of a case, with its subject if several subjects have new cases. */
export function newCaseName(newCase: NewCase, cases: readonly NewCase[]): string {
  return cases.every(({ subject }) => subject === newCase.subject)
    ? caseName(newCase)
    : `${caseName(newCase)} (${newCase.subject})`;
}

/** The mean of a sample with its standard deviation: `385.7k ops/s ±1.2 % (n=30)`. */
export function sampleText({ sample, ...of }: OfCommand & { readonly sample: SampleSummary }): string {
  const { n, mean, variance } = sample;
  const spread = variance === null || mean === 0 ? '' : ` ±${percent(Math.sqrt(variance) / mean, 1)} %`;
  return `${speedText(mean, of, 4)}${spread} (n=${n})`;
}

/** A table of the cases that are not compared, with their rates. */
export function renderNewCases(cases: readonly NewCase[]): string {
  const columns = [names('', (each) => newCaseName(each, cases), { indent: '  ' }), words('', sampleText)];
  const table = textTable({ rows: cases, columns });
  return `${newCasesHeading(cases)} (mean ± standard deviation):${table}`;
}
