import { fileURLToPath } from 'node:url';

/** A mistake in a benchmark or its arguments; its message is meant for the author, without a stack trace. */
export class BenchmarkError extends Error {
  override readonly name = 'BenchmarkError';
}

const ownFiles = new URL('.', import.meta.url).href;

/** The `file:line:column` where an error arose, outside of Node and of this package; undefined if unknown. */
export function placeOf(error: Error): string | undefined {
  for (const line of (error.stack ?? '').split('\n')) {
    const match = /^\s+at (?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\).*?:\d+:\d+)\)?$/.exec(line);
    const place = match?.[1];
    if (place === undefined || place.includes('/node_modules/')) continue;
    const file = place.startsWith('file:') ? place : `file://${place}`;
    if (file.startsWith(ownFiles)) continue;
    return place.startsWith('file:') ? fileURLToPath(place) : place;
  }
  return undefined;
}

/** What is told about anything that a benchmark threw: kind and message, then where. */
export function describe(thrown: unknown): { readonly message: string; readonly place: string | undefined } {
  if (!(thrown instanceof Error)) return { message: `threw ${String(thrown)}`, place: undefined };
  const message =
    thrown instanceof BenchmarkError ? thrown.message : `${thrown.name}: ${thrown.message || '(no message)'}`;
  return { message, place: placeOf(thrown) };
}
