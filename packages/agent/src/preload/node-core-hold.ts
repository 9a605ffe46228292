import type { ChildProcess } from 'node:child_process';

/**
 * Lets a Node core benchmark execute its setup, and holds it at its first run until a message lets it execute
 * its teardown. Meanwhile objects of the setup, such as a server, stay alive.
 */
export default function prepareHold(): void {
  const childProcess: typeof import('node:child_process') = require('node:child_process');
  const held: ChildProcess[] = [];
  let released = false;
  const before = { ...process.env };

  const end = (child: ChildProcess) =>
    setImmediate(() => {
      child.emit('exit', 0, null);
      child.emit('close', 0, null);
    });
  /** The variables that the setup has set for the runs. */
  const changed = () =>
    Object.fromEntries(Object.entries(process.env).filter(([name, value]) => value !== before[name]));
  Reflect.set(childProcess, 'fork', () => {
    const child = new childProcess.ChildProcess();
    if (released) end(child);
    else {
      held.push(child);
      if (held.length === 1) process.send?.({ type: 'held', env: changed() });
    }
    return child;
  });
  process.once('message', () => {
    released = true;
    for (const child of held) end(child);
    process.channel?.unref();
  });
  // The runner has ended.
  process.once('disconnect', () => process.exit(1));
}
