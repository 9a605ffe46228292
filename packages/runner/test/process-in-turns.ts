import { join } from 'node:path';
import type { Supervisor } from '../dist/process/supervisor.js';
import { turnsProbe } from '../dist/suite/script.js';

/** Sends a result, whose rate is what the script has computed. */
export const send = (rate: string): string =>
  `fs.writeSync(3, JSON.stringify({ type: 'report', name: 'x', conf: {}, rate: ${rate}, time: '1' }) + '\\n');`;

let files = 0;

/** A process that executes a script in turns. */
export function processInTurns(supervisor: Supervisor, script: string, command: string = process.execPath) {
  // A separator of paths, too.
  const stoppedTimeFile = join(supervisor.directory, `turn:${files++}`);
  const { file, env } = turnsProbe({ task: 'run', file: stoppedTimeFile });
  const args = ['--require', file, '-e', script];
  return {
    command,
    args,
    env: { ...process.env, ...env },
    channel: 'pipe',
    timeoutMs: 0,
    stoppedTimeFile,
  } as const;
}

/** The rate that a process has sent. */
export function rateOf({
  messages,
}: Awaited<ReturnType<Supervisor['runInTurns']>>[number]): number | undefined {
  return messages.flatMap((message) => (message.type === 'report' ? message.rate : []))[0];
}
