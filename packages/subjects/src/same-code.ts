import { hash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { packageDetails, subjectParts, UsageError } from '@bench-cli/results';
import type { Subject, SubjectSource } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { codeDirectory } from './locations.ts';

/** @throws UsageError that says what is the same, if two subjects execute the same code alike */
export function checkDifferent(subjects: readonly Subject[]): void {
  for (const [at, subject] of subjects.entries()) {
    const same = subjects
      .slice(0, at)
      .find((other) => isDeepStrictEqual(codeOf(other), codeOf(subject)) && executeAlike(other, subject));
    if (same === undefined) continue;
    const problem = `${same.name} and ${subject.name} are the same code: ${subjectParts(subject).join('; ')}; give another subject, or add --allow-same to see how much equal code differs`;
    throw new UsageError('ERR_BENCH_SAME_SUBJECTS', problem);
  }
}

export function executeAlike(one: Subject, other: Subject): boolean {
  const wayOf = ({ flags, env, cwd }: Subject) => ({ flags, env, cwd });
  if (!isDeepStrictEqual(wayOf(one), wayOf(other))) return false;
  const [a, b] = [one.executable, other.executable];
  return a === b || (statSync(a).size === statSync(b).size && fileDigest(a) === fileDigest(b));
}

/** The properties that determine which code a subject executes. */
function codeOf({ packages = [], source }: Subject) {
  return {
    packages: packages.map(packageDetails),
    source: sourceCode(source),
    // A directory can have a build that is not that of its commit.
    isDirectory: source !== undefined && !source.label.startsWith('git:'),
  };
}

/** The properties that determine the code of a source: of a directory without a commit, its path. */
export function sourceCode(source: SubjectSource | undefined): object | undefined {
  return source && { path: source.path, commit: source.commit ?? source.directory, changes: source.changes };
}

/** SHA-256 of a large file, such as a runtime. It is remembered until the file changes. */
export function fileDigest(path: string): string {
  const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  const directory = codeDirectory('digests');
  const memory = directory && join(directory, [dev, ino, size, mtimeNs, ctimeNs].join('-'));
  const known = memory !== undefined && existsSync(memory) ? readFileSync(memory, 'utf8') : '';
  // A full disk can have cut it off.
  if (/^[\da-f]{64}$/.test(known)) return known;
  const digest = hash('sha256', readFileSync(path));
  // The disk can be full.
  if (memory !== undefined) orElse(() => writeFileSync(memory, digest), undefined);
  return digest;
}
