import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { killGroup, killMarked } from './process-tree.ts';

/** The process behind `Reaper`: reads which groups run, and when its input ends kills those that still do. */
const [mark = '', directory = ''] = process.argv.slice(2);
const groups = new Set<number>();

// It ends with its input, not with the terminal's Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const groupId = Number(line.slice(1));
  if (line.startsWith('+')) groups.add(groupId);
  else groups.delete(groupId);
});
lines.on('close', () => {
  for (const groupId of groups) killGroup(groupId);
  killMarked(mark);
  rmSync(directory, { recursive: true, force: true });
});
