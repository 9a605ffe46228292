import type { ActivityProbe, Probe } from './protocol.ts';

/** The probe that measures metrics in this process, if the runner has loaded one. */
export const probe: Probe | undefined = Reflect.get(globalThis, Symbol.for('bench-cli.probe'));

export const activity: ActivityProbe | undefined = Reflect.get(globalThis, Symbol.for('bench-cli.activity'));
