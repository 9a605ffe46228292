import { z } from 'zod';
import type { SessionRequest } from './line.ts';
import { settingWords } from './recorded-settings.ts';
import { mostRuns } from './run-rule.ts';

/** The variable with the order of a session of HTTP clients, as JSON: a subject has nothing else that its processes receive. */
export const CLIENT_ORDER = 'BENCH_CLI_CLIENT';

/** Rounds over which the samples of a client are spread, if they are as many: a verdict needs so many, and they have few processes to start. */
export const CLIENT_ROUNDS = 8;

const orderSchema = z.object({
  client: z.string(),
  serve: z.boolean(),
  options: z.looseObject({ samples: z.union([z.number(), z.literal('auto')]) }),
});

/**
 * The command that measures the HTTP clients of a session again, as words; undefined if its subjects are something else.
 * @param others the number of runs in place of the recorded one
 */
export function clientWords(
  { subjects, runs }: SessionRequest,
  others?: number | 'auto',
): readonly string[] | undefined {
  const orders = subjects.flatMap(({ env }) => orderIn(env[CLIENT_ORDER]) ?? []);
  const [first] = orders;
  if (first === undefined || orders.length < subjects.length) return undefined;
  const { serve, options } = first;
  const count = others ?? mostRuns(runs);
  const samples = options.samples === 'auto' || count === 'auto' ? 'auto' : options.samples * count;
  // The port of a server that was started is not one to connect to. Any other is named, also the default one: without it, a server is started.
  const place = serve ? { host: undefined, socketPath: undefined } : {};
  const port = serve || options['socketPath'] !== undefined ? [] : ['--port', String(options['port'])];
  return [
    'http',
    'clients',
    ...port,
    ...settingWords({ ...options, ...place, samples, port: undefined }, 'http clients'),
    ...orders.map(({ client }) => client),
  ];
}

/** Undefined if it is none: a subject can have any variable. */
function orderIn(text: string | undefined) {
  try {
    return orderSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
