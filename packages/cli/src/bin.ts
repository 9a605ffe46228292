/** The command as a process. Only this file reads its arguments, environment, directory and signals. */
import { run } from './main.ts';
import { RoundInterruption, signalOf } from './session/interruption.ts';

const rounds = new RoundInterruption();
let signal: AbortSignal | undefined;

process.exitCode = await run(process.argv.slice(2), {
  // Opening a stream takes time.
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  env: process.env,
  // Reading the directory fails if it was removed.
  get cwd() {
    return process.cwd();
  },
  // A signal ends a command that does not ask for it, as it ends any process.
  get signal() {
    signal ??= signalOf(process, rounds);
    return signal;
  },
  rounds,
});
