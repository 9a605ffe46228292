/** Options and results of loading an HTTP server, for `bench.http()`, the load tools and results files. */

/** HTTP/1.1 in cleartext, HTTP/1.1 over TLS, or HTTP/2, where the scheme chooses cleartext or TLS. */
export type Protocol = 'http' | 'https' | 'http2';

export type Scheme = 'http' | 'https';

/** The common options of all load tools. The defaults are those of Node core's benchmarks. */
export interface LoadOptions extends ToolOptions {
  /** Required without `socketPath`. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Path and query. Default `/`. */
  readonly path?: string | undefined;
  /**
   * Default: the first protocol of the tool that the server speaks, of those with the scheme if it is given.
   * Without a named tool, HTTP/1.1 comes first.
   */
  readonly protocol?: Protocol | undefined;
  /** For HTTP/2: cleartext with prior knowledge (`http`, the default) or TLS. Other protocols imply it. */
  readonly scheme?: Scheme | undefined;
  readonly headers?: Readonly<Record<string, string | number>> | undefined;
  /** Simultaneous connections. Default 100. */
  readonly connections?: number | undefined;
  /** Duration. Default 10; wrk rounds up to whole seconds. With `requests`: time limit, default 60. */
  readonly durationSeconds?: number | undefined;
  /** Duration of the same load before the measurement, of which only failures count. Default 0. */
  readonly warmUpSeconds?: number | undefined;
  /** The most failed requests (errors, timeouts, wrong answers) with which a rate is valid. Default 0. */
  readonly maxFailures?: number | undefined;
  /** The CPUs for the load tool, as for `taskset`: `1`, `2-3`. Linux only. Default: those of this process. */
  readonly cpuSet?: string | undefined;
}

/** One of several requests. Its headers are added to those of the load. */
export interface MixedRequest extends Pick<LoadOptions, 'path' | 'headers' | 'method' | 'body'> {
  /** How often the request is sent, compared with the others. A whole number; default 1. */
  readonly weight?: number | undefined;
}

/** Options that only some load tools support. `supports` of a benchmarker lists them; others are an error. */
export interface ToolOptions {
  /** A Unix socket, which is used instead of host and port. */
  readonly socketPath?: string | undefined;
  /** Default GET, or POST with a body. */
  readonly method?: string | undefined;
  readonly body?: string | undefined;
  /** Several requests, which the tool sends in turn. The other options complete each of them. */
  readonly mix?: readonly MixedRequest[] | undefined;
  /** The status that all answers must have. Default: any 2xx. */
  readonly expectStatus?: number | undefined;
  /** The body that all answers must have. Default: any. */
  readonly expectBody?: string | undefined;
  /** Requests that a connection of HTTP/1.1 sends without waiting for an answer. Default 1. */
  readonly pipelining?: number | undefined;
  /** Time limit for an answer or for an idle connection; a later answer has failed. Default 10. */
  readonly timeoutSeconds?: number | undefined;
  /** Total number of requests, instead of a duration. */
  readonly requests?: number | undefined;
  /**
   * Requests per second, at most 1e7, that are sent at times that do not depend on the answers. Latencies
   * count from these times. Default: each connection sends a request when the one before is answered.
   */
  readonly arrivalRate?: number | undefined;
  /** Threads of the load tool. Default: one per CPU for wrk, one for h2load. */
  readonly threads?: number | undefined;
  /** The same as `connections`, by the name that Node core uses for h2load. */
  readonly clients?: number | undefined;
  /** Simultaneous streams per connection; with HTTP/1.1, pipelined requests. Default 1. */
  readonly maxConcurrentStreams?: number | undefined;
  /** Window size of a stream: 2 to this power, minus 1, bytes. Default 30. */
  readonly initialWindowSize?: number | undefined;
  /** Window size of a connection: 2 to this power, minus 1, bytes. Default 30. */
  readonly sessionInitialWindowSize?: number | undefined;
  /** Connections opened per `ratePeriod`; only with `requests`. Default: all at once. */
  readonly rate?: number | undefined;
  /** Seconds, or a text with a unit (`500ms`). Default 1. */
  readonly ratePeriod?: number | string | undefined;
  /** Size of the HPACK table for answers, bytes. Default 4096. */
  readonly headerTableSize?: number | undefined;
  /** Maximum size of the HPACK table for requests, bytes. Default 4096. */
  readonly encoderHeaderTableSize?: number | undefined;
}

export interface ServerLoad extends LoadOptions {
  /** The name of the benchmarker. Default: the first available one that supports the protocol. */
  readonly benchmarker?: string | undefined;
  /**
   * Searches the highest `arrivalRate` at which a latency keeps a limit: `p99<50ms`. The duration applies to
   * each load; default: 3 s or 40 times the limit. The result is that of the load at the found rate. Default
   * tool: `open-loop`.
   */
  readonly findRate?: string | undefined;
}

