import type { Judgement, Verdict } from '@bench-cli/stats';

/** The data of the page's script, which is JSON in the page. */
export interface Payload {
  /** In the order of the names. */
  readonly rows: readonly PayloadRow[];
  /**
   * Rates of all rows, old before new, in the units of their rows, as little-endian 32-bit floats in base64. This is half as
   * long as digits.
   */
  readonly rates: string;
  /** The names of the figures of each method. */
  readonly methods: Readonly<Record<string, { readonly test: string; readonly rankTest?: string }>>;
}

export interface PayloadRow {
  readonly benchmark: string;
  readonly configuration: string;
  readonly method: Judgement['method'];
  readonly verdict: Verdict;
  /** A fraction. */
  readonly change: number | null;
  /** Ends of the interval of the ratio, minus 1. */
  readonly low: number | null;
  readonly high: number | null;
  readonly p: number | null;
  readonly adjustedP: number | null;
  /** Whether the difference survives the correction for the number of comparisons. */
  readonly survives: boolean;
  /** Absent if the method has no rank test. */
  readonly rankP?: number | null;
  /** Hedges' g; absent if the method does not have it. */
  readonly effect?: number | null;
  /** The unit of the row's rates, operations per second. */
  readonly unit: number;
  readonly nOld: number;
  readonly nNew: number;
  readonly warnings: readonly string[];
  /** A shell command that measures the case again. */
  readonly command: string;
}
