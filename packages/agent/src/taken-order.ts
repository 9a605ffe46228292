import { takeProcessOrder } from '@bench-cli/core/protocol';
import type { Order } from './order.ts';

/** The order to this process. Its workers and its child processes have none. */
export function takeOrder(): Order {
  return takeProcessOrder();
}

/** A part of the order to this process. @throws TypeError without it */
export function orderTo<Name extends keyof Order>(name: Name): NonNullable<Order[Name]> {
  const part = takeOrder()[name];
  if (part === undefined || part === null) throw new TypeError(`the order has no ${name}`);
  return part;
}

/** Hides a file that a process loads by a flag from its benchmark, workers and child processes. */
export function hideFile(path: string): void {
  delete require.cache[path];
  const at = process.execArgv.indexOf(path);
  if (at > 0) process.execArgv.splice(at - 1, 2);
}
