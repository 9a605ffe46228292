/**
 * Loaded with --require into a process that plans. Tells the runner which handles the file has opened, and
 * where. Its hooks would make a measured process slower.
 */
import { createHook } from 'node:async_hooks';
import { describe } from '@bench-cli/core/other-tools';
import { writeMessage } from '../message-writer.ts';
import { hideFile } from '../taken-order.ts';

hideFile(__filename);

const opened: { readonly kind: string; readonly resource: object; readonly place: string | undefined }[] = [];
const openNow = () =>
  opened.filter(({ resource }) => {
    const hasRef: unknown = Reflect.get(resource, 'hasRef');
    const isRef = typeof hasRef === 'function' && Reflect.apply(hasRef, resource, []) === true;
    // A timer keeps its answer after it has fired.
    return isRef && Reflect.get(resource, '_destroyed') !== true;
  });
createHook({
  init(_, kind, __, resource) {
    if (/^(?:Timeout|WORKER|\w*WRAP)$/.test(kind))
      opened.push({ kind, resource, place: describe(new Error()).place });
  },
}).enable();

/** Whether something that ends by itself is not done, so that the file can still declare benchmarks. */
const isBusy = () =>
  process.getActiveResourcesInfo().some((kind) => /Re[aq]|Connect|Job/.test(kind)) ||
  openNow().some(({ resource }) => Reflect.get(resource, '_repeat') === null);
Reflect.set(globalThis, Symbol.for('bench-cli.busy'), isBusy);

process.once('exit', () => {
  const handles = openNow().map(({ kind, place }) => ({ kind, place }));
  // All transports of messages have this descriptor.
  if (handles.length > 0) writeMessage(3, { type: 'opened', handles });
});
