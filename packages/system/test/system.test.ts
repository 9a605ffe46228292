import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  askProgram,
  findProgram,
  ownCpus,
  physicalCores,
  platform,
  readCpuSet,
  systemRoots,
} from '@bench-cli/system';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('a set of CPUs', () => {
  it.each([
    ['0', [0]],
    ['0-2', [0, 1, 2]],
    ['0,2-4', [0, 2, 3, 4]],
    ['1-2,0-1', [1, 2, 0]],
  ])('%s contains %j', (text, cpus) => {
    expect([...(readCpuSet(text) ?? [])]).toEqual(cpus);
  });

  it.each(['', 'a', '1-', '-1', '1,', '0--2', '3-1', '0 1', '0-99999'])('cannot be %j', (text) => {
    expect(readCpuSet(text)).toBeUndefined();
  });
});

/** A directory as /sys/devices/system/cpu, with the siblings of each CPU. */
function topology(siblings: readonly string[], file = 'core_cpus_list') {
  const directory = mkdtempSync(join(tmpdir(), 'bench-cli-cores-'));
  for (const [cpu, list] of siblings.entries()) {
    mkdirSync(join(directory, `cpu${cpu}`, 'topology'), { recursive: true });
    writeFileSync(join(directory, `cpu${cpu}`, 'topology', file), `${list}\n`);
  }
  return { directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

describe('physical cores', () => {
  it('joins the hyper-threads of a core', () => {
    using cpus = topology(['0,4', '1,5', '2,6', '3,7', '0,4', '1,5', '2,6', '3,7']);
    const all = new Set([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(physicalCores(all, cpus.directory)).toEqual([
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ]);
    expect(physicalCores(new Set([5, 1, 2]), cpus.directory)).toEqual([[1, 5], [2]]);
  });

  it('reads the name of older kernels', () => {
    using cpus = topology(['0-1', '0-1'], 'thread_siblings_list');
    expect(physicalCores(new Set([0, 1]), cpus.directory)).toEqual([[0, 1]]);
  });

  it('takes each CPU for a core where the topology is unknown', () => {
    expect(physicalCores(new Set([3, 1]), join(tmpdir(), 'missing'))).toEqual([[1], [3]]);
  });

  it.runIf(process.platform === 'linux')('knows the CPUs of this process', () => {
    expect(ownCpus().size).toBeGreaterThan(0);
  });
});

describe.runIf(process.platform === 'linux')('the name of a process', () => {
  it.each([
    ['/usr/bin/node\0--test\0a.js\0', 'node'],
    ['/opt/chrome/chrome --type=renderer --data=/tmp/profile', 'chrome'],
    ['nginx: worker process', 'nginx'],
    ['vitest 1 /home/me/test/a.test.ts', 'vitest'],
    ['/opt/My Tool/tool\0--test\0', 'tool'],
    ['', 'process 7'],
  ])('of the words %j is %j', (words, name) => {
    const proc = mkdtempSync(join(tmpdir(), 'bench-cli-proc-'));
    mkdirSync(join(proc, '7'));
    writeFileSync(join(proc, '7', 'cmdline'), words);
    systemRoots.proc = proc;
    try {
      expect(platform.processes().programOf(7)).toBe(name);
    } finally {
      systemRoots.proc = '/proc';
      rmSync(proc, { recursive: true });
    }
  });
});

describe('the search for a program', () => {
  const directories = ['first', 'second'].map((name) => mkdtempSync(join(tmpdir(), `${name}-`)));
  const [first = '', second = ''] = directories;
  const path = process.env['PATH'];

  const add = (directory: string, name: string, mode: number) => {
    const file = join(directory, name);
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, mode);
  };

  beforeAll(() => {
    process.env['PATH'] = directories.join(delimiter);
    add(second, 'tool', 0o755);
    add(first, 'not-executable', 0o644);
    add(first, 'twice', 0o644);
    add(second, 'twice', 0o755);
  });
  afterAll(() => {
    process.env['PATH'] = path;
    for (const directory of directories) rmSync(directory, { recursive: true });
  });

  it('finds an executable file on the PATH', async () => {
    expect(await findProgram('tool')).toEqual({ path: join(second, 'tool'), executable: true });
  });

  it('skips files that are not executable', async () => {
    expect(await findProgram('twice')).toEqual({ path: join(second, 'twice'), executable: true });
  });

  it('reports a file that is not executable if there is no other', async () => {
    const path = join(first, 'not-executable');
    expect(await findProgram('not-executable')).toEqual({ path, executable: false });
    expect(await findProgram(path)).toEqual({ path, executable: false });
  });

  it('takes a path as it is', async () => {
    expect(await findProgram(join(second, 'tool'))).toEqual({ path: join(second, 'tool'), executable: true });
    expect(await findProgram('./tool')).toBeUndefined();
  });

  it('finds nothing for an unknown name or a directory', async () => {
    expect(await findProgram('no-such-program')).toBeUndefined();
    expect(await findProgram(first)).toBeUndefined();
  });
});

it('a program that hangs is killed', () => {
  const words = ['-c', 'exec sleep 86424'];
  const { status, error } = askProgram('sh', words, { encoding: 'utf8' });
  expect([status, error]).toEqual([null, expect.objectContaining({ code: 'ETIMEDOUT' })]);
});