/** The result of a load. There is one only if no more requests failed than allowed. */
export interface LoadResult extends FailureCounts {
  /** The name of the benchmarker. */
  readonly benchmarker: string;
  /** The version of the load tool. */
  readonly version: string;
  /** The protocol that was spoken. `http2` is over TLS, `h2c` in cleartext. */
  readonly protocol: Protocol | 'h2c';
  /** Right answers per second: those with the expected status, or 2xx, and the expected body. */
  readonly rate: number;
  /** Complete answers with any status. */
  readonly requests: number;
  /** Measured duration; it may differ from the requested one, which tools round. */
  readonly durationSeconds: number;
  /** Received bytes, with headers; of bodies alone by oha, and by open-loop over HTTP/2. Null if unknown. */
  readonly bytes: number | null;
  readonly latency: LoadLatency;
  readonly status: StatusCounts;
  /** The command line of the measured part. */
  readonly command: readonly string[];
  /** The loads of a search (`findRate`), in their order. */
  readonly points?: readonly RatePoint[] | undefined;
  /**
   * How late the tool sent requests of an `arrivalRate` although a connection was free. Latencies contain
   * this time. Latencies that mostly consist of it are left out, except in a search (`findRate`). Missing if
   * the tool does not report it.
   */
  readonly lateness?: { readonly p99Ms: number; readonly maxMs: number } | undefined;
  /** The requests that bench-cli sent beside the load, whose answers the figures do not contain. */
  readonly beside?: BesideRequests | undefined;
  /** Missing if the load was too short to observe it, or the system does not report it. */
  readonly usage?: LoadUsage | undefined;
}

/** A request before the load and, if the method is safe, one at a time during the load and many after it. */
export interface BesideRequests {
  readonly requests: number;
  /** Requests of the warm-up, if there was one. */
  readonly warmUpRequests?: number | undefined;
  /** Whether their statuses are a sample of the load, of which the tool does not count statuses. */
  readonly areSample?: true | undefined;
  /** The longest answer during the load, and the time from the start of the load to its request. */
  readonly slowestMs?: number | undefined;
  readonly slowestAtSeconds?: number | undefined;
}

/** One load of a search. */
export interface RatePoint {
  /** The planned requests per second. */
  readonly rate: number;
  /** Whether the latency kept its limit, and all requests were answered. */
  readonly isKept: boolean;
  /** The reason if not: the server broke the promise, or the tool was the limit, so that nothing is known. */
  readonly reason?: string | undefined;
  /** What disturbed the load, which may be the reason. */
  readonly shortage?: string | undefined;
  /** Whether the tool was the limit. */
  readonly isUnknown?: true | undefined;
  /** null if requests failed. */
  readonly latency: LoadLatency | null;
}

/** The CPU time of a load tool and of the server, without their start and end. Linux only. */
export interface LoadUsage {
  /** Seconds of observation. */
  readonly seconds: number;
  readonly tool: CpuTime;
  /** null if the server is on another machine. */
  readonly server: CpuTime | null;
  /** The number of CPUs that the tool could use. */
  readonly toolCpus: number;
  /** Whether the server could use some of the CPUs of the tool. */
  readonly sharesCpus: boolean;
  /** Seconds that the CPUs of both were idle, together. */
  readonly idleSeconds: number;
  /** CPU seconds that other programs, or other virtual machines, used of the CPUs of both. */
  readonly othersSeconds: number;
}

export interface CpuTime {
  readonly cpuSeconds: number;
  /** The share of the observation that the busiest thread ran for. */
  readonly busiestThread: number;
}

/** Milliseconds from request to complete answer; null if not reported, 0 if too short for its clock. */
export type LoadLatency = Readonly<
  Record<'meanMs' | 'stdevMs' | 'p50Ms' | 'p75Ms' | 'p90Ms' | 'p99Ms' | 'p999Ms' | 'maxMs', number | null>
>;

/** Answers by status class; null if the tool does not report it. */
export type StatusCounts = Readonly<Record<'1xx' | '2xx' | '3xx' | '4xx' | '5xx', number | null>>;

/** Failed requests, each counted once. */
export interface FailureCounts {
  readonly connectErrors: number;
  /** Answers that were incomplete, violated the protocol, or were missing from a closed connection. */
  readonly readErrors: number;
  readonly writeErrors: number;
  readonly timeouts: number;
  /** Complete answers with a status outside 2xx, or with another status or body than expected. */
  readonly non2xx: number;
}
