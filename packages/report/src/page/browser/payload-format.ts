import type { OfCommand } from '@bench-cli/results';
import type { RateWord } from '@bench-cli/stats/internal';

/** The data of the page's script, as JSON in the page. */
export interface Payload {
  readonly subjects: readonly string[];
  readonly benchmarks: readonly PayloadBenchmark[];
  /** In the order of the names. */
  readonly rows: readonly PayloadRow[];
  /** Rates of all rows, the baseline first: little-endian 32-bit floats in base64, half as long as digits. */
  readonly rates: string;
  readonly test: string;
}

export interface PayloadBenchmark {
  readonly name: string;
  /** The parameters with the same value in all configurations. */
  readonly shared: string;
}

/** The verdict of a comparison, or that a side has not run. */
export type ResultWord = RateWord | 'not run';

/** A comparison of one case under one subject with the baseline. */
export interface PayloadRow extends OfCommand {
  /** Rows of the same case have the same number. */
  readonly case: number;
  /** An index of `benchmarks`. */
  readonly benchmark: number;
  /** The index in `subjects` of the subject after the baseline. */
  readonly subject: number;
  /** The parameters that differ within the benchmark. */
  readonly label: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly verdict: ResultWord;
  readonly reason?: string | undefined;
  readonly change: number | null;
  /** The least size of a difference, a fraction with its sign; 0 without a difference. */
  readonly least: number | null;
  /** Ends of the interval of the ratio, minus 1. */
  readonly low: number | null;
  readonly high: number | null;
  readonly p: number | null;
  /** The mean rates, operations per second; null without runs. */
  readonly oldMean: number | null;
  readonly newMean: number | null;
  /** Subjects of a case with a common letter are tied. Absent for two subjects. */
  readonly letters?: readonly [baseline: string, subject: string];
  readonly unit: number;
  readonly nOld: number;
  readonly nNew: number;
  readonly failed?: readonly [old: number, new: number];
  readonly warnings: readonly string[];
  /** The shell command that measures the case again; missing if unknown. */
  readonly command?: string | undefined;
}
