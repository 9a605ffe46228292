/** A removed operation takes at most this many times as long as a call of an empty function. */
const MOST_CALLS = 2;

/** Whether the compiler removed an operation: it takes no longer than calls of an empty function. */
export function isEmptyOperation(operationNs: number, callNs = 0.5): boolean {
  return operationNs <= MOST_CALLS * callNs;
}
