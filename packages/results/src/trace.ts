import type { TraceWindow } from '@bench-cli/core/protocol';

/** The mean rate in a part of a pilot: constant within each window, and 0 after the last one. */
export function rateWithin(windows: readonly TraceWindow[], fromMs: number, toMs: number): number {
  let [beganMs, operations] = [0, 0];
  for (const [endMs, rate] of windows) {
    operations += rate * Math.max(0, Math.min(endMs, toMs) - Math.max(beganMs, fromMs));
    beganMs = endMs;
  }
  return operations / (toMs - fromMs);
}
