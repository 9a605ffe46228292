import { z } from 'zod';
import { settingsReader, wholeNumber } from './setting.ts';

/** How clients are compared. Each option has an environment variable, with the name of undici's benchmarks if they have it. */
export interface ClientSettings {
  /**
   * Samples per client at least, each of `parallel` requests, but fewer if `errorThreshold` is reached; `auto` takes samples until
   * all pairs of clients are decided, as `--runs auto` does. Variable SAMPLES; default 1, which yields no tolerance.
   */
  readonly samples?: number | 'auto';
  /**
   * Per cent. The smallest difference of clients that matters; with a number of samples also the tolerance at which cronometro
   * ends a run that has measured for as long as it warmed up. Variable ERROR_THRESHOLD or ERROR_TRESHOLD; default 3; 0 is never reached.
   */
  readonly errorThreshold?: number;
  /** Maximum number of connections per client. Variable CONNECTIONS; default 50. */
  readonly connections?: number;
  /** Pending requests per connection, if the client supports that. Variable PIPELINING; default 10. */
  readonly pipelining?: number;
  /** Requests per sample, all sent at once. Variable PARALLEL; default 100. */
  readonly parallel?: number;
  /** Time limit of undici for headers, milliseconds. Variable HEADERS_TIMEOUT; default 0, no limit. */
  readonly headersTimeoutMs?: number;
  /** Time limit of undici for the next bytes of a body, milliseconds. Variable BODY_TIMEOUT; default 0, no limit. */
  readonly bodyTimeoutMs?: number;
  /** Time limit for all answers of a sample, milliseconds. Variable ANSWER_TIMEOUT; default 30000. */
  readonly answerTimeoutMs?: number;
  /** Seconds of runs after which `auto` starts no further one. Variable TIME_LIMIT; default 600. */
  readonly timeLimitSeconds?: number;
  /** The method; a POST sends 128 KiB. Variable METHOD; default GET. */
  readonly method?: 'GET' | 'POST';
}

const percentage = { error: 'must be a percentage, 0 to 100' };

const schema = z.strictObject({
  samples: z
    .union([z.literal('auto'), wholeNumber(1, 1_000_000)], {
      error: 'must be a whole number, 1 to 1000000, or auto',
    })
    .default(1),
  errorThreshold: z.coerce.number(percentage).min(0, percentage).max(100, percentage).default(3),
  connections: wholeNumber(1, 1_000_000).default(50),
  pipelining: wholeNumber(1, 1_000_000).default(10),
  parallel: wholeNumber(1, 1_000_000).default(100),
  headersTimeoutMs: wholeNumber(0, 2 ** 31 - 1).default(0),
  bodyTimeoutMs: wholeNumber(0, 2 ** 31 - 1).default(0),
  answerTimeoutMs: wholeNumber(1, 2 ** 30).default(30_000),
  timeLimitSeconds: wholeNumber(1, 2_000_000).default(600),
  method: z.enum(['GET', 'POST'], { error: 'must be GET or POST' }).default('GET'),
});

export type CompleteClientSettings = Required<ClientSettings>;

const { read, variables } = settingsReader(schema, { errorThreshold: 'ERROR_TRESHOLD' });
export const settingVariables: readonly string[] = variables;

/**
 * Settings from environment variables, with defaults.
 *
 * @throws UsageError that names the first invalid variable
 */
export const clientSettingsOf: (
  environment: Readonly<Record<string, string | undefined>>,
) => CompleteClientSettings = read;

/** The client of a process, if clients are subjects. */
export const clientVariable = 'BENCH_CLI_CLIENT';

/** The config file with the user's clients. */
export const configVariable = 'BENCH_CLI_CLIENT_CONFIG';
