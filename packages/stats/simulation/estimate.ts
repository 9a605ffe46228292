/** A figure from a simulation. */
export interface Estimate {
  readonly value: number;
  readonly standardError: number;
}

/** The share of events. */
export function shareOf(count: number, of: number): Estimate {
  const value = count / of;
  return { value, standardError: Math.sqrt((value * (1 - value)) / of) };
}

/** The difference of the shares of two events that were tried on the same data. */
export function shareDifference(onlyOne: number, onlyOther: number, of: number): Estimate {
  const value = (onlyOne - onlyOther) / of;
  return { value, standardError: Math.sqrt(((onlyOne + onlyOther) / of - value ** 2) / of) };
}

export function meanOf(values: readonly number[]): Estimate {
  const value = values.reduce((sum, each) => sum + each, 0) / values.length;
  const squares = values.reduce((sum, each) => sum + (each - value) ** 2, 0);
  return { value, standardError: Math.sqrt(squares / (values.length - 1) / values.length) };
}

/** The mean of independent figures. */
export function meanEstimate(estimates: readonly Estimate[]): Estimate {
  const count = estimates.length;
  const value = estimates.reduce((sum, each) => sum + each.value, 0) / count;
  const variance = estimates.reduce((sum, { standardError }) => sum + standardError ** 2, 0);
  return { value, standardError: Math.sqrt(variance) / count };
}
