import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { readCpuSet } from '@bench-cli/system';
import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import { LoadError } from './load-error.ts';
import { isSafe, type LoadRequest } from './load-request.ts';
import type { ToolReport } from './load-result.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** It counts an interim answer as one, and the end of a connection as an error. */
const habits = ['interim answers', 'ends with body'] as const;

/** wrk, the fastest tool for HTTP/1.1, and the default where it is installed. */
export const wrk: Benchmarker = defineBenchmarker({
  name: 'wrk',
  protocols: ['http', 'https'],
  supports: [
    ...(['method', 'body', 'mix', 'expectStatus', 'expectBody', 'pipelining'] as const),
    ...(['timeoutSeconds', 'threads'] as const),
  ],
  closedLoop: true,
  cannotLoad: { http: habits, https: habits },
  tool: {
    program: 'wrk',
    versionArgs: ['-v'],
    versionPattern: /^wrk \D*(\d+\.\d+\.\d+)/m,
    minimumVersion: '4.0.0',
    install: 'Debian: apt-get install wrk; macOS: brew install wrk',
  },
  async argumentsFor(request, files) {
    const { amount, connections, headers, timeoutSeconds, url } = request;
    const seconds = amount.kind === 'time' ? Math.ceil(amount.seconds) : 0;
    return [
      ...['-d', String(seconds), '-c', String(connections), '-t', String(threads(request))],
      ...['-s', reportScript, '--latency'],
      ...['--timeout', `${Math.ceil(timeoutSeconds)}s`],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...['--', url, await argumentOf(loadOf(request), files)],
    ];
  },
  async parse({ stdout }) {
    const { Latencies } = await import('./latencies.ts');
    const line = stdout.split('\n').findLast((text) => text.startsWith(reportMark));
    if (line === undefined) throw new Error('the summary is missing');
    const { counts, ...report }: ToolReport & { readonly counts: LatencyCounts } = JSON.parse(
      line.slice(reportMark.length),
    );
    const latencies = new Latencies();
    for (const [us, count] of counts) latencies.record(us / 1000, count);
    return { ...report, ...(latencies.count > 0 && { latency: latencies.figures }) };
  },
  // wrk counts redirects as successes. Checking each answer in a Lua callback lowers the rate.
  countsStatus: isChecked,
});

type LatencyCounts = readonly (readonly [us: number, count: number])[];

function isChecked(request: LoadRequest): boolean {
  const { mix, expectStatus, expectBody } = request;
  return mix !== undefined || expectStatus !== undefined || expectBody !== undefined || !isSafe(request);
}

/** Characters of an argument; Linux does not take much more than 128 KiB. */
const MOST_ARGUMENT = 100_000;

async function argumentOf(load: string, files: TemporaryFiles): Promise<string> {
  if (load.length <= MOST_ARGUMENT) return load;
  return `return dofile(${luaText(await files.write('load.lua', load))})`;
}

/** What to send, as Lua that returns it. */
function loadOf(request: LoadRequest): string {
  const { mix = [request], pipelining = 1, expectStatus, expectBody } = request;
  const requests = mix.map(({ method, path, headers, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${luaText(name)}]=${luaText(value)}`);
    return tableOf({
      method: luaText(method),
      path: luaText(path),
      body: luaText(body),
      headers: `{${fields}}`,
    });
  });
  return `return ${tableOf({
    ...{ requests: `{${requests}}`, pipelining, isChecked: isChecked(request), status: expectStatus },
    ...{ connections: request.connections, answer: luaText(expectBody) },
  })}`;
}

function tableOf(fields: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{${given.map(([name, value]) => `${name}=${value}`)}}`;
}

/** A text of Lua, which has bytes. */
function luaText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const bytes = Buffer.from(text).toString('latin1');
  return `"${bytes.replace(/[^ !#-[\]-~]/g, (byte) => `\\${String(byte.charCodeAt(0)).padStart(3, '0')}`)}"`;
}

/** Prints the report that `parse` returns, on a line that starts with `reportMark`. */
const reportScript = fileURLToPath(new URL('../lua/report.lua', import.meta.url));
const reportMark = 'bench-cli ';

/** wrk gives each thread as many connections and drops the rest, so threads must divide connections. */
function threads({ threads, connections, cpuSet }: LoadRequest): number {
  if (threads === undefined) {
    const cpus = (cpuSet === undefined ? undefined : readCpuSet(cpuSet)?.size) ?? availableParallelism();
    const most = Math.min(connections, cpus);
    return Array.from({ length: most }, (_, index) => most - index).find((n) => connections % n === 0) ?? 1;
  }
  if (connections % threads !== 0) {
    const problem = `wrk cannot divide ${connections} connections evenly among ${threads} threads; make connections a multiple of threads`;
    throw new LoadError('ERR_BENCH_LOAD_OPTION', problem, { benchmarker: 'wrk' });
  }
  return threads;
}
