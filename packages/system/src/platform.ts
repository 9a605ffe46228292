import { askProgram } from './program.ts';

export interface ProcessStatus {
  readonly parent: number;
  /** The process group; without groups, the process itself. */
  readonly group: number;
  /** Whether the process has ended and waits for its parent. */
  readonly hasEnded: boolean;
  /** CPU seconds so far, in user mode and in the kernel. */
  readonly cpuSeconds: number;
}

export interface ProcessList {
  readonly ids: readonly number[];
  /** Undefined if the process has ended. */
  readonly statusOf: (pid: number) => ProcessStatus | undefined;
  /** The variables of a process; empty if it has ended or belongs to another user. */
  readonly environmentOf: (pid: number) => string;
  readonly programOf: (pid: number) => string;
}

export interface Platform {
  readonly processes: () => ProcessList;
  /** Kills a process with its group or, without groups, with its descendants. Ignores ended processes. */
  readonly killGroup: (groupId: number) => void;
  /** Stops or continues a process with its group; ignores ended processes. Undefined if not possible. */
  readonly signalGroup?: (groupId: number, signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** The command of a process that holds job objects; undefined if processes have groups. */
  readonly jobKeeper?: (directory: string) => readonly string[];
  /** Words before a command that bind it to CPUs, in `taskset` notation; undefined if not possible. */
  readonly bind?: (cpuSet: string) => readonly string[];
  /** Words before a command that end it when its parent ends for any reason. */
  readonly tie?: readonly string[];
  /** The program and the arguments that execute a shell command. */
  readonly shell: (command: string) => readonly [program: string, ...args: readonly string[]];
  /** The name of a socket on which one process at a time can listen. */
  readonly socketName: (name: string, directory: string) => string;
}

function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    const { code } = Object(error);
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

export const posix = {
  killGroup: (groupId) => signalGroup(groupId, 'SIGKILL'),
  signalGroup,
  shell: (command) => ['sh', '-c', command],
} satisfies Partial<Platform>;

/** Files of Linux are missing on other systems, and processes end, belong to others, or are hidden. */
export function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

type ListedProcess = ProcessStatus & Readonly<Record<'program' | 'environment', string>>;

/** The list of processes in the output of another program. */
export function processList(rows: Iterable<readonly [pid: number, ListedProcess]>): ProcessList {
  const processes = new Map(rows);
  return {
    ids: [...processes.keys()],
    statusOf: (pid) => processes.get(pid),
    environmentOf: (pid) => processes.get(pid)?.environment ?? '',
    programOf: (pid) => processes.get(pid)?.program ?? `process ${pid}`,
  };
}

/** Thousands of processes with the largest environments of macOS. */
const mostCharacters = 1 << 30;

/** The output of a program; empty if it fails. */
export function outputOf([program = '', ...args]: readonly string[]): string {
  const options = { encoding: 'latin1', maxBuffer: mostCharacters, windowsHide: true } as const;
  const { status, stdout } = askProgram(program, args, options);
  return status === 0 ? stdout : '';
}
