import { builtInBenchmarkers } from '@bench-cli/benchmarkers';
import { benchmarkerContract } from '@bench-cli/benchmarkers/contract';
import { it } from 'vitest';
import { describeTools } from './tool.ts';

// That of another protocol differs in how it connects.
const doubles = builtInBenchmarkers.filter(({ name }) => name === 'test-double-http');

await describeTools(doubles, 'fulfils the contract', (double) => {
  for (const { name, run } of benchmarkerContract(double)) it(name, run);
});
