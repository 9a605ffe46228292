import { randomInt } from 'node:crypto';
import {
  type Belongs,
  coredumpFilterOf,
  findProcesses,
  killProcesses,
  orElse,
  type ProcessList,
  visibleProcesses,
} from '@bench-cli/system';

/**
 * The processes of a run and their descendants. They are found by the process group of the run, and by two
 * marks that processes inherit even if they leave the group: an environment variable and, on Linux, a
 * coredump filter. On Windows, job objects replace all three (`Platform.jobKeeper`).
 *
 * The filter says which parts of the memory a core dump contains. Processes inherit it. It can be set from
 * outside without special rights, and a run does not notice it. A process with the filter but without the
 * variable belongs to the session if its parent has ended.
 */

export const markVariable = 'BENCH_CLI_RUN';

/** Bits of a coredump filter that hardly enlarge a core dump: shared memory, headers, huge pages. */
const filterBits = [0x02, 0x10, 0x20, 0x40, 0x80, 0x100];

/** A filter that no running process has, if one is left; undefined if the system has no filters. */
export function chooseFilter(running: ReadonlySet<number>): number | undefined {
  const own = coredumpFilterOf(process.pid);
  if (own === undefined) return undefined;
  const others = Array.from({ length: (1 << filterBits.length) - 1 }, (_, change) =>
    filterBits.reduce((filter, bit, at) => (((change + 1) >> at) & 1 ? filter ^ bit : filter), own),
  );
  const taken = new Set(running.values().map(coredumpFilterOf));
  const free = others.filter((filter) => !taken.has(filter));
  const choice = free.length > 0 ? free : others;
  return choice[randomInt(choice.length)];
}

/** The names of the programs that still run in a group, without zombies where the system shows these. */
export function groupMembers(groupId: number): readonly string[] {
  if (!orElse(() => process.kill(-groupId, 0), false)) return [];
  const { ids, statusOf, programOf } = visibleProcesses();
  if (statusOf(process.pid) === undefined) return [`processes of group ${groupId}`];
  return ids
    .filter((pid) => {
      const status = statusOf(pid);
      return status?.group === groupId && !status.hasEnded;
    })
    .map(programOf);
}

export interface Marks {
  /** The value of the variable, or the start of it. */
  readonly mark: string;
  readonly filter: number | undefined;
}

/** Each look takes 0.1 ms. There is a second one only if a process ended during the first. */
const mostLooks = 50;

/**
 * Whether processes of a run live on, in its group or with its marks, or may do so.
 * @param before processes that ran before the run; reading only the others takes a tenth of a millisecond
 */
export function findLeft(marks: Marks, groupId: number, before: ReadonlySet<number>) {
  const seen = new Set(before);
  // First, because a process can leave the group meanwhile.
  const isInGroup = groupMembers(groupId).length > 0;
  for (let round = 1; ; round++) {
    const { found, missed, unknown, running } = findProcesses(belongsTo(marks, groupId), seen);
    // A process that ended before it was read can have started another one.
    if (found.length > 0 || !missed || round === mostLooks)
      return { live: isInGroup || found.length > 0 || unknown, running: new Set(running) };
  }
}

/**
 * Kills every process with the marks of a run or session, and those that these start meanwhile.
 * @param otherThan a group to leave alone: it was killed before, and its members may still be ending
 * @returns the names of the killed programs
 */
export function killMarked(marks: Marks, otherThan?: number, before?: ReadonlySet<number>) {
  return killProcesses(belongsTo(marks, otherThan), before);
}

function belongsTo({ mark, filter }: Marks, otherThan: number | undefined) {
  return (pid: number, environment: string, list: ProcessList): Belongs => {
    if (otherThan !== undefined && list.statusOf(pid)?.group === otherThan) return false;
    if (environment.includes(`${markVariable}=`)) return environment.includes(`${markVariable}=${mark}`);
    return filter !== undefined && coredumpFilterOf(pid) === filter && isOrphan(pid, filter, list);
  };
}

/**
 * Whether the parent of a process, or of its first ancestor with the filter, has ended. An orphan gets a
 * parent among the ancestors of this process. The parent of a process of another session is that session. A
 * parent that is ending has no filter any more, but still has its children.
 */
function isOrphan(pid: number, filter: number, { statusOf }: ProcessList): Belongs {
  /** 0 if the process has ended, or has no parent. */
  const parentOf = (child: number) => statusOf(child)?.parent ?? 0;
  let child = pid;
  let parent = parentOf(child);
  while (coredumpFilterOf(parent) === filter) {
    child = parent;
    parent = parentOf(child);
  }
  // `hidepid` hides the ancestors of other users, of which one takes orphans.
  const isHidden = parent > 0 && statusOf(parent) === undefined && parentOf(child) === parent;
  if (isHidden) return true;
  for (let ancestor = process.pid === 1 ? 1 : process.ppid; ancestor > 0; ancestor = parentOf(ancestor))
    if (parent === ancestor) return true;
  // One of them has ended meanwhile, so that its children get another parent.
  return coredumpFilterOf(parent) === undefined ? 'later' : false;
}
