import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { type Benchmarker, builtInBenchmarkers, LoadError, loadServer } from '@bench-cli/benchmarkers';
import type { LoadAnswer, LoadMessage, LoadOrder } from '@bench-cli/core/protocol';
import { UsageError } from '@bench-cli/results';
import { findConfigFile, loadConfigFile } from '@bench-cli/results/settings';

/** The process behind `bench.http()`: it receives one order, drives the load tool, and answers. */
const controller = new AbortController();
const input = createInterface({ input: process.stdin });

// The load tool must not outlive the benchmark.
input.once('close', () => controller.abort(new Error('the benchmark has ended')));

input.once('line', async (line) => {
  const order: LoadOrder = JSON.parse(line);
  send(await answerTo(order));
  process.exit();
});

async function answerTo({ load, script }: LoadOrder): Promise<LoadAnswer> {
  try {
    const config = findConfigFile(dirname(script));
    if (config !== undefined) send({ loading: config });
    const registered = config === undefined ? builtInBenchmarkers : await withConfigured(config);
    send({ loading: null });
    return { result: await loadServer(load, { signal: controller.signal, registered }) };
  } catch (error) {
    const code =
      error instanceof LoadError || error instanceof UsageError ? error.code : ('ERR_BENCH_LOAD' as const);
    return { error: error instanceof Error ? error.message : String(error), code };
  }
}

/** The built-in benchmarkers and those of a config file. One that replaces a built-in one takes its place in the order. */
async function withConfigured(config: string): Promise<readonly Benchmarker[]> {
  const configured = await loadConfigFile(config, {
    key: 'benchmarkers',
    isItem: isBenchmarker,
    expected: 'a benchmarker, made by defineBenchmarker of @bench-cli/benchmarkers',
  });
  const byName = new Map([...builtInBenchmarkers, ...configured].map((it) => [it.name, it]));
  return [...byName.values()];
}

function isBenchmarker(value: unknown): value is Benchmarker {
  if (typeof value !== 'object' || value === null) return false;
  const { name, protocols, supports, available, run }: Partial<Record<keyof Benchmarker, unknown>> = value;
  return (
    typeof name === 'string' &&
    name !== '' &&
    Array.isArray(protocols) &&
    protocols.length > 0 &&
    protocols.every((protocol) => ['http', 'https', 'http2'].includes(protocol)) &&
    Array.isArray(supports) &&
    typeof available === 'function' &&
    typeof run === 'function'
  );
}

/** Writes synchronously, so that the message is sent even if this process hangs afterwards. */
function send(message: LoadMessage): void {
  try {
    writeFileSync(3, `${JSON.stringify(message)}\n`);
  } catch {
    // The benchmark has ended.
  }
}
