/** What the page's scripts get to know, as JSON in the page. */
export interface Payload {
  /** In the order of their names. */
  readonly rows: readonly PayloadRow[];
  /**
   * Rates of all rows, old before new, in units of their row, as little-endian 32-bit floats in base64: half of what
   * digits would take.
   */
  readonly rates: string;
  /** What the methods of the rows call their figures. */
  readonly methods: Readonly<
    Partial<Record<MethodName, { readonly test: string; readonly rankTest?: string }>>
  >;
  /** A corrected p-value below this survives. */
  readonly level: number;
}

type MethodName = 'fixed' | 'stratified' | 'sequential';

export interface PayloadRow {
  readonly benchmark: string;
  readonly configuration: string;
  readonly method: MethodName;
  readonly verdict: 'faster' | 'slower' | 'no difference' | 'undecided';
  /** A fraction. */
  readonly change: number | null;
  /** Ends of the interval of the ratio, minus 1. */
  readonly low: number | null;
  readonly high: number | null;
  readonly p: number | null;
  readonly adjustedP: number | null;
  /** Absent where the method has no rank test. */
  readonly rankP?: number | null;
  /** Hedges' g; absent where the method does not have it. */
  readonly effect?: number | null;
  /** Operations per second that the row's rates are in units of. */
  readonly unit: number;
  readonly nOld: number;
  readonly nNew: number;
  readonly warnings: readonly string[];
  /** A shell command that measures this configuration again. */
  readonly command: string;
}
