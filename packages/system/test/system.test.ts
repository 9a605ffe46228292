import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import {
  allowedCpus,
  askProgram,
  findProgram,
  physicalCores,
  platform,
  readCpuSet,
  systemRoots,
} from '@bench-cli/system';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

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

/** A directory as /sys, with the siblings of each CPU. */
const topology = (siblings: readonly string[], file = 'core_cpus_list') =>
  temporarySuite(
    Object.fromEntries(
      siblings.map((list, cpu) => [`devices/system/cpu/cpu${cpu}/topology/${file}`, `${list}\n`]),
    ),
  );

describe('physical cores', () => {
  /** The cores of some CPUs, as a directory in place of /sys describes them. */
  const coresIn = (directory: string, cpus: readonly number[]) => {
    systemRoots.sys = directory;
    try {
      return physicalCores(new Set(cpus));
    } finally {
      systemRoots.sys = '/sys';
    }
  };

  it('joins the hyper-threads of a core', () => {
    using cpus = topology(['0,4', '1,5', '2,6', '3,7', '0,4', '1,5', '2,6', '3,7']);
    expect(coresIn(cpus.directory, [0, 1, 2, 3, 4, 5, 6, 7])).toEqual([
      [0, 4],
      [1, 5],
      [2, 6],
      [3, 7],
    ]);
    expect(coresIn(cpus.directory, [5, 1, 2])).toEqual([[1, 5], [2]]);
  });

  it('reads the name of older kernels', () => {
    using cpus = topology(['0-1', '0-1'], 'thread_siblings_list');
    expect(coresIn(cpus.directory, [0, 1])).toEqual([[0, 1]]);
  });

  it('takes each CPU for a core where the topology is unknown', () => {
    expect(coresIn(join(tmpdir(), 'missing'), [3, 1])).toEqual([[1], [3]]);
  });

  it.runIf(process.platform === 'linux')('knows the CPUs of this process', () => {
    expect(allowedCpus().size).toBeGreaterThan(0);
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
    using files = temporarySuite({ '7/cmdline': words });
    systemRoots.proc = files.directory;
    onTestFinished(() => {
      systemRoots.proc = '/proc';
    });
    expect(platform.processes().programOf(7)).toBe(name);
  });
});

describe('the search for a program', () => {
  const { path } = untilEnd(
    temporarySuite({
      ...{ 'first/not-executable': '', 'first/twice': '' },
      ...{ 'second/tool': '#!/bin/sh\n', 'second/twice': '#!/bin/sh\n' },
    }),
  );

  beforeAll(() => {
    vi.stubEnv('PATH', ['first', 'second'].map(path).join(delimiter));
    return () => vi.unstubAllEnvs();
  });

  it.each([
    ['an executable file on the PATH', 'tool', { path: path('second/tool'), executable: true }],
    ['a later one if the first is not executable', 'twice', { path: path('second/twice'), executable: true }],
    [
      'one that is not executable if there is no other',
      'not-executable',
      { path: path('first/not-executable'), executable: false },
    ],
    ['a path as it is', path('second/tool'), { path: path('second/tool'), executable: true }],
    ['no path that is none', './tool', undefined],
    ['no unknown name', 'no-such-program', undefined],
    ['no directory', path('first'), undefined],
  ])('finds %s', async (_, name, found) => {
    expect(await findProgram(name)).toEqual(found);
  });
});

it('a program that hangs is killed', () => {
  const words = ['-c', 'exec sleep 86424'];
  const { status, error } = askProgram('sh', words, { encoding: 'utf8' });
  expect([status, error]).toEqual([null, expect.objectContaining({ code: 'ETIMEDOUT' })]);
});
