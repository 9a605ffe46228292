import type { Supervisor } from '../dist/process/supervisor.js';
import { turnsProbe } from '../dist/suite/script.js';

/** Sends a result, whose rate is what the script has computed. */
export const send = (rate: string): string =>
  `fs.writeSync(3, JSON.stringify({ type: 'report', name: 'x', conf: {}, rate: ${rate}, time: '1' }) + '\\n');`;

/** A process that executes a script in turns. */
export function processInTurns(script: string, command: string = process.execPath) {
  const { file, env } = turnsProbe;
  const args = ['--require', file, '-e', script];
  return { command, args, env: { ...process.env, ...env }, channel: 'pipe', timeoutMs: 0 } as const;
}

/** The rate that a process has sent. */
export function rateOf({
  messages,
}: Awaited<ReturnType<Supervisor['runInTurns']>>[number]): number | undefined {
  return messages.flatMap((message) => (message.type === 'report' ? message.rate : []))[0];
}

/** A benchmark that keeps a CPU busy, at the same rate however fast the machine is: an operation is a nanosecond. */
export const measuredNs = (loops: number, { factor = '1', metrics = '{}' } = {}): string =>
  `bench.start(); const beganNs = process.hrtime.bigint(); let x = 1;
  for (let i = 0; i < ${loops}; i++) x = (x * 31 + i) | 0;
  bench.end(Number(process.hrtime.bigint() - beganNs) * ${factor} + (x & 1), ${metrics});`;
