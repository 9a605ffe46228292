/** Ends the process as `leaveOnExit` does when it has nothing left to do, without heap teardown. */
export function leaveAtOnce(announce?: () => void): void {
  process.once('beforeExit', () => leaveOnExit(announce));
}

/**
 * Ends the process by a signal when it exits, without what Node.js does after the listeners of its end: it waits for threads of V8,
 * which takes a millisecond per run and can last forever (nodejs/node#54918). Other listeners of the end run first.
 * @param announce tells the runner that the signal is meant; missing if messages are not delivered at once
 */
export function leaveOnExit(announce?: () => void): void {
  const leave = (code: number) => {
    if (process.listeners('exit').at(-1) !== leave) return;
    if (code !== 0 || announce === undefined || writesAtTheEnd()) process.exit();
    announce();
    process.kill(process.pid, 'SIGKILL');
  };
  process.on('exit', leave);
}

/** Whether flags, a library or an addon can do something at the end of the process, as profilers write their files. */
function writesAtTheEnd(): boolean {
  const { execArgv, execPath, env } = process;
  const modules = process.getBuiltinModule?.('node:module').createRequire(execPath).cache;
  return (
    modules === undefined ||
    Object.keys(modules).some((file) => file.endsWith('.node')) ||
    ['NODE_OPTIONS', 'NODE_V8_COVERAGE', 'LD_PRELOAD'].some((name) => env[name] !== undefined) ||
    execArgv.some((flag, index) => flag !== '--require' && execArgv[index - 1] !== '--require')
  );
}
