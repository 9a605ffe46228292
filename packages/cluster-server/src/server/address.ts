import type { ServerProtocol } from './server-options.ts';

/** Where a server listens. */
export interface ServerAddress {
  readonly protocol: ServerProtocol;
  readonly host: string;
  readonly port: number;
  /** A Unix socket, which is used instead of host and port. */
  readonly socketPath?: string | undefined;
}

export function usesTls(protocol: ServerProtocol): boolean {
  return protocol === 'https' || protocol === 'http2';
}

export function usesHttp2(protocol: ServerProtocol): boolean {
  return protocol === 'http2' || protocol === 'h2c';
}

/** The URL of a server, without a path; for a Unix socket with the host `localhost`. */
export function urlOf({ protocol, host, port, socketPath }: ServerAddress): string {
  const authority = host.includes(':') ? `[${host}]` : host;
  const scheme = usesTls(protocol) ? 'https' : 'http';
  return `${scheme}://${socketPath === undefined ? `${authority}:${port}` : 'localhost'}`;
}

/** The URL or the Unix socket of a server, for messages. */
export function serverPlace(address: ServerAddress): string {
  return address.socketPath ?? urlOf(address);
}

/** The server counts requests with a path of the first kind by their tag; the second asks for their tally. */
export const tagPath = '/tag/';
export const tallyPath = '/tally/';
