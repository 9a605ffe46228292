import { type Benchmarker, builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { benchmarkerContract } from '@bench-cli/benchmarkers/contract';
import { it } from 'vitest';
import { makeCertificate } from './certificate.ts';
import { curl } from './curl.ts';
import { describeTools } from './tool.ts';

const certificate = await makeCertificate();

function fulfilsContract(benchmarker: Benchmarker): void {
  // A tool without a CPU has no answer within a shorter time on a loaded machine. curl does one request after the other.
  const durationSeconds = benchmarker === curl ? 0.3 : 1;
  for (const { name, run } of benchmarkerContract(benchmarker, { certificate, durationSeconds })) {
    it(name, run);
  }
}

const isDouble = ({ name }: Benchmarker) => name.startsWith('test-double');
const tools = builtInBenchmarkers.filter((each) => !isDouble(each));
await describeTools([...tools, curl], 'fulfils the contract', fulfilsContract);
// Of one request each, they wait most of the time.
// That of HTTPS is that of HTTP with TLS, which that of HTTP/2 has too.
const doubles = builtInBenchmarkers.filter((each) => isDouble(each) && each.name !== 'test-double-https');
await describeTools(doubles, 'fulfils the contract', fulfilsContract, { together: true });
