/**
 * Loaded with --require into a process that measures metrics. `@bench-cli/core` and the loaders of other suites find it on
 * `globalThis`.
 */
import type { Probe } from '@bench-cli/core/protocol';
import { mainThread } from './main-thread.ts';
import { metricsVariable } from './metrics-variable.ts';
import { metrics } from './registry.ts';

const names = new Set(process.env[metricsVariable]?.split(','));
// Child processes of a benchmark do not measure.
delete process.env[metricsVariable];
const measured = [...metrics, mainThread].filter(({ name }) => names.has(name));

const amounts = new Map<string, number>();
let totalOperations = 0;
let ends: (() => number)[] = [];

const probe: Probe = {
  begin() {
    ends = measured.map((metric) => metric.begin());
  },
  end(operations) {
    for (const [at, { name, isPerOperation }] of [...measured.entries()].reverse()) {
      const amount = ends[at]?.() ?? 0;
      const former = amounts.get(name) ?? 0;
      amounts.set(name, isPerOperation ? former + amount : Math.max(former, amount));
    }
    totalOperations += operations;
  },
  values() {
    return Object.fromEntries(
      measured.flatMap(({ name, isPerOperation }) => {
        const amount = amounts.get(name);
        return amount === undefined ? [] : [[name, isPerOperation ? amount / totalOperations : amount]];
      }),
    );
  },
};

Reflect.set(globalThis, Symbol.for('bench-cli.probe'), probe);
