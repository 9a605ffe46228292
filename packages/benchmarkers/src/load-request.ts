import type { LoadOptions, Protocol, Scheme } from '@bench-cli/core';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { z } from 'zod';
import { cpusOf } from './cpu-set.ts';
import { LoadError } from './load-error.ts';
import type { Amount, LoadRequest } from './load-options.ts';

const positive = z.int().positive();

const optionsSchema = z.strictObject({
  port: z.int().min(1).max(65535),
  host: z.string().min(1).default('127.0.0.1'),
  path: z
    .string()
    .regex(/^\/[\x21-\x7e]*$/, 'must begin with / and hold neither spaces nor characters that need encoding')
    .default('/'),
  protocol: z.enum(['http', 'https', 'http2']).optional(),
  scheme: z.enum(['http', 'https']).optional(),
  headers: z.record(z.string(), z.union([z.string(), z.number()])).default({}),
  connections: positive.optional(),
  durationSeconds: z.number().positive().max(86_400).optional(),
  warmUpSeconds: z.number().nonnegative().default(0),
  maxFailures: z.union([z.number().nonnegative(), z.literal(Number.POSITIVE_INFINITY)]).default(0),
  cpuSet: z
    .string()
    .refine((set) => cpusOf(set) !== undefined, 'must name CPUs as taskset does: 0, 0-2, or 0,2-4')
    .optional(),
  method: z
    .string()
    .regex(/^[A-Za-z]+$/, 'must be a word')
    .optional(),
  body: z.string().optional(),
  timeoutSeconds: z.number().positive().optional(),
  requests: positive.optional(),
  threads: positive.optional(),
  clients: positive.optional(),
  maxConcurrentStreams: positive.optional(),
  initialWindowSize: z.int().min(1).max(30).optional(),
  sessionInitialWindowSize: z.int().min(1).max(30).optional(),
  rate: positive.optional(),
  ratePeriod: z.union([z.number().positive(), z.string().regex(/^\d+(h|m|s|ms)?$/)]).optional(),
  headerTableSize: z.int().nonnegative().optional(),
  encoderHeaderTableSize: z.int().nonnegative().optional(),
});

export interface CheckedOptions {
  readonly request: LoadRequest;
  readonly warmUpSeconds: number;
  readonly maxFailures: number;
}

/** @throws LoadError that says which option is wrong, or which two contradict each other */
export function checkOptions(options: LoadOptions): CheckedOptions {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message].join(': '));
    throw new LoadError('options', `these options cannot be: ${problems.join('; ')}`);
  }
  const { host, port, path, requests, clients, connections, method, warmUpSeconds, maxFailures, ...rest } =
    parsed.data;
  const { protocol, scheme } = protocolOf(rest.protocol, rest.scheme);
  if (clients !== undefined && connections !== undefined) {
    throw new LoadError('options', 'connections and clients are the same for h2load; give one of them');
  }
  if (requests === undefined && rest.rate !== undefined) {
    throw new LoadError('options', 'rate is possible only for a number of requests; give requests, too');
  }
  const { durationSeconds, ...others } = rest;
  const amount: Amount =
    requests === undefined
      ? { kind: 'time', seconds: durationSeconds ?? 10 }
      : { kind: 'requests', requests, atMostSeconds: durationSeconds };
  const url = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
  return {
    request: {
      ...others,
      protocol,
      scheme,
      host,
      port,
      path,
      url,
      method: method?.toUpperCase() ?? (rest.body === undefined ? 'GET' : 'POST'),
      headers: checkHeaders(rest.headers),
      connections: clients ?? connections ?? 100,
      amount,
      cpuSet: rest.cpuSet,
    },
    warmUpSeconds,
    maxFailures,
  };
}

function protocolOf(protocol: Protocol | undefined, scheme: Scheme | undefined) {
  const spoken = protocol ?? scheme ?? 'http';
  if (spoken === 'http2') return { protocol: spoken, scheme: scheme ?? 'http' };
  if (scheme !== undefined && scheme !== spoken) {
    throw new LoadError(
      'options',
      `protocol ${spoken} and scheme ${scheme} contradict each other; give one of them`,
    );
  }
  return { protocol: spoken, scheme: spoken };
}

function checkHeaders(headers: Readonly<Record<string, string | number>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      try {
        validateHeaderName(name);
        validateHeaderValue(name, String(value));
      } catch (error) {
        throw new LoadError('options', `headers: ${error instanceof Error ? error.message : String(error)}`);
      }
      return [name, String(value)];
    }),
  );
}
