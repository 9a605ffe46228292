/** Hands an event to the iteration of a session; resolves when the iteration asks for the next one. */
export type Emit<Event> = (event: Event) => Promise<void>;

/**
 * Starts work, and yields the events that it emits. The work waits while an event is handled, so that nothing
 * is measured meanwhile. The end of the iteration aborts the work, and waits until it has ended; events that
 * it emits then are not yielded.
 * @param work emits events, also several at a time, and aborts with its signal
 */
export async function* eventsOf<Event>(
  work: (emit: Emit<Event>, signal: AbortSignal) => Promise<void>,
  given: AbortSignal | undefined,
): AsyncGenerator<Event, void, void> {
  const stop = new AbortController();
  const signal = given === undefined ? stop.signal : AbortSignal.any([given, stop.signal]);
  const waiting: { readonly event: Event; readonly isHandled: () => void }[] = [];
  let wake = () => {};
  let hasEnded = false;
  const emit = (event: Event) =>
    new Promise<void>((isHandled) => {
      if (stop.signal.aborted) return isHandled();
      waiting.push({ event, isHandled });
      wake();
    });
  const ended = work(emit, signal).finally(() => {
    hasEnded = true;
    wake();
  });
  // The iteration reports it when it comes to the end.
  ended.catch(() => {});
  try {
    while (!hasEnded) {
      const [next] = waiting;
      if (next === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        yield next.event;
        waiting.shift();
        next.isHandled();
      }
    }
  } finally {
    stop.abort();
    for (const { isHandled } of waiting) isHandled();
    await Promise.allSettled([ended]);
  }
  await ended;
}
