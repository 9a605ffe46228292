import { basename, join } from 'node:path';
import { outputOf, type Platform, posix, processList } from './platform.ts';

/** The columns for `readPs`, without headers; `command` is last, because it contains spaces. */
const columns = ['pid', 'ppid', 'pgid', 'stat', 'time', 'command'];
export const psColumns = columns.flatMap((name) => ['-o', `${name}=`]);

export const macos: Platform = {
  ...posix,
  // -E appends the variables of each process to its command.
  processes: () => readPs(outputOf(['ps', '-A', '-E', '-ww', ...psColumns])),
  // A file, which remains if the process is killed.
  socketName: (name, directory) => join(directory, name),
};

/** Reads the output of `ps` with `psColumns`, and with variables after commands. */
export function readPs(text: string) {
  const rows = text.matchAll(/^ *(\d+) +(\d+) +(\d+) +(\S+) +(?:(\d+)-)?([\d:]+(?:\.\d+)?) +((\S+).*)$/gm);
  return processList(
    rows.map(([, pid, parent, group, state = '', days = 0, time = '', environment = '', program = '']) => [
      Number(pid),
      {
        parent: Number(parent),
        group: Number(group),
        hasEnded: state.startsWith('Z'),
        cpuSeconds: time.split(':').reduce((sum, part) => 60 * sum + Number(part), 0) + 86_400 * Number(days),
        program: basename(program),
        environment,
      },
    ]),
  );
}
