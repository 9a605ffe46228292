import type { Probe } from './protocol.ts';

/** What measures metrics in this process, if the runner has loaded it. */
export const probe: Probe | undefined = Reflect.get(globalThis, Symbol.for('bench-cli.probe'));
