import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { loadServer } from '@bench-cli/benchmarkers';
import { findConfig, loadConfig } from './config-file.ts';
import type { LoadAnswer, LoadMessage, LoadOrder } from '@bench-cli/core/protocol';

/** The process behind `bench.http()`: takes one order, drives the load tool, and answers. */
const given = new AbortController();
const input = createInterface({ input: process.stdin });

// Whoever gave the order is gone: the load tool must not outlive it.
input.once('close', () => given.abort(new Error('the benchmark has ended')));

input.once('line', async (line) => {
  const order: LoadOrder = JSON.parse(line);
  const answer = await answerTo(order);
  tell(answer);
  process.exit();
});

async function answerTo({ load, script }: LoadOrder): Promise<LoadAnswer> {
  try {
    const config = findConfig(script);
    if (config !== undefined) tell({ loading: config });
    const { registered } = await loadConfig(config);
    tell({ loading: null });
    return { result: await loadServer(load, { signal: given.signal, registered }) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** At once, also if this process does nothing else from now on. */
function tell(message: LoadMessage): void {
  try {
    writeFileSync(3, `${JSON.stringify(message)}\n`);
  } catch {
    // Nobody listens any more.
  }
}
