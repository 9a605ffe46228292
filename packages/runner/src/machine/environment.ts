import { availableParallelism, cpus, loadavg, platform, release, totalmem } from 'node:os';
import type { Environment } from '@bench-cli/results/recording';
import { firstGovernor } from './governor.ts';
import { lackingGuarantees } from './guarantees.ts';

export function readEnvironment(env: NodeJS.ProcessEnv = process.env): Environment {
  const lacks = lackingGuarantees();
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cpus: availableParallelism(),
    ...(availableParallelism() < cpus().length && { machineCpus: cpus().length }),
    os: `${platform()} ${release()}`,
    memoryBytes: totalmem(),
    governor: firstGovernor() ?? null,
    cpuLoad: loadavg()[0] ?? 0,
    node: process.versions.node,
    variables: Object.fromEntries(
      Object.entries(env).flatMap(([name, value = '']) => (rateVariable.test(name) ? [[name, value]] : [])),
    ),
    ...(lacks.length > 0 && { lacks }),
  };
}

/** The variables that change how runtimes, and programs that read them, work. None of them holds a secret. */
const rateVariable =
  /^(?:NODE_ENV|NODE_OPTIONS|NODE_ICU_DATA|NODE_V8_COVERAGE|NODE_COMPILE_CACHE|UV_.+|LANG|LANGUAGE|LC_.+|TZ|LD_PRELOAD|LD_LIBRARY_PATH|MALLOC_.+|GLIBC_TUNABLES)$/;
