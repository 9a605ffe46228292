import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { loadServer } from '@bench-cli/benchmarkers';
import { loadConfig } from './config.ts';
import type { LoadAnswer, LoadOrder } from './http.ts';

/** The process behind `bench.http()`: takes one order, drives the load tool, and answers. */
const given = new AbortController();
const input = createInterface({ input: process.stdin });

// Whoever gave the order is gone: the load tool must not outlive it.
input.once('close', () => given.abort(new Error('the benchmark has ended')));

input.once('line', async (line) => {
  const order: LoadOrder = JSON.parse(line);
  const answer = JSON.stringify(await answerTo(order));
  if (!given.signal.aborted) writeFileSync(3, answer);
  process.exit();
});

async function answerTo({ load, script }: LoadOrder): Promise<LoadAnswer> {
  try {
    const { registered } = await loadConfig(script);
    return { result: await loadServer(load, { signal: given.signal, registered }) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
