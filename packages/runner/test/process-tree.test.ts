import { readdirSync, writeFileSync } from 'node:fs';
import { systemRoots } from '@bench-cli/system';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { findLeft } from '../src/process/process-tree.ts';

const marks = { mark: 'a1b2c3d4', filter: 0x35 };
const ours = { coredump_filter: '00000035' };
const others = { coredump_filter: '00000033' };
/** Of the run. It has ended. */
const group = 2 ** 30;
const stat = (parent: number, groupId: number) => ({
  stat: `0 (sh) S ${parent} ${groupId} ${'0 '.repeat(20)}`,
});
const environ = { environ: 'PATH=/bin\0' };

type Processes = Readonly<Record<number, Readonly<Record<string, string>>>>;

/** A `/proc` with these processes. */
function systemWith(processes: Processes) {
  const suite = temporarySuite(
    Object.fromEntries(
      Object.entries(processes).flatMap(([pid, files]) =>
        Object.entries(files).map(([name, text]) => [`${pid}/${name}`, text]),
      ),
    ),
  );
  systemRoots.proc = suite.directory;
  return suite;
}

afterEach(() => {
  vi.restoreAllMocks();
  systemRoots.proc = '/proc';
});

describe.runIf(process.platform === 'linux')('a process that a run leaves, with another environment', () => {
  const orphan = { ...stat(process.ppid, 30), ...environ, ...ours };
  const child = { ...stat(40, 30), ...environ, ...ours };
  it.each<[what: string, processes: Processes, live: boolean]>([
    ['whose parent has ended', { 30: orphan }, true],
    ['whose parent cannot be seen', { 30: child }, true],
    ['whose parent is ending', { 30: child, 40: stat(50, 30) }, true],
    // Its status is read after its filter.
    ['whose parent ends while it is looked at', { 30: child, 40: ours }, true],
    ['whose parent is an orphan of the run', { 30: child, 40: orphan }, true],
    ['of another session', { 30: child, 40: { ...stat(1, 40), ...others } }, false],
    ['of another filter', { 30: { ...orphan, ...others } }, false],
  ])('%s', (_, processes, live) => {
    using _suite = systemWith(processes);
    expect(findLeft(marks, group, new Set()).live).toBe(live);
  });

  it('that leaves the group of the run while it is looked for', () => {
    using suite = systemWith({ 30: { ...orphan, ...stat(process.ppid, group) } });
    vi.spyOn(process, 'kill').mockImplementation(() => {
      for (const pid of readdirSync(suite.directory)) writeFileSync(suite.path(`${pid}/stat`), orphan.stat);
      return true;
    });
    expect(findLeft(marks, group, new Set()).live).toBe(true);
  });
});
