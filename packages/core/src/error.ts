/** A mistake in a benchmark or its arguments; its message is meant for the author, without a stack trace. */
export class BenchmarkError extends Error {
  override readonly name = 'BenchmarkError';
}

const ownFiles = new URL('.', import.meta.url).href;

/** The `file:line:column` where an error arose, outside of Node and of this package; undefined if unknown. */
export function placeOf(error: Error): string | undefined {
  for (const line of (error.stack ?? '').split('\n')) {
    const match = /^\s+at (?:async )?(?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\).*?:\d+:\d+)\)?$/.exec(line);
    const place = match?.[1];
    if (place === undefined || place.includes('/node_modules/')) continue;
    const file = place.startsWith('file:') ? place : `file://${place}`;
    if (file.startsWith(ownFiles)) continue;
    return place.startsWith('file:') ? decodeURIComponent(place.slice('file://'.length)) : place;
  }
  return undefined;
}

/** What is told about anything that a benchmark threw: kind and message, then where. */
export function describe(thrown: unknown): { readonly message: string; readonly place: string | undefined } {
  if (!(thrown instanceof Error)) {
    return { message: `threw ${typeof thrown === 'string' ? thrown : inspect(thrown)}`, place: undefined };
  }
  const message =
    thrown instanceof BenchmarkError ? thrown.message : `${thrown.name}: ${thrown.message || '(no message)'}`;
  return { message, place: placeOf(thrown) };
}

function inspect(value: unknown): string {
  // Without an import: it would cost every run, and this is for the few that fail. Old runtimes do not have it.
  return process.getBuiltinModule?.('node:util').inspect(value) ?? String(value);
}
