/** What a benchmarker speaks. HTTP/2 goes over cleartext or TLS, which the scheme of the request tells. */
export type Protocol = 'http' | 'https' | 'http2';

export type Scheme = 'http' | 'https';
