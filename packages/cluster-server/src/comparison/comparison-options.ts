import { z } from 'zod';
import { fromEnvironment, givenOnly, parseSettings, wholeNumber } from '../setting.ts';

/** How clients are compared. Each may come from an environment variable, by the names of undici's benchmarks. */
export interface ComparisonOptions {
  /**
   * Samples per client, each of `parallel` requests; `auto` samples until the tolerance of every client is below the
   * error threshold. Variable SAMPLES; default 1, which has no tolerance.
   */
  readonly samples?: number | 'auto';
  /**
   * Per cent: with `auto`, the tolerance to reach. A number of samples is taken whatever the tolerance.
   * Variable ERROR_THRESHOLD or ERROR_TRESHOLD; default 3; 0 is never reached.
   */
  readonly errorThreshold?: number;
  /** Most connections of a client. Variable CONNECTIONS; default 50. */
  readonly connections?: number;
  /** Requests under way on a connection, where the client can do that. Variable PIPELINING; default 10. */
  readonly pipelining?: number;
  /** Requests of a sample, all sent at once. Variable PARALLEL; default 100. */
  readonly parallel?: number;
  /** Milliseconds that undici waits for headers, 0 for ever. Variable HEADERS_TIMEOUT; default 0. */
  readonly headersTimeoutMs?: number;
  /** Milliseconds that undici waits for the next bytes of a body, 0 for ever. Variable BODY_TIMEOUT; default 0. */
  readonly bodyTimeoutMs?: number;
  /** Milliseconds in which all answers of a sample must come. Variable ANSWER_TIMEOUT; default 30000. */
  readonly answerTimeoutMs?: number;
  /** Seconds after which `auto` begins no other round. Variable TIME_LIMIT; default 600. */
  readonly timeLimitSeconds?: number;
  /** What is sent; a POST sends 128 KiB. Variable METHOD; default GET. */
  readonly method?: 'GET' | 'POST';
}

const schema = z.strictObject({
  samples: z
    .union([z.literal('auto'), wholeNumber(1)], { error: 'takes a whole number, 1 or above, or auto' })
    .default(1),
  errorThreshold: z.coerce
    .number({ error: 'takes per cent, 0 to 100' })
    .min(0, { error: 'takes per cent, 0 to 100' })
    .max(100, { error: 'takes per cent, 0 to 100' })
    .default(3),
  connections: wholeNumber(1).default(50),
  pipelining: wholeNumber(1).default(10),
  parallel: wholeNumber(1).default(100),
  headersTimeoutMs: wholeNumber(0).default(0),
  bodyTimeoutMs: wholeNumber(0).default(0),
  answerTimeoutMs: wholeNumber(1, 2 ** 30).default(30_000),
  timeLimitSeconds: wholeNumber(1).default(600),
  method: z.enum(['GET', 'POST'], { error: 'takes GET or POST' }).default('GET'),
});

export type CompleteComparisonOptions = z.output<typeof schema>;

const variables = {
  samples: ['SAMPLES'],
  errorThreshold: ['ERROR_THRESHOLD', 'ERROR_TRESHOLD'],
  connections: ['CONNECTIONS'],
  pipelining: ['PIPELINING'],
  parallel: ['PARALLEL'],
  headersTimeoutMs: ['HEADERS_TIMEOUT'],
  bodyTimeoutMs: ['BODY_TIMEOUT'],
  answerTimeoutMs: ['ANSWER_TIMEOUT'],
  timeLimitSeconds: ['TIME_LIMIT'],
  method: ['METHOD'],
};

const names: Readonly<Record<string, readonly string[]>> = variables;

/**
 * Options with their defaults.
 *
 * @throws UsageError that names a wrong one
 */
export function completeComparisonOptions(options: ComparisonOptions): CompleteComparisonOptions {
  return parse(givenOnly(options));
}

function parse(values: Readonly<Record<string, unknown>>): CompleteComparisonOptions {
  return parseSettings(schema, values, (name) => names[name]?.[0] ?? `option ${name}`);
}

/**
 * What the environment says; given options, which may be texts, go before it.
 *
 * @throws UsageError that names a wrong one
 */
export function comparisonOptionsOf(
  environment: Readonly<Record<string, string | undefined>>,
  given: { readonly [Name in keyof ComparisonOptions]?: unknown } = {},
): CompleteComparisonOptions {
  return parse({ ...fromEnvironment(environment, variables), ...givenOnly(given) });
}
