/** An error in a benchmark or its arguments. The author of the benchmark sees the message without a stack. */
export class BenchmarkError extends Error {
  override readonly name = 'BenchmarkError';
  /** Stays the same when the message is improved. */
  readonly code: `ERR_BENCH_${string}`;

  constructor(code: `ERR_BENCH_${string}`, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * @param known the options of a call, each with its value where a name does not suffice
 * @throws BenchmarkError for another option, which a script in JavaScript can misspell
 */
export function refuseOtherOptions(call: string, options: object, known: readonly string[]): void {
  const names = known.map((option) => option.replace(/:.*/, ''));
  const isObject = typeof options === 'object' && options !== null;
  const wrong = isObject ? Object.keys(options).find((name) => !names.includes(name)) : options;
  if (wrong === undefined) return;
  const problem = `${call} has no option ${inspect(wrong)}: pass an object with ${known.join(', ')}`;
  throw new BenchmarkError('ERR_BENCH_OPTION', problem);
}

const ownFiles = new URL('.', import.meta.url).href;

/** The `file:line:column` of an error, outside of Node.js and of installed packages; undefined if unknown. */
function placeOf({ stack = '' }: Error): string | undefined {
  for (const line of stack.split('\n')) {
    const match = /^\s+at (?:async )?(?:.*\()?((?:file:\/\/|\/|[A-Za-z]:\\).*?:\d+:\d+)\)?$/.exec(line);
    const place = match?.[1];
    if (place === undefined || place.includes('/node_modules/')) continue;
    const file = place.startsWith('file:') ? place : `file://${place}`;
    if (file.startsWith(ownFiles)) continue;
    return place.startsWith('file:') ? decodeURIComponent(place.slice('file://'.length)) : place;
  }
  return undefined;
}

/** Describes what a benchmark threw: its kind and message, and its place. */
export function describe(thrown: unknown): { readonly message: string; readonly place: string | undefined } {
  if (!(thrown instanceof Error))
    return { message: `threw ${typeof thrown === 'string' ? thrown : inspect(thrown)}`, place: undefined };
  const message =
    thrown instanceof BenchmarkError ? thrown.message : `${thrown.name}: ${thrown.message || '(no message)'}`;
  try {
    return { message, place: placeOf(thrown) };
  } catch {
    // The benchmark has replaced functions of the language.
    return { message, place: undefined };
  }
}

/** Reports uncaught errors and rejections, as `describe` says, before Node.js prints the stack. */
export function reportUncaught(report: (thrown: ReturnType<typeof describe>) => void): void {
  process.on('uncaughtExceptionMonitor', (thrown) => {
    // A benchmark can have its own handler.
    if (process.listenerCount('uncaughtException') === 0) report(describe(thrown));
  });
}

function inspect(value: unknown): string {
  // An import would slow down every run. Old runtimes lack getBuiltinModule.
  return process.getBuiltinModule?.('node:util').inspect(value) ?? String(value);
}
