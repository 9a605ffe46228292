import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { writeMessage } from '@bench-cli/agent';
import { LoadError, loadServer } from '@bench-cli/benchmarkers';
import type { LoadAnswer, LoadMessage, LoadOrder } from '@bench-cli/core/protocol';
import { UsageError } from '@bench-cli/results';
import { findConfigFile } from '@bench-cli/results/settings';
import { benchmarkersOf } from './configured-benchmarkers.ts';

/** The process behind `bench.http()`: it receives one order, drives the load tool, and answers. */
const controller = new AbortController();
const input = createInterface({ input: process.stdin });

// The load tool must not outlive the benchmark.
input.once('close', () => controller.abort(new Error('the benchmark has ended')));

input.once('line', async (line) => {
  const order: LoadOrder = JSON.parse(line);
  send(await answerTo(order));
  // A registered tool can leave handles open, with which process.exit() can wait forever (nodejs/node#54918).
  process.kill(process.pid, 'SIGKILL');
});

async function answerTo({ load, script }: LoadOrder): Promise<LoadAnswer> {
  try {
    const config = findConfigFile(dirname(script));
    if (config !== undefined) send({ loading: config });
    const registered = await benchmarkersOf(config, process.env);
    send({ loading: null });
    return { result: await loadServer(load, { signal: controller.signal, registered }) };
  } catch (error) {
    const code =
      error instanceof LoadError || error instanceof UsageError ? error.code : ('ERR_BENCH_LOAD' as const);
    return { error: error instanceof Error ? error.message : String(error), code };
  }
}

function send(message: LoadMessage): void {
  try {
    writeMessage(3, message);
  } catch {
    // The benchmark has ended.
  }
}
