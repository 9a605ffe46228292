import { it } from 'vitest';
import { benchmarkerContract } from '../src/contract/index.ts';
import { h2load } from '../src/h2load.ts';
import { builtInBenchmarkers } from '../src/index.ts';
import { oha } from '../src/oha.ts';
import { wrk } from '../src/wrk.ts';
import { makeCertificate } from './certificate.ts';
import { curl } from './curl.ts';
import { describeTool } from './tool.ts';

const certificate = await makeCertificate();

for (const benchmarker of [...builtInBenchmarkers, curl]) {
  await describeTool(benchmarker, 'fulfils the contract', () => {
    // wrk accepts whole seconds only, h2load hangs if its duration ends before it has connected, and oha then has no answer.
    const durationSeconds = [wrk, h2load, oha].includes(benchmarker) ? 1 : 0.3;
    for (const { name, run } of benchmarkerContract(benchmarker, { certificate, durationSeconds })) {
      it.concurrent(name, run);
    }
  });
}
