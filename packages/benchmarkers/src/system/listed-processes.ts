import { orElse } from './or-else.ts';
import type { ProcessList, ProcessStatus } from './platform.ts';

interface ListedProcess extends ProcessStatus {
  readonly program: string;
  readonly environment: string;
}

/** The list of processes that another program has printed. */
export function listOf(rows: Iterable<readonly [pid: number, ListedProcess]>): ProcessList {
  const processes = new Map(rows);
  return {
    ids: [...processes.keys()],
    statusOf: (pid) => processes.get(pid),
    environmentOf: (pid) => processes.get(pid)?.environment ?? '',
    programOf: (pid) => processes.get(pid)?.program ?? `process ${pid}`,
  };
}

/** Thousands of processes with the largest environments that macOS allows. */
const mostCharacters = 1 << 30;

/** What a program prints; empty if it fails. Linux starts none, so the module is only loaded where it is used. */
export function outputOf([program = '', ...args]: readonly string[]): string {
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  const options = { encoding: 'latin1', maxBuffer: mostCharacters, windowsHide: true } as const;
  return orElse(() => execFileSync(program, args, options), '');
}
