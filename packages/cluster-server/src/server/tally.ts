/** What a server has received and sent for the requests with one tag. */
export interface Tally {
  /** The number of requests by method. */
  readonly methods: Record<string, number>;
  /** Bytes of their bodies. */
  received: number;
  /** Answers that were sent to their end. */
  finished: number;
}

export function emptyTally(): Tally {
  return { methods: {}, received: 0, finished: 0 };
}

export function addTally(sum: Tally, { methods, received, finished }: Tally): Tally {
  for (const [name, requests] of Object.entries(methods))
    sum.methods[name] = (sum.methods[name] ?? 0) + requests;
  sum.received += received;
  sum.finished += finished;
  return sum;
}

/** @param bytes the length of the body of each request */
export function tallyProblem(
  { methods, received, finished }: Tally,
  { answers, method, bytes }: { readonly answers: number; readonly method: string; readonly bytes: number },
): string | undefined {
  const { [method]: requests = 0, ...others } = methods;
  const [other] = Object.keys(others);
  if (other !== undefined)
    return `the server received ${others[other]} requests by ${other} instead of ${method}`;
  if (requests !== answers)
    return `the client claimed ${answers} answers, but the server received ${requests} requests`;
  if (finished !== answers)
    return `the client claimed ${answers} answers, but took only ${finished} of them to their end`;
  if (received !== bytes * answers)
    return `the client sent ${received} bytes in ${answers} requests instead of ${bytes} in each`;
  return undefined;
}
