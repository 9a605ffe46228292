import type { Benchmarker } from '@bench-cli/benchmarkers';
import { loadConfigFile } from '@bench-cli/results/settings';

/**
 * The built-in benchmarkers and those of a config file, if there is one. One that replaces a built-in one
 * takes its place in the order.
 * @throws UsageError if the file is invalid
 */
export async function benchmarkersOf(
  config: string | undefined,
  env: NodeJS.ProcessEnv,
): Promise<readonly Benchmarker[]> {
  // Sessions without a server need none of them.
  const { builtInBenchmarkers } = await import('@bench-cli/benchmarkers');
  if (config === undefined) return builtInBenchmarkers;
  const expected = 'a benchmarker, made by defineBenchmarker of @bench-cli/benchmarkers';
  const list = { key: 'benchmarkers', isItem: isBenchmarker, expected } as const;
  const configured = await loadConfigFile(config, list, env);
  const byName = new Map([...builtInBenchmarkers, ...configured].map((it) => [it.name, it]));
  return [...byName.values()];
}

function isBenchmarker(value: unknown): value is Benchmarker {
  const { name, protocols, supports, available, run } = Object(value);
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
