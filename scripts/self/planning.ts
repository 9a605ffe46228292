import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { z } from 'zod';
import { temporarySuite } from '../../test/support/suite.ts';
import type { Budget } from './measurement.ts';

const answer = z.object({
  configurations: z.number(),
  runs: z.number(),
  seconds: z.number(),
  peakMiB: z.number(),
});

/** Measures planning and scheduling of 100,000 configurations: seconds, and the peak resident set size of the runner. */
export async function measurePlanning(): Promise<Budget[]> {
  const many = `
    import { createBenchmark } from '@bench-cli/core';
    const list = (length) => Array.from({ length }, (_, i) => i);
    createBenchmark(() => {}, { a: list(100), b: list(100), c: ['x', 'y', 'z', 'u', 'v', 'w', 'p', 'q', 'r', 's'] });
  `;
  using suite = temporarySuite({ 'many/many.js': many });
  const script = fileURLToPath(new URL('./plan-process.ts', import.meta.url));
  const { stdout } = await execa(execPath, [script, suite.directory]);
  const { configurations, runs, seconds, peakMiB } = answer.parse(JSON.parse(stdout));
  const name = `planning ${configurations} configurations and scheduling ${runs} runs`;
  return [
    { name: `${name}, s`, ours: `${seconds.toFixed(2)} s`, theirs: '-', ratios: [seconds], limit: 2 },
    { name: `${name}, MiB`, ours: `${peakMiB.toFixed(0)} MiB`, theirs: '-', ratios: [peakMiB], limit: 300 },
  ];
}
