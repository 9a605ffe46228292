/** Loaded with --require into a process that finds out which functions the modules of a project export. */
import { Session } from 'node:inspector';
import { orderTo } from '../taken-order.ts';
import { coveredFunctions, placesIn, writeFunctions } from './covered-functions.ts';

const order = orderTo('functions');
const placeOf = placesIn(order);
const session = new Session();
session.connect();
session.post('Profiler.enable');
// Otherwise functions that are never called are forgotten with their module.
session.post('Profiler.startPreciseCoverage', { callCount: true });
Reflect.set(globalThis, 'listExports', list);

/** @param load imports a module as the code of the project does */
async function list(load: (specifier: string) => Promise<object>): Promise<void> {
  const loaded = await Promise.allSettled((order.modules ?? []).map(load));
  const covered = coveredFunctions(session, placeOf);
  const functions: ((typeof covered)[number] & { exported: string })[] = [];
  const seen = new Set<unknown>();
  /** Adds a function, its methods and those of an object. @param exported empty for a default export */
  const add = (exported: string, value: unknown, depth = 0) => {
    if (Object(value) !== value || seen.has(value) || depth > 2) return;
    seen.add(value);
    const [name = '', prototype] = typeof value === 'function' ? [value.name, value.prototype] : [];
    const text = typeof value === 'function' ? String(value) : '';
    const isClass = /^class\b/.test(text);
    const at = covered.findIndex(({ source }) =>
      // The source of a class contains that of its constructor.
      isClass ? source.startsWith('constructor') && text.includes(source) : source === text,
    );
    for (const found of at < 0 ? [] : covered.splice(at, 1))
      functions.push({ ...found, exported: exported || name, isExecuted: false });
    for (const owner of [value, prototype]) {
      const prefix = exported || (owner === prototype && name);
      for (const [key, member] of Object.entries(Object.getOwnPropertyDescriptors(Object(owner))))
        if (key !== 'constructor' && key !== 'prototype')
          add(prefix ? `${prefix}.${key}` : key, member.value ?? member.get, depth + 1);
    }
  };
  const entries = loaded.flatMap((each) => (each.status === 'fulfilled' ? Object.entries(each.value) : []));
  const isDefault = (name: string) => name === 'default' || name === 'module.exports';
  entries.sort(([a], [b]) => +isDefault(a) - +isDefault(b));
  for (const [name, value] of entries) add(isDefault(name) ? '' : name, value);
  writeFunctions(order, functions);
  for (const each of loaded) if (each.status === 'rejected') throw each.reason;
  // A module can have started what keeps the process alive.
  process.exit();
}
