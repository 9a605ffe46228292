import type { OfCommand } from '@bench-cli/results';
import type { RateWord } from '@bench-cli/stats/internal';

/** The data of the page's script, which is JSON in the page. */
export interface Payload {
  readonly subjects: readonly string[];
  readonly benchmarks: readonly PayloadBenchmark[];
  /** In the order of the names. */
  readonly rows: readonly PayloadRow[];
  /**
   * Rates of all rows, those of the baseline first, in the units of their rows, as little-endian 32-bit floats in base64. This
   * is half as long as digits.
   */
  readonly rates: string;
  /** The name of the test of all rows. */
  readonly test: string;
}

export interface PayloadBenchmark {
  readonly name: string;
  /** The parameters with the same value in all configurations. */
  readonly shared: string;
}

/** A comparison of one case under one subject with the baseline. */
export interface PayloadRow extends OfCommand {
  /** Rows with the same number are of the same case. */
  readonly case: number;
  /** An index of `benchmarks`. */
  readonly benchmark: number;
  /** An index of `subjects`: the one that is compared with the baseline. */
  readonly subject: number;
  /** The parameters that differ within the benchmark. */
  readonly label: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly verdict: RateWord;
  /** What decides an undecided verdict. */
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
  /**
   * Letters of the ties of the baseline and of the subject: subjects of a case with the same letter cannot be told apart. Absent
   * for two subjects.
   */
  readonly letters?: readonly [baseline: string, subject: string];
  readonly unit: number;
  readonly nOld: number;
  readonly nNew: number;
  /** How many runs of each side failed, if any did. */
  readonly failed?: readonly [old: number, new: number];
  readonly warnings: readonly string[];
  /** A shell command that measures the case again. */
  /** That measures it again; missing if it is not known. */
  readonly command?: string | undefined;
}
