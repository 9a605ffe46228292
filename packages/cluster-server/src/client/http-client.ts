import type { CompleteClientOptions, RequestMethod } from '../client-options.ts';
import type { ServerProtocol } from '../server/server-options.ts';
import type { Answer } from './answer.ts';

/** The request that a client sends. */
export interface Target {
  /** The whole URL; for a Unix socket with the host `localhost`. */
  readonly url: string;
  readonly protocol: ServerProtocol;
  /** A Unix socket to connect to instead of the URL's host and port. */
  readonly socketPath: string | undefined;
  readonly method: RequestMethod;
  /** The body of a POST: 128 KiB of text. */
  readonly body: string | undefined;
  /** The headers for the body, including its length. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a client uses connections. */
export interface ConnectionSettings
  extends Pick<CompleteClientOptions, 'connections' | 'pipelining' | 'headersTimeoutMs' | 'bodyTimeoutMs'> {}

/** A client that is ready to send requests. */
export interface ClientConnection {
  /**
   * Sends one request, passes its answer to `answer`, and resolves when the whole answer has been read. Calls
   * overlap. It must reject on any error; a hidden error is counted as a wrong answer.
   */
  request(answer: Answer): Promise<unknown>;
  /** Releases the resources of the client. */
  close?(): unknown;
}

/** A client to be compared. */
export interface HttpClient {
  /** The name in the table. */
  readonly name: string;
  /** The protocols that it supports. Default: `http` and `https`. */
  readonly protocols?: readonly ServerProtocol[];
  /** Whether it supports Unix sockets. Default: false. */
  readonly unixSocket?: boolean;
  /** The package that it requires. Default: none. */
  readonly package?: string;
  /** What `npm install` gets the package from. Default: its name. */
  readonly source?: string;
  /** Prepares the client, in a separate thread. This is not part of the measurement. */
  connect(target: Target, settings: ConnectionSettings): ClientConnection | Promise<ClientConnection>;
}

/** Returns the client; it only checks its type. */
export function defineClient(client: HttpClient): HttpClient {
  return client;
}
