import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import { exchange } from './exchange.ts';
import { LoadError } from './load-error.ts';
import type { LoadRequest } from './load-request.ts';
import { readCpuSet } from './system/index.ts';

/** wrk, the fastest tool for HTTP/1.1, and the default where it is installed. */
export const wrk: Benchmarker = defineBenchmarker({
  name: 'wrk',
  protocols: ['http', 'https'],
  supports: ['method', 'body', 'timeoutSeconds', 'threads'],
  closedLoop: true,
  tool: {
    program: 'wrk',
    versionArgs: ['-v'],
    versionPattern: /^wrk \D*(\d+\.\d+\.\d+)/m,
    minimumVersion: '4.0.0',
    install: 'Debian: apt-get install wrk; macOS: brew install wrk',
  },
  async argumentsFor(request, files) {
    const { amount, connections, headers, timeoutSeconds, url, method, body } = request;
    const seconds = amount.kind === 'time' ? Math.ceil(amount.seconds) : 0;
    return [
      ...['-d', String(seconds), '-c', String(connections), '-t', String(threads(request))],
      ...['-s', reportScript, '--latency'],
      ...(timeoutSeconds === undefined ? [] : ['--timeout', `${Math.ceil(timeoutSeconds)}s`]),
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...['--', url, method],
      ...(body === undefined ? [] : [await files.write('body', body)]),
    ];
  },
  parse({ stdout }) {
    const line = stdout.split('\n').findLast((text) => text.startsWith(reportMark));
    if (line === undefined) throw new Error('the summary is missing');
    return JSON.parse(line.slice(reportMark.length));
  },
  // wrk counts redirects and interim answers (1xx) as successes. Checking each answer in a Lua callback would lower the rate.
  async verify(request, when, signal) {
    // One after the other: a server may limit its connections.
    for (let left = when === 'before' ? 1 : 10; left > 0; left--) {
      const { status } = await exchange(request, 1, signal);
      if (status !== undefined && (status < 200 || (status >= 300 && status < 400))) {
        return `the server answers ${request.method} ${request.path} with status ${status}, which wrk counts as a success; load the target of the redirect, or use autocannon`;
      }
    }
    return undefined;
  },
});

/** Prints the report that `parse` returns, on a line that starts with `reportMark`. */
const reportScript = fileURLToPath(new URL('../lua/report.lua', import.meta.url));
const reportMark = 'bench-cli ';

/** wrk gives each thread the same number of connections and drops the rest, so the number of threads must divide it. */
function threads({ threads, connections, cpuSet }: LoadRequest): number {
  if (threads === undefined) {
    const cpus = (cpuSet === undefined ? undefined : readCpuSet(cpuSet)?.size) ?? availableParallelism();
    const most = Math.min(connections, cpus);
    return Array.from({ length: most }, (_, index) => most - index).find((n) => connections % n === 0) ?? 1;
  }
  if (connections % threads !== 0) {
    throw new LoadError(
      'ERR_BENCH_LOAD_OPTION',
      `wrk cannot divide ${connections} connections evenly among ${threads} threads; make connections a multiple of threads`,
      { benchmarker: 'wrk' },
    );
  }
  return threads;
}
