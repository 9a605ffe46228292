import { execFileSync } from 'node:child_process';
import { platform, platformOf } from '@bench-cli/system';
import { describe, expect, it } from 'vitest';
import { jobKeeper, jobLimits } from '../src/job-keeper.ts';
import { psColumns, readPs } from '../src/macos.ts';
import { readCim } from '../src/windows.ts';

const [linux, macos, windows] = [platformOf('linux'), platformOf('darwin'), platformOf('win32')];

describe('the processes that ps lists', () => {
  // In the form of macOS.
  const list = readPs(`\
    1     0     1 Ss    12:03.45 /sbin/launchd
  501     1   501 S+     0:01.50 /usr/local/bin/node bench.js HOME=/Users/a BENCH_CLI_RUN=12ab-000000001
  502   501   501 Z      0:00.00 (node)
 1503     1  1500 R   2-01:00:00 /opt/tool -x
`);

  it('have a parent, a group, a state and CPU time', () => {
    expect(list.ids).toEqual([1, 501, 502, 1503]);
    expect(list.statusOf(501)).toMatchObject({ parent: 1, group: 501, hasEnded: false, cpuSeconds: 1.5 });
    expect(list.statusOf(502)).toMatchObject({ parent: 501, hasEnded: true });
    expect([1, 1503].map((pid) => list.statusOf(pid)?.cpuSeconds)).toEqual([723.45, 176_400]);
    expect(list.statusOf(7)).toBeUndefined();
  });

  it('have programs, and variables after their commands', () => {
    expect([1, 501, 1503].map(list.programOf)).toEqual(['launchd', 'node', 'tool']);
    expect(list.environmentOf(501)).toContain('BENCH_CLI_RUN=12ab-');
    expect(list.environmentOf(7)).toBe('');
  });

  it.runIf(process.platform !== 'win32')('are those of this machine', () => {
    const { statusOf } = readPs(execFileSync('ps', ['-A', '-ww', ...psColumns], { encoding: 'latin1' }));
    expect(statusOf(process.pid)?.parent).toBe(process.ppid);
    expect(statusOf(process.pid)?.group).toBe(platform.processes().statusOf(process.pid)?.group);
  });
});

it('reads the processes that Windows lists', () => {
  const { ids, statusOf, programOf } = readCim(
    [
      '"ProcessId","ParentProcessId","KernelModeTime","UserModeTime","Name"',
      '"0","0","917187500000","0","System Idle Process"',
      '"4820","912","156250","20000000","node.exe"',
      '',
    ].join('\r\n'),
  );
  expect(ids).toEqual([0, 4820]);
  expect(statusOf(4820)).toMatchObject({ parent: 912, group: 4820, hasEnded: false, cpuSeconds: 2.015625 });
  expect(programOf(4820)).toBe('node.exe');
});

describe('the keeper of job objects', () => {
  const [program, ...args] = jobKeeper("C:\\Users\\O'Hara\\Temp\\bench-cli-1");
  const script = Buffer.from(args.at(-1) ?? '', 'base64').toString('utf16le');

  it('is a PowerShell that no profile changes, and whose command line Windows accepts', () => {
    expect([program, ...args.slice(0, -1)]).toEqual(
      expect.arrayContaining(['powershell.exe', '-NoProfile', '-EncodedCommand']),
    );
    expect([program, ...args].join(' ').length).toBeLessThan(32_767);
  });

  it('ends the processes of a job with its last handle, and lets none break away', () => {
    // JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE, without JOB_OBJECT_LIMIT_BREAKAWAY_OK and JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK.
    expect([jobLimits & 0x2000, jobLimits & 0x1800]).toEqual([0x2000, 0]);
    expect(script).toContain(`Flags = ${jobLimits} `);
  });

  it('removes the directory of the session, whatever its name', () => {
    expect(script).toContain(`-LiteralPath 'C:\\Users\\O''Hara\\Temp\\bench-cli-1'`);
  });
});

describe('a platform', () => {
  it('binds processes to CPUs on Linux only', () => {
    expect(linux.bind?.('0,2')).toEqual(['taskset', '-c', '0,2']);
    expect([macos.bind, windows.bind]).toEqual([undefined, undefined]);
  });

  it('has job objects where it has no process groups', () => {
    const keepers = [linux, macos, windows].map(({ jobKeeper }) => jobKeeper !== undefined);
    expect(keepers).toEqual([false, false, true]);
  });

  it('names a socket that leaves no file, except on macOS', () => {
    const names = [linux, macos, windows].map(({ socketName }) => socketName('a', '/d'));
    expect(names).toEqual(['\0a', '/d/a', '\\\\.\\pipe\\a']);
  });

  it('is that of macOS on other systems', () => {
    expect(platformOf('freebsd')).toBe(macos);
  });
});
