import { askProgram } from './program.ts';

/** A process as the system shows it. */
export interface ProcessStatus {
  readonly parent: number;
  /** The process group; where a system has none, the process itself. */
  readonly group: number;
  /** Whether it has ended, and only waits until its parent asks for its result. */
  readonly hasEnded: boolean;
  /** CPU seconds so far, in user mode and in the kernel. */
  readonly cpuSeconds: number;
}

/** The processes of the machine. */
export interface ProcessList {
  readonly ids: readonly number[];
  /** Undefined if it has ended. */
  readonly statusOf: (pid: number) => ProcessStatus | undefined;
  /** Its variables; empty if it has ended or belongs to another user. */
  readonly environmentOf: (pid: number) => string;
  /** The name of the program that it runs. */
  readonly programOf: (pid: number) => string;
}

/** Everything that bench-cli does in a different way on each operating system. */
export interface Platform {
  readonly processes: () => ProcessList;
  /** Kills a process with its group or, without groups, with its descendants; does nothing if all have ended. */
  readonly killGroup: (groupId: number) => void;
  /** Stops or continues a process with its group; does nothing if all have ended. Undefined if the system cannot. */
  readonly signalGroup?: (groupId: number, signal: 'SIGSTOP' | 'SIGCONT') => void;
  /** The command of a process that holds job objects; undefined if processes have groups, and are found by their variables. */
  readonly jobKeeper?: (directory: string) => readonly string[];
  /** The words before a command that bind it to CPUs, in the notation of `taskset -c`; undefined if the system cannot. */
  readonly bind?: (cpuSet: string) => readonly string[];
  /** The words before a command that end it together with its parent, however that ends. */
  readonly tie?: readonly string[];
  /** The program and the arguments that execute a command of a shell. */
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

/** What Linux and macOS have in common. */
export const posix = {
  killGroup: (groupId) => signalGroup(groupId, 'SIGKILL'),
  signalGroup,
  shell: (command) => ['sh', '-c', command],
} satisfies Partial<Platform>;

/** Files of Linux are missing on other systems; processes end, belong to other users, or are not shown. */
export function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

type ListedProcess = ProcessStatus & Readonly<Record<'program' | 'environment', string>>;

/** The list of processes that another program has printed. */
export function processList(rows: Iterable<readonly [pid: number, ListedProcess]>): ProcessList {
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
  const options = { encoding: 'latin1', maxBuffer: mostCharacters, windowsHide: true } as const;
  const { status, stdout } = askProgram(program, args, options);
  return status === 0 ? stdout : '';
}
