/** A figure of the measured part of a run beside its rate. A process measures it on request. */
export interface Metric {
  /** As in `MetricDescription` of results, which results files contain. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly better: 'less' | 'more';
  readonly negligible: number;
  /** Whether the amount is divided by the number of operations; otherwise it belongs to the process. */
  readonly isPerOperation: boolean;
  /** Called when the measured part begins. @returns a function for its end, which returns the amount */
  begin(): () => number;
  /** The amount of all measured parts, if it is not the sum. Called once, after the last part. */
  total?(): number;
}

/** Lets several metrics share one profile of a measured part. The first metric to end it ends it for all. */
export function joined<Result>(begin: () => () => Result): () => () => Result {
  let current: (() => Result) | undefined;
  return () => {
    if (current !== undefined) return current;
    const end = begin();
    let result: { readonly value: Result } | undefined;
    current = () => {
      result ??= { value: end() };
      current = undefined;
      return result.value;
    };
    return current;
  };
}
