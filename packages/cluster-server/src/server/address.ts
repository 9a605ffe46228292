import type { Protocol } from '@bench-cli/core';

/** Where a server listens. */
export interface ServerAddress {
  /** HTTP/1.1 in cleartext, HTTP/1.1 over TLS, or HTTP/2 over TLS. */
  readonly protocol: Protocol;
  readonly host: string;
  readonly port: number;
  /** A Unix socket, which is used instead of host and port. */
  readonly socketPath: string | undefined;
}

/** The URL of a server, without a path; for a Unix socket with the host `localhost`. */
export function urlOf({ protocol, host, port, socketPath }: ServerAddress): string {
  const authority = host.includes(':') ? `[${host}]` : host;
  const scheme = protocol === 'http' ? 'http' : 'https';
  return `${scheme}://${socketPath === undefined ? `${authority}:${port}` : 'localhost'}`;
}

/** The URL or the Unix socket of a server, for messages. */
export function placeOf(address: ServerAddress): string {
  return address.socketPath ?? urlOf(address);
}

/** The server counts requests with this path by their tag, so that a comparison can recognize its own requests. */
const tagged = '/tag/';
/** Requests with this path ask how many requests had a tag. */
const tally = '/tally/';

export function taggedPath(tag: string): string {
  return `${tagged}${tag}`;
}

export function tallyPath(tag: string): string {
  return `${tally}${tag}`;
}

/** The tag of a request that is to be counted. */
export function tagOf(path: string): string | undefined {
  return path.startsWith(tagged) ? path.slice(tagged.length) : undefined;
}

/** The tag that a request asks about. */
export function tallyTagOf(path: string): string | undefined {
  return path.startsWith(tally) ? path.slice(tally.length) : undefined;
}
