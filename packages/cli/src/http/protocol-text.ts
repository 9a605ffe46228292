import type { LoadResult } from '@bench-cli/core';

export const protocolText = {
  http: 'HTTP/1.1',
  https: 'HTTP/1.1 over TLS',
  http2: 'HTTP/2 over TLS',
  h2c: 'HTTP/2 in cleartext',
} as const satisfies Record<LoadResult['protocol'], string>;
