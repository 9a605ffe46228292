import type { LoadOptions, LoadResult, Protocol, Scheme, ToolOptions } from '@bench-cli/core';
import { cpuSetProblem } from '@bench-cli/system';
import { z } from 'zod';
import { LoadError } from './load-error.ts';

/** An option, or the method HEAD, after whose answers some tools wait for a body. */
export type ToolOption = keyof ToolOptions | 'HEAD';

type MixedRequest = NonNullable<ToolOptions['mix']>[number];

/** Valid options with their defaults: what an adapter turns into arguments. */
export interface LoadRequest
  extends Omit<ToolOptions, 'requests' | 'clients' | 'method' | 'body' | 'mix' | 'timeoutSeconds'>,
    CheckedRequest {
  /** A cycle of requests, in which equal ones are the same object; undefined for a single request. */
  readonly mix: readonly CheckedRequest[] | undefined;
  readonly protocol: Protocol;
  readonly scheme: Scheme;
  readonly host: string;
  readonly port: number;
  /** Where to connect. */
  readonly address: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly connections: number;
  readonly amount: Amount;
  readonly timeoutSeconds: number;
  readonly cpuSet: string | undefined;
}

export interface CheckedRequest {
  readonly path: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** A duration, or a number of requests with an optional time limit. */
export type Amount =
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number; readonly atMostSeconds: number | undefined };

const positive = z.int().positive();
/** One rule for all load tools; that of wrk is 2 s, that of autocannon 10 s, and others have none. */
const USUAL_TIMEOUT_SECONDS = 10;

/** At most a day. */
const seconds = z.number().positive().max(86_400);

const requestOptions = {
  path: z
    .string()
    .regex(/^\/[\x21-\x7e]*$/, 'must begin with / and contain no spaces or characters that need encoding')
    .optional(),
  headers: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
  method: z
    .string()
    .regex(/^[A-Za-z]+$/, 'must contain only letters')
    .optional(),
  body: z.string().optional(),
};

/** A load tool gets each request of a mix as often as its weight says. */
const MOST_WEIGHT = 1000;

const toolOptions = {
  socketPath: z.string().min(1).optional(),
  method: requestOptions.method,
  body: requestOptions.body,
  mix: z
    .array(z.strictObject({ ...requestOptions, weight: positive.max(MOST_WEIGHT).optional() }))
    .min(1)
    .optional(),
  expectStatus: z.int().min(200).max(599).optional(),
  expectBody: z.string().optional(),
  pipelining: positive.optional(),
  timeoutSeconds: seconds.default(USUAL_TIMEOUT_SECONDS),
  requests: positive.optional(),
  arrivalRate: z.number().positive().max(1e7).optional(),
  threads: positive.optional(),
  clients: positive.optional(),
  maxConcurrentStreams: positive.optional(),
  initialWindowSize: z.int().min(1).max(30).optional(),
  sessionInitialWindowSize: z.int().min(1).max(30).optional(),
  rate: positive.optional(),
  ratePeriod: z.union([z.number().positive(), z.string().regex(/^\d+(h|m|s|ms)?$/)]).optional(),
  headerTableSize: z.int().nonnegative().optional(),
  encoderHeaderTableSize: z.int().nonnegative().optional(),
} satisfies Record<keyof ToolOptions, z.ZodType>;

export const allToolOptions: readonly ToolOption[] = [
  ...Object.keys(toolOptions).filter((name): name is keyof ToolOptions => name in toolOptions),
  'HEAD',
];

/** @internal */
export const optionsSchema = z.strictObject({
  port: z.int().min(1).max(65535).optional(),
  host: z.string().min(1).default('127.0.0.1'),
  protocol: z.enum(['http', 'https', 'http2']).optional(),
  scheme: z.enum(['http', 'https']).optional(),
  connections: positive.optional(),
  durationSeconds: seconds.optional(),
  warmUpSeconds: z.number().nonnegative().default(0),
  maxFailures: z.union([z.number().nonnegative(), z.literal(Number.POSITIVE_INFINITY)]).default(0),
  cpuSet: z
    .string()
    .superRefine((set, { addIssue }) => {
      const problem = cpuSetProblem(set);
      if (problem !== undefined) addIssue(problem);
    })
    .optional(),
  ...requestOptions,
  ...toolOptions,
});

