/** A figure of the measured part of a run beside its rate. A process measures it on request. */
export interface Metric {
  /** As in `MetricDescription` of results, which is recorded. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly better: 'less' | 'more';
  readonly negligible: number;
  /** Whether the amount is divided by the number of operations; otherwise it is that of the process. */
  readonly isPerOperation: boolean;
  /** Called when the measured part begins. The function that it returns is called at the end, and returns the amount. */
  begin(): () => number;
  /** The amount of all measured parts together, where it is not their sum. Called once, after the last part. */
  total?(): number;
}

/** Lets metrics join what another one has begun for the same measured part. Who ends it first ends it for all of them. */
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
