/** Makes the request that its argument describes, and prints a report. It fails unless it receives a complete answer. */

import type { ToolReport } from './load-result.ts';
import { makeRequest, reasonOf, type SingleRequest } from './requester.ts';

const request: SingleRequest = JSON.parse(process.argv[2] ?? '');
const startedAtMs = performance.now();
// The process exits, so nothing needs to be closed.
try {
  const { status, bytes } = await makeRequest(request);
  console.log(JSON.stringify(reportOf(status, bytes, performance.now() - startedAtMs)));
  process.exit(0);
} catch (error) {
  console.error(reasonOf(error));
  process.exit(1);
}

function reportOf(status: number, bytes: number, latencyMs: number): ToolReport {
  const statusClass = `${Math.floor(status / 100)}xx`;
  return {
    requests: 1,
    durationSeconds: latencyMs / 1000,
    bytes,
    latency: { meanMs: latencyMs, maxMs: latencyMs },
    non2xx: statusClass === '2xx' ? 0 : 1,
    status: { '1xx': 0, '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0, [statusClass]: 1 },
  };
}