/** @throws LoadError that names the invalid option, or two that contradict each other */
export function checkOptions(options: LoadOptions) {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => [issue.path.join('.'), issue.message].join(': '));
    throw invalid(`invalid options: ${problems.join('; ')}`);
  }
  const { host, requests, clients, connections, mix, warmUpSeconds, maxFailures, ...rest } = parsed.data;
  const { durationSeconds, cpuSet, ...others } = rest;
  const { protocol, scheme } = protocolOf(rest.protocol, rest.scheme);
  const { socketPath, port = socketPath && (scheme === 'http' ? 80 : 443) } = rest;
  if (!port) throw invalid('port is missing; give it, or socketPath');
  if (clients !== undefined && connections !== undefined) {
    throw invalid('connections and clients have the same meaning for h2load; give only one of them');
  }
  if (requests === undefined && rest.rate !== undefined) {
    throw invalid('rate requires a number of requests; add the option requests');
  }
  const amount: Amount =
    requests === undefined
      ? { kind: 'time', seconds: durationSeconds ?? 10 }
      : { kind: 'requests', requests, atMostSeconds: durationSeconds };
  const origin = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const requestOf = ({ path = '/', headers, method, body }: MixedRequest): CheckedRequest => ({
    path,
    url: origin + path,
    method: method?.toUpperCase() ?? (body === undefined ? 'GET' : 'POST'),
    headers: checkHeaders({ ...rest.headers, ...headers }),
    body,
  });
  const cycle = mix && cycleOf(mix.map((each) => ({ ...each, request: requestOf({ ...rest, ...each }) })));
  const request: LoadRequest = {
    ...others,
    ...(cycle?.[0] ?? requestOf(rest)),
    mix: cycle,
    protocol,
    scheme,
    host,
    port,
    address: socketPath === undefined ? { host, port } : { path: socketPath },
    connections: clients ?? connections ?? 100,
    amount,
    cpuSet,
  };
  return { request, warmUpSeconds, maxFailures };
}

/** Spreads requests evenly over a cycle, as the weighted round-robin of nginx does. */
function cycleOf(mix: readonly { readonly request: CheckedRequest; readonly weight?: number | undefined }[]) {
  const shares = mix.map(({ request, weight = 1 }) => ({ request, weight, credit: 0 }));
  const total = shares.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length: total }, () => {
    for (const share of shares) share.credit += share.weight;
    const next = shares.reduce((most, share) => (share.credit > most.credit ? share : most));
    next.credit -= total;
    return next.request;
  });
}

/** The given options that are not among the supported ones. */
export function unsupportedOptions(supports: readonly ToolOption[], options: LoadOptions) {
  const requests = [options, ...(options.mix ?? [])];
  const isGiven = (option: ToolOption) =>
    option === 'HEAD'
      ? requests.some(({ method }) => method?.toUpperCase() === 'HEAD')
      : options[option] !== undefined;
  return allToolOptions.filter((option) => isGiven(option) && !supports.includes(option));
}

function protocolOf(protocol: Protocol | undefined, scheme: Scheme | undefined) {
  const wanted = protocol ?? scheme ?? 'http';
  if (wanted === 'http2') return { protocol: wanted, scheme: scheme ?? 'http' };
  if (scheme !== undefined && scheme !== wanted) {
    throw invalid(`protocol ${wanted} and scheme ${scheme} contradict each other; give only one of them`);
  }
  return { protocol: wanted, scheme: wanted };
}

function checkHeaders(headers: NonNullable<LoadOptions['headers']>): Readonly<Record<string, string>> {
  // As an import, node:http would load undici too.
  const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      try {
        validateHeaderName(name);
        validateHeaderValue(name, String(value));
      } catch (error) {
        throw invalid(`headers: ${error instanceof Error ? error.message : String(error)}`);
      }
      return [name, String(value)];
    }),
  );
}

function invalid(message: string): LoadError {
  return new LoadError('ERR_BENCH_LOAD_OPTION', message);
}

/** The protocol of a load, as results name it. */
export function protocolName({
  protocol,
  scheme,
}: Pick<LoadRequest, 'protocol' | 'scheme'>): LoadResult['protocol'] {
  return protocol === 'http2' && scheme === 'http' ? 'h2c' : protocol;
}

export function addressText(address: LoadRequest['address']): string {
  return 'path' in address ? address.path : `${address.host}:${address.port}`;
}

/** Whether the request of a load can be repeated beside it: it changes nothing (RFC 9110, 9.2.1). */
export function isSafe({ method, mix = [] }: LoadRequest): boolean {
  return [{ method }, ...mix].every((each) => ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(each.method));
}

/** How many requests a load has pending at a time. */
export function pendingRequests(request: LoadRequest): number {
  const { connections, maxConcurrentStreams = 1, pipelining = 1, protocol } = request;
  return connections * (protocol === 'http2' ? maxConcurrentStreams : pipelining);
}
