/** Loaded with --require into a process that measures metrics. Core and loaders find it on `globalThis`. */
import type { Probe } from '@bench-cli/core/protocol';
import { orderTo } from '../taken-order.ts';
import { metrics } from './metrics.ts';

const names = orderTo('metrics');
const measured = metrics.filter(({ name }) => names.includes(name));

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
      measured.flatMap((metric) => {
        const { name, isPerOperation } = metric;
        const sum = amounts.get(name);
        if (sum === undefined) return [];
        const amount = metric.total?.() ?? sum;
        return [[name, isPerOperation ? amount / totalOperations : amount]];
      }),
    );
  },
};

Reflect.set(globalThis, Symbol.for('bench-cli.probe'), probe);
