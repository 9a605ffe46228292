import { availableParallelism } from 'node:os';
import type { Benchmarker } from './benchmarker.ts';
import { cpuCount } from './cpu-set.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import { LoadError } from './load-error.ts';
import type { LoadRequest } from './load-options.ts';
import { statusOf } from './status-of.ts';

/** wrk, the fastest for HTTP/1.1. Where it is installed it is the first choice. */
export const wrk: Benchmarker = defineBenchmarker({
  name: 'wrk',
  protocols: ['http', 'https'],
  supports: ['method', 'body', 'timeoutSeconds', 'threads'],
  tool: {
    program: 'wrk',
    versionArgs: ['-v'],
    versionPattern: /^wrk \D*(\d+\.\d+\.\d+)/m,
    minimumVersion: '4.0.0',
    install: 'Debian: apt-get install wrk; macOS: brew install wrk',
  },
  async argumentsFor(request, files) {
    const seconds = request.amount.kind === 'time' ? Math.ceil(request.amount.seconds) : 0;
    return [
      ...['-d', String(seconds), '-c', String(request.connections), '-t', String(threads(request))],
      ...['-s', await files.write('bench-cli.lua', script(request)), '--latency'],
      ...(request.timeoutSeconds === undefined ? [] : ['--timeout', `${Math.ceil(request.timeoutSeconds)}s`]),
      ...Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      request.url,
    ];
  },
  parse({ stdout }) {
    const line = stdout.split('\n').findLast((text) => text.startsWith(reportMark));
    if (line === undefined) throw new Error('the summary is missing');
    return JSON.parse(line.slice(reportMark.length));
  },
  // wrk counts redirects, and the interim answers of a server, among the successes. It could tell them apart, by a
  // callback for every answer, but at the price of the rate.
  async verify(request, when) {
    const statuses = await Promise.all(
      Array.from({ length: when === 'before' ? 1 : 10 }, () => statusOf(request)),
    );
    const hidden = statuses.find(
      (status) => status !== undefined && (status < 200 || (status >= 300 && status < 400)),
    );
    return hidden === undefined
      ? undefined
      : `the server answers ${request.method} ${request.path} with ${hidden}, which wrk would count as a success; load what it redirects to, or use autocannon, which counts by status`;
  },
});

const reportMark = 'bench-cli ';

/**
 * The script runs once before the load and once after it, so it costs no rate. It prints the report that `parse` gives:
 * its figures are exact where the text that wrk prints is rounded to three digits.
 */
function script({ method, body }: LoadRequest): string {
  return `${method === 'GET' ? '' : `wrk.method = ${luaString(method)}\n`}${body === undefined ? '' : `wrk.body = ${luaString(body)}\n`}
function done(summary, latency)
  local function ms(us)
    return string.format('%.6f', us == us and us / 1e3 or 0)
  end
  local e = summary.errors
  io.write('\\n${reportMark}', string.format('{"requests":%.0f,"durationSeconds":%.6f,"bytes":%.0f,',
    summary.requests, summary.duration / 1e6, summary.bytes))
  io.write(string.format('"connectErrors":%.0f,"readErrors":%.0f,"writeErrors":%.0f,"timeouts":%.0f,"non2xx":%.0f,',
    e.connect, e.read, e.write, e.timeout, e.status))
  io.write('"latency":{"meanMs":', ms(latency.mean), ',"stdevMs":', ms(latency.stdev), ',"maxMs":', ms(latency.max))
  for name, p in pairs({ p50Ms = 50, p75Ms = 75, p90Ms = 90, p99Ms = 99, p999Ms = 99.9 }) do
    io.write(',"', name, '":', ms(latency:percentile(p)))
  end
  io.write('}}\\n')
end
`;
}

function luaString(text: string): string {
  return `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`;
}

/** wrk gives every thread the same number of connections and drops the rest, so the number of threads must divide it. */
function threads({ threads, connections, cpuSet }: LoadRequest): number {
  if (threads === undefined) {
    const most = Math.min(connections, cpuSet === undefined ? availableParallelism() : cpuCount(cpuSet));
    return Array.from({ length: most }, (_, index) => most - index).find((n) => connections % n === 0) ?? 1;
  }
  if (connections % threads !== 0) {
    throw new LoadError(
      'options',
      `wrk cannot share ${connections} connections among ${threads} threads evenly; make connections a multiple of threads`,
      { benchmarker: 'wrk' },
    );
  }
  return threads;
}
