import type { Protocol } from '../protocol.ts';
import type { Answer } from './answer.ts';

/** What a client shall ask for. */
export interface Target {
  /** The whole URL. Over a Unix socket its host is `localhost`. */
  readonly url: string;
  readonly protocol: Protocol;
  /** A Unix socket to connect to instead of the URL's host and port. */
  readonly socketPath: string | undefined;
  readonly method: 'GET' | 'POST';
  /** What a POST sends: 128 KiB of text. */
  readonly body: string | undefined;
  /** Headers that go with the body, its length among them. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a client may use connections. */
export interface ConnectionSettings {
  /** Most connections at a time. */
  readonly connections: number;
  /** Requests that may be under way on one connection, where a client can do that. */
  readonly pipelining: number;
  /** Milliseconds that undici's clients wait for headers; 0 for ever. */
  readonly headersTimeoutMs: number;
  /** Milliseconds that undici's clients wait for the next bytes of a body; 0 for ever. */
  readonly bodyTimeoutMs: number;
}

/** A client that is ready to send requests. */
export interface ClientConnection {
  /**
   * Sends one request, hands its answer over, and resolves when all of it was read. Many are under way at a time.
   * Whatever goes wrong must reject: what is swallowed counts as a wrong answer anyway.
   */
  request(answer: Answer): Promise<unknown>;
  /** Gives back what the client holds. */
  close?(): unknown;
}

/** A client to be compared. */
export interface HttpClient {
  /** The name in the table. */
  readonly name: string;
  /** What it speaks; default: `http` and `https`. */
  readonly protocols?: readonly Protocol[];
  /** Whether it can talk to a Unix socket; default: no. */
  readonly unixSocket?: boolean;
  /** The package that must be installed for it; default: none. */
  readonly package?: string;
  /** Prepares the client, in a thread of its own; this takes no part in the measurement. */
  connect(target: Target, settings: ConnectionSettings): ClientConnection | Promise<ClientConnection>;
}

/** Gives the compiler the types of a client. */
export function defineClient(client: HttpClient): HttpClient {
  return client;
}
