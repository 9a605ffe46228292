import { originalPlaces, type PlacedRequest } from '../subject/placement.ts';
import type { SessionEvent } from './session-event.ts';

/** Names benchmarks in failures by their own paths, in place of those of their copies. */
export async function* withOriginalPlaces(
  events: AsyncGenerator<SessionEvent, void, void>,
  request: PlacedRequest,
): AsyncGenerator<SessionEvent, void, void> {
  const original = originalPlaces(request);
  for await (const event of events) {
    if (event.type === 'failure')
      yield { ...event, record: { ...event.record, failure: original(event.record.failure) } };
    else if ((event.type === 'metrics' || event.type === 'start-up') && event.record.status === 'failed')
      yield { ...event, record: { ...event.record, failure: original(event.record.failure) } };
    else if (event.type === 'run' && event.record.status === 'failed')
      yield { ...event, record: { ...event.record, failure: original(event.record.failure) } };
    else yield event;
  }
}
