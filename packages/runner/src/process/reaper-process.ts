import { readFileSync, rmSync } from 'node:fs';
import { platform } from '@bench-cli/system';
import { killMarked } from './process-tree.ts';

/** The process of `startReaper`. When its input ends, it kills the groups on descriptor 3, and by marks. */
const [mark = '', directory = '', filter = ''] = process.argv.slice(2);

// Ctrl-C in the terminal must not end it; it ends with its input.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

process.stdin
  .on('error', () => {})
  .once('close', () => {
    const [groups = ''] = readFileSync(3, 'latin1').split('\n', 1);
    for (const groupId of groups.split(' ').filter(Boolean)) platform.killGroup(Number(groupId));
    killMarked({ mark, filter: filter === '' ? undefined : Number(filter) });
    rmSync(directory, { recursive: true, force: true });
  })
  .resume();
