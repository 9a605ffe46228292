import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RequestOptions, SessionEvent } from '@bench-cli/runner';
import { readProcFile } from '@bench-cli/system';
import { ownPort } from '../../../../test/support/own-port.ts';
import { scriptedRates } from '../../../../test/support/scripted-rates.ts';
import { eventsIn, runsOf } from '../../../../test/support/session-events.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../../test/support/suite.ts';

const linked = {
  '@bench-cli/benchmarkers': '../../../benchmarkers',
  selfsigned: '../../../../benchmarks/node_modules/selfsigned',
};

/** A suite whose config files can import `@bench-cli/benchmarkers`, and whose benchmarks can import `selfsigned`. */
export function httpSuite(files: Readonly<Record<string, string>>): TemporarySuite {
  const suite = temporarySuite(files);
  for (const [name, target] of Object.entries(linked)) {
    const link = suite.path(`node_modules/${name}`);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(fileURLToPath(new URL(target, import.meta.url)), link);
  }
  return suite;
}

export interface ServerBenchmark {
  /** Default: a short load. */
  readonly load?: string;
  /** The body of the request handler, which has `request` and `response`. Default: a small answer, late enough to leave the CPUs idle. */
  readonly answer?: string;
  readonly parameters?: string;
  /** Default: HTTP/1.1 in cleartext. */
  readonly server?: keyof typeof servers;
  readonly head?: string;
}

/** Only runs import it: making certificates takes much longer to load than a server does. */
const certificate = `await import('selfsigned')
  .then(({ generate }) => generate([{ name: 'commonName', value: 'localhost' }], { keyType: 'ec', algorithm: 'sha256' }))
  .then(({ private: key, cert }) => ({ key, cert }))`;

/** As an import, node:http would load undici too, in every process of a benchmark. */
export function builtin(name: string): string {
  return `process.getBuiltinModule('node:${name}')`;
}

/** How to create a server. */
const servers = {
  http: `${builtin('http')}.createServer(answer)`,
  https: `${builtin('https')}.createServer(${certificate}, answer)`,
  http2: `${builtin('http2')}.createServer(answer)`,
  'http2 over TLS': `${builtin('http2')}.createSecureServer(${certificate}, answer)`,
} as const;

/** The source of a benchmark that starts a server, loads it, and closes it. */
export function serverBenchmark({
  load = 'await bench.http({ connections: 2, duration: 1 });',
  answer = `setTimeout(() => response.end('ok'), 20);`,
  parameters = '{ n: 1 }',
  server = 'http',
  head = '',
}: ServerBenchmark = {}): string {
  return benchmark(
    parameters,
    `const answer = (request, response) => { ${answer} };
     const server = ${servers[server]};
     server.listen(PORT, '127.0.0.1');
     await once(server, 'listening');
     ${load}
     server.close();`,
    {
      head: `import { once } from 'node:events';
        import { PORT } from '@bench-cli/core';
        ${head}`,
    },
  );
}

export interface RunOptions extends Partial<RequestOptions> {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Benchmarks with the same source, which most tests have, are planned once. */
const plannedOnce = scriptedRates(() => undefined);

/** Runs all benchmarks of a suite on a free port, and returns the events. */
export async function runSuite(
  suite: TemporarySuite,
  { env = {}, ...options }: RunOptions = {},
): Promise<SessionEvent[]> {
  const subjects = { node: { env: { PORT: String(await ownPort()), ...env } } };
  return await eventsIn(suite, { subjects, scripted: plannedOnce, ...options });
}

/** The record of a benchmark with one configuration. */
export async function recordOf(source: ServerBenchmark | string, options: RunOptions = {}) {
  using suite = httpSuite({ 'g/b.js': typeof source === 'string' ? source : serverBenchmark(source) });
  return onlyRecord(await runSuite(suite, options));
}

export function onlyRecord(events: readonly SessionEvent[]) {
  const [record, ...others] = runsOf(events);
  if (record === undefined || others.length > 0) throw new Error(`${others.length + 1} records, not one`);
  return record;
}

/** The result of a load; throws if the run failed. */
export async function loadOf(source: ServerBenchmark | string, options: RunOptions = {}) {
  const record = await recordOf(source, options);
  if (record.status === 'failed') throw new Error(record.failure.message);
  if (record.load === undefined) throw new Error('the record holds no load');
  return record.load;
}

/** Why the run of a benchmark failed; throws if there is a rate. */
export async function failureOf(source: ServerBenchmark | string, options: RunOptions = {}) {
  const record = await recordOf(source, options);
  if (record.status === 'ok') throw new Error(`the rate is ${record.values.rate}`);
  return record.failure;
}

/** The programs of all processes that have the pair in their environment. Linux only. */
export function programsWith(pair: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => readProcFile(pid, 'environ').split('\0').includes(pair))
    .map((pid) => readProcFile(pid, 'cmdline').split('\0'))
    .map(([program = '', ...args]) =>
      basename(
        args.find((arg, at) => /\.[cm]?js$/.test(arg) && args[at - 1] !== '--require' && at < 3) ?? program,
      ),
    );
}
