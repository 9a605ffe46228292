import { type Benchmarker, builtInBenchmarkers, LoadError } from '@bench-cli/benchmarkers';
import { benchmarkerContract } from '@bench-cli/benchmarkers/contract';
import type { LoadResult } from '@bench-cli/core';
import { expect, it } from 'vitest';
import { makeCertificate } from './certificate.ts';
import { curl } from './curl.ts';
import { loadResult } from './load-result.ts';
import { autocannon, describeTools } from './tool.ts';

const certificate = await makeCertificate();
// HTTPS is tested with the test double of HTTP/2, and without TLS with that of HTTP.
const tools = builtInBenchmarkers.filter(({ name }) => !/^test-double-https?$/.test(name));

await describeTools([...tools, curl], 'fulfils the contract', (benchmarker) => {
  // curl sends one request, whatever the duration.
  const durationSeconds = benchmarker === curl ? 0.3 : 1;
  for (const { name, run } of benchmarkerContract(benchmarker, { certificate, durationSeconds })) {
    it(name, run);
  }
});

type Fault = (result: LoadResult) => Partial<LoadResult>;

const short = /^HTTP: .*server sees, for a (number|short)/;
const long = /^HTTP: .*server sees, for a duration/;

const faults: readonly (readonly [what: string, figure: string, noticedBy: RegExp, fault: Fault])[] = [
  ['half of the duration', 'durationSeconds', long, (it) => ({ durationSeconds: it.durationSeconds / 2 })],
  ['milliseconds', 'durationSeconds', short, (it) => ({ durationSeconds: 1000 * it.durationSeconds })],
  ['every second answer', 'requests', long, ({ requests }) => ({ requests: Math.floor(requests / 2) })],
  ['each answer twice', 'requests', short, ({ requests }) => ({ requests: 2 * requests })],
  [
    'microseconds as a mean',
    'latency.meanMs',
    short,
    ({ latency }) => ({ latency: { ...latency, meanMs: 1000 * (latency.meanMs ?? 0) } }),
  ],
  [
    'seconds as a percentile',
    'latency.p99Ms',
    short,
    ({ latency }) => ({ latency: { ...latency, p99Ms: (latency.p99Ms ?? 0) / 1000 } }),
  ],
  ['7 bytes', 'bytes', short, () => ({ bytes: 7 })],
  ['no wrong answers', 'non2xx', / but non2xx/, () => ({ non2xx: 0 })],
  ['no read errors', 'readErrors', / but readErrors/, () => ({ readErrors: 0 })],
  ['no time-outs', 'timeouts', / but timeouts/, () => ({ timeouts: 0 })],
];

/** An adapter that does not return what its tool printed. */
function faulty(benchmarker: Benchmarker, fault: Fault): Benchmarker {
  return {
    ...benchmarker,
    async run(options, context) {
      const right = await benchmarker.run(options, context).catch((error) => {
        if (error.failures === undefined) throw error;
        return { ...loadResult(1), ...error.failures };
      });
      const wrong = { ...right, ...fault(right) };
      const { connectErrors, readErrors, writeErrors, timeouts, non2xx, requests, durationSeconds } = wrong;
      if (connectErrors + readErrors + writeErrors + timeouts + non2xx > 0)
        throw new LoadError('ERR_BENCH_LOAD_FAILURES', benchmarker.name, { failures: wrong });
      return { ...wrong, rate: (requests - non2xx) / durationSeconds };
    },
  };
}

/** Carries out cases of the contract. */
async function carryOut(benchmarker: Benchmarker, title: RegExp): Promise<void> {
  const cases = benchmarkerContract(benchmarker).filter(({ name }) => title.test(name));
  await Promise.all(cases.map(({ run }) => run()));
}

await describeTools(
  [autocannon],
  'has an adapter',
  (benchmarker) => {
    it.each(faults)(
      'that does not fulfil the contract if it returns %s',
      async (_, figure, noticedBy, fault) => {
        await expect(carryOut(faulty(benchmarker, fault), noticedBy)).rejects.toThrow(figure);
      },
    );
  },
  { together: true },
);
