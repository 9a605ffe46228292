/**
 * What loading an HTTP server takes and gives: the types that `bench.http()`, the load tools and recorded results share.
 */

/** What a load tool speaks. HTTP/2 uses cleartext or TLS, as the scheme of the request says. */
export type Protocol = 'http' | 'https' | 'http2';

export type Scheme = 'http' | 'https';

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

export interface ServerLoad extends LoadOptions {
  /** The name of the benchmarker. Default: the first that speaks the protocol and is available. */
  readonly benchmarker?: string | undefined;
}

/** What a load run measured. A result exists only if the server failed no more requests than were allowed. */
export interface LoadResult extends FailureCounts {
  /** The name of the benchmarker. */
  readonly benchmarker: string;
  /** The version of the tool behind it. */
  readonly version: string;
  /** Successful (2xx) answers per second. */
  readonly rate: number;
  /** Complete answers, whatever their status. */
  readonly requests: number;
  /** Seconds that the tool really measured; tools round the duration asked for. */
  readonly durationSeconds: number;
  /** Bytes received; null where the tool does not tell. */
  readonly bytes: number | null;
  readonly latency: LoadLatency;
  readonly status: StatusCounts;
  /** The command line of the measured part. */
  readonly command: readonly string[];
}

/** Milliseconds from request to complete answer; null where the tool does not tell. */
export interface LoadLatency {
  readonly meanMs: number | null;
  readonly stdevMs: number | null;
  readonly p50Ms: number | null;
  readonly p75Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
  readonly maxMs: number | null;
  /** The step in which the tool tells latencies: with 1, `p50Ms: 0` means below one millisecond. */
  readonly resolutionMs: number;
}

/** Answers by status class; null where the tool does not tell them apart. */
export interface StatusCounts {
  readonly '1xx': number | null;
  readonly '2xx': number | null;
  readonly '3xx': number | null;
  readonly '4xx': number | null;
  readonly '5xx': number | null;
}

/** Requests that did not succeed; each is counted once. */
export interface FailureCounts {
  readonly connectErrors: number;
  /** Answers that were cut off, broke the protocol, or never came because the connection ended. */
  readonly readErrors: number;
  readonly writeErrors: number;
  readonly timeouts: number;
  /** Complete answers with a status outside 2xx. */
  readonly non2xx: number;
}
