import { readFileSync, rmSync } from 'node:fs';
import { killGroup, killMarked } from './process-tree.ts';

/**
 * The process behind `Reaper`: when its input ends, it kills the groups that still run by the list on descriptor 3, and
 * whatever carries the mark.
 */
const [mark = '', directory = ''] = process.argv.slice(2);

// It ends with its input, not with the terminal's Ctrl-C.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.stdin
  .on('error', () => {})
  .once('close', () => {
    const [groups = ''] = readFileSync(3, 'latin1').split('\n', 1);
    for (const groupId of groups.split(' ').filter(Boolean)) killGroup(Number(groupId));
    killMarked(mark);
    rmSync(directory, { recursive: true, force: true });
  })
  .resume();
