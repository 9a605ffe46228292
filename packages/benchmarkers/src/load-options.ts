import type { Protocol, Scheme } from './protocol.ts';

/** What to load, and how. The defaults are those of Node core's benchmarks. */
export interface LoadOptions extends ToolOptions {
  readonly port: number;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Path and query. Default `/`. */
  readonly path?: string | undefined;
  /** Default: the scheme, if that is given, else `http`. */
  readonly protocol?: Protocol | undefined;
  /** For HTTP/2: cleartext with prior knowledge (`http`, the default) or TLS. Otherwise the protocol implies it. */
  readonly scheme?: Scheme | undefined;
  readonly headers?: Readonly<Record<string, string | number>> | undefined;
  /** Connections that are open at a time. Default 100. */
  readonly connections?: number | undefined;
  /**
   * How long to measure. Default 10; wrk rounds up to whole seconds. With `requests`: how long that may take at the
   * most, default 60.
   */
  readonly durationSeconds?: number | undefined;
  /** Load before the measured part, of the same kind; its figures are thrown away, its failures are not. Default 0. */
  readonly warmUpSeconds?: number | undefined;
  /** How many requests may fail (errors, timeouts, answers outside 2xx) before there is no rate. Default 0. */
  readonly maxFailures?: number | undefined;
  /** The CPUs for the load tool, as `taskset` names them: `1`, `2-3`. Linux only. Default: those of this process. */
  readonly cpuSet?: string | undefined;
}

/** What not every tool can do. A benchmarker lists in `supports` what it honours; anything else is an error. */
export interface ToolOptions {
  /** Default GET, or POST with a body. */
  readonly method?: string | undefined;
  readonly body?: string | undefined;
  /** How long the tool waits for an answer, or for a sign of life on a connection. Default: the tool's own. */
  readonly timeoutSeconds?: number | undefined;
  /** So many requests in all, instead of a duration. */
  readonly requests?: number | undefined;
  /** Threads of the load tool. Default: wrk one a CPU, h2load one. */
  readonly threads?: number | undefined;
  /** Node core's name for the connections of h2load. */
  readonly clients?: number | undefined;
  /** Streams at a time on each connection; with HTTP/1.1, requests in flight. Default 1. */
  readonly maxConcurrentStreams?: number | undefined;
  /** Window of a stream: 2 to this power, minus 1, bytes. Default 30. */
  readonly initialWindowSize?: number | undefined;
  /** Window of a connection: 2 to this power, minus 1, bytes. Default 30. */
  readonly sessionInitialWindowSize?: number | undefined;
  /** Connections opened in each `ratePeriod`; only with `requests`. Default: all at once. */
  readonly rate?: number | undefined;
  /** Seconds, or with a unit (`500ms`). Default 1. */
  readonly ratePeriod?: number | string | undefined;
  /** Bytes of the HPACK table for answers. Default 4096. */
  readonly headerTableSize?: number | undefined;
  /** Bytes of the HPACK table for requests, at the most. Default 4096. */
  readonly encoderHeaderTableSize?: number | undefined;
}

export type ToolOption = keyof ToolOptions;

/** Options after defaults, checked: what an adapter turns into arguments. */
export interface LoadRequest extends Omit<ToolOptions, 'requests' | 'clients' | 'method'> {
  readonly protocol: Protocol;
  readonly scheme: Scheme;
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly amount: Amount;
  readonly cpuSet: string | undefined;
}

/** A time to load for, or a number of requests with, if asked for, a limit of time. */
export type Amount =
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'requests'; readonly requests: number; readonly atMostSeconds: number | undefined };
