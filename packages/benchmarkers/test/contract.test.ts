import { builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { benchmarkerContract } from '@bench-cli/benchmarkers/contract';
import { it } from 'vitest';
import { makeCertificate } from './certificate.ts';
import { curl } from './curl.ts';
import { describeTool } from './tool.ts';

const certificate = await makeCertificate();

for (const benchmarker of [...builtInBenchmarkers, curl]) {
  await describeTool(benchmarker, 'fulfils the contract', () => {
    // A tool without a CPU has no answer within a shorter time on a loaded machine. curl does one request after the other.
    const durationSeconds = benchmarker === curl ? 0.3 : 1;
    for (const { name, run } of benchmarkerContract(benchmarker, { certificate, durationSeconds })) {
      it(name, run);
    }
  });
}
