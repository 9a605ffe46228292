// The global setTimeout() of Deno before 2.7 returns a number.
import timers from 'node:timers';
import type { KeptOpenMessage } from './protocol.ts';

// A benchmark can replace timers.
const { clearTimeout, setTimeout } = timers;
let ending: NodeJS.Timeout | undefined;

/**
 * Ends the process after a grace time if handles keep it alive. Another call begins the time again.
 * @param tell tells the runner which kinds of handles these are, and then calls back
 * @param announce as for `leaveOnExit`
 * @param graceMs for errors after a result, and for handles to close, milliseconds
 */
export function endInGrace(
  tell: (message: KeptOpenMessage, leave: () => void) => void,
  announce?: () => void,
  graceMs = 500,
): void {
  clearTimeout(ending);
  ending = setTimeout(() => {
    // Bun and Deno do not have the function. Pipes and terminals can be those of the standard output.
    const kinds = process.getActiveResourcesInfo?.().filter((kind) => !/^(?:Pipe|TTY)Wrap$/.test(kind)) ?? [];
    tell({ type: 'kept open', kinds: [...new Set(kinds)] }, () => {
      leaveOnExit(announce);
      process.exit(process.exitCode ?? 0);
    });
  }, graceMs).unref();
}

/** Ends the process as `leaveOnExit` does when it has nothing left to do. */
export function leaveAtOnce(announce?: () => void): void {
  process.once('beforeExit', () => leaveOnExit(announce));
}

/**
 * Ends the process by a signal when it exits. The signal skips the heap teardown of Node.js, which waits for
 * threads of V8 and can last forever (nodejs/node#54918). An empty run of 40 ms takes 0.7 ms less: the median
 * of 1000 pairs under Node.js 26.10, 0.4 to 1.4 ms in each of five rounds. Other listeners run first.
 * @param announce tells the runner that the signal is meant; missing if messages are not delivered at once
 */
export function leaveOnExit(announce?: () => void): void {
  const leave = () => {
    if (process.listeners('exit').at(-1) !== leave) return;
    // Listeners can have set the exit code.
    if (process.exitCode || announce === undefined || isAwaited()) process.exit();
    announce();
    process.kill(process.pid, 'SIGKILL');
  };
  process.on('exit', leave);
}

/** Whether flags, libraries or addons, such as profilers, may still write files after the listeners. */
function isAwaited(): boolean {
  const { execArgv, execPath, env } = process;
  const modules = process.getBuiltinModule?.('node:module').createRequire(execPath).cache;
  // This list is not documented, and other runtimes do not have it.
  const builtins: unknown = Reflect.get(process, 'moduleLoadList');
  return (
    modules === undefined ||
    Object.keys(modules).some((file) => file.endsWith('.node')) ||
    ['NODE_OPTIONS', 'NODE_V8_COVERAGE', 'LD_PRELOAD'].some((name) => env[name] !== undefined) ||
    execArgv.some((flag, index) => flag !== '--require' && execArgv[index - 1] !== '--require') ||
    // Packages that clean up at the end replace `emit`.
    Object.hasOwn(process, 'emit') ||
    // With these modules a program can set flags and write traces.
    (Array.isArray(builtins) &&
      ['v8', 'trace_events'].some((name) => builtins.includes(`NativeModule ${name}`)))
  );
}
