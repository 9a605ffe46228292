import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { readPerfOutput } from './perf-output.ts';

const permissionFile = '/proc/sys/kernel/perf_event_paranoid';

/**
 * Why this machine cannot count some events of the processor, as the rest of a sentence that begins with them; undefined if it can.
 * @param path the directories of programs
 */
export function perfProblem(
  events: readonly string[],
  path: string | undefined = process.env['PATH'],
): string | undefined {
  if (process.platform !== 'linux') return 'require perf, which only Linux has';
  const { error, stderr = '' } = spawnSync('perf', ['stat', '-x,', '-e', events.join(','), '--', 'true'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path, LC_ALL: 'C' },
  });
  if (error !== undefined)
    return 'require perf, which is not installed: install the package linux-perf or linux-tools';
  const counts = readPerfOutput(stderr);
  const missing = events.filter((event) => typeof counts.get(event) !== 'number');
  if (missing.length === 0) return undefined;
  const unsupported = missing.filter((event) => counts.get(event) === 'not supported');
  if (unsupported.length > 0) {
    return `are not available on this machine: perf stat says that ${unsupported.join(', ')} ${unsupported.length === 1 ? 'is' : 'are'} not supported, as on most virtual machines`;
  }
  const permission = existsSync(permissionFile) ? readFileSync(permissionFile, 'utf8').trim() : 'unknown';
  return `cannot be counted by this user: perf_event_paranoid is ${permission}, and must be at most 2`;
}
