/**
 * A process that carries out one command after the other for `benchCli`: each as the whole command in a process of its own would,
 * but without loading its modules again.
 */
import { Readable } from 'node:stream';
import { bin, type HostedCommand, type HostedResult } from './command.ts';

const main = new URL('../../packages/cli/lib/main.js', import.meta.url);
let commands = 0;
// Each command listens for signals and for errors of its output.
process.setMaxListeners(0);
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

process.on('message', async ({ args, cwd, env, input }: HostedCommand) => {
  const written = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    process[stream].write = (text: string | Uint8Array, ...rest: readonly unknown[]) => {
      written[stream] += typeof text === 'string' ? text : Buffer.from(text).toString();
      for (const done of rest) if (typeof done === 'function') queueMicrotask(() => done());
      return true;
    };
  }
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  process.argv = [process.execPath, bin, ...args];
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = 0;
  // Each import carries out a command.
  main.search = `?${++commands}`;
  await import(main.href);
  const result: HostedResult = { ...written, exitCode: Number(process.exitCode) };
  process.exitCode = 0;
  process.send?.(result);
});
