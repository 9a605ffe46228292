/** What clients and server speak: HTTP/1.1 in cleartext, HTTP/1.1 over TLS, HTTP/2 over TLS. */
export const protocols = ['http', 'https', 'http2'] as const;

export type Protocol = (typeof protocols)[number];

/** The scheme of the URLs of a protocol. */
export function schemeOf(protocol: Protocol): 'http' | 'https' {
  return protocol === 'http' ? 'http' : 'https';
}
