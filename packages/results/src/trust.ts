import { lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UsageError } from './usage-error.ts';

/** The variable that passes `--trust` to all processes of a command. A container can set it. */
export const TRUST_VARIABLE = 'BENCH_CLI_TRUST';

/** @throws UsageError with the path that another user can change, unless the user trusts them */
export function checkTrusted(path: string, env: NodeJS.ProcessEnv): void {
  const reason = env[TRUST_VARIABLE] === '1' ? undefined : untrusted(path);
  if (reason === undefined) return;
  const problem = `${path} is not used, because another user can change it: ${reason}; or add --trust (${TRUST_VARIABLE}=1) if you trust all of them`;
  throw new UsageError('ERR_BENCH_UNTRUSTED', problem);
}

/**
 * Why another user can change the target of a path, and the remedy; undefined if only this user and root can.
 * Write access to a directory above the path, or above the target of a link, is enough to replace it. Access
 * control lists are not read.
 * @throws the error of the system for a missing path
 */
export function untrusted(path: string): string | undefined {
  const user = process.geteuid?.();
  // Windows has access control lists instead.
  if (user === undefined) return undefined;
  const real = realpathSync(path);
  const sudoer = user === 0 ? Number(process.env['SUDO_UID'] ?? 0) : 0;
  const owners = new Set([user, 0, sudoer]);
  return weakness(resolve(path), owners) ?? weakness(real, owners);
}

const sticky = 0o1000;
/** The number of unmapped owners in a user namespace, such as the root of the system. */
const UNMAPPED = 65534;

function weakness(path: string, owners: ReadonlySet<number>, isAbove = false): string | undefined {
  const parent = dirname(path);
  // In a container, an unknown user can own the root directory.
  if (parent === path) return undefined;
  const above = weakness(parent, owners, true);
  if (above !== undefined) return above;
  const stats = lstatSync(path);
  const { uid, gid, mode } = stats;
  if (!owners.has(uid) && !(isAbove && uid === UNMAPPED))
    return `${path} belongs to the user ${uid}: change its owner to ${process.geteuid?.()}`;
  if (stats.isSymbolicLink())
    return weakness(resolve(realpathSync(parent), readlinkSync(path)), owners, isAbove);
  const isOpen = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isPrivateGroup(gid, uid, owners));
  // In a sticky directory, only owners can rename or remove.
  if (!isOpen || (isAbove && (mode & sticky) !== 0)) return undefined;
  return `${path} has the mode ${(mode & 0o7777).toString(8)}, and the group ${gid}: chmod go-w ${path}`;
}

/** Whether a group is private: many systems give each user a group of their own, and a umask of 002. */
function isPrivateGroup(gid: number, owner: number, owners: ReadonlySet<number>): boolean {
  const users = entriesOf('/etc/passwd');
  const groups = entriesOf('/etc/group').filter(([, , id]) => Number(id) === gid);
  const isOwners = ([name, , uid]: readonly string[]) =>
    Number(uid) === owner && groups.some(([group]) => group === name);
  if (gid !== owner && !users.some(isOwners)) return false;
  const trusted = users.filter(([, , uid]) => owners.has(Number(uid))).map(([name]) => name);
  const members = groups.flatMap(([, , , names = '']) => names.split(',').filter((name) => name !== ''));
  const primary = users.filter(([, , , group]) => Number(group) === gid).map(([name]) => name);
  return [...members, ...primary].every((name) => trusted.includes(name));
}

function entriesOf(file: string): readonly (readonly string[])[] {
  try {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    return lines.map((line) => line.split(':'));
  } catch {
    return [];
  }
}
