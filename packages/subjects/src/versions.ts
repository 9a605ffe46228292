import { isDeepStrictEqual } from 'node:util';
import { calledCommand, UsageError } from '@bench-cli/results';
import type { Subject, SubjectSource } from '@bench-cli/results/recording';
import { compare } from 'semver';
import { subjectCache } from './cache-entry.ts';
import { git, gitOrFail } from './git.ts';
import {
  availableVersions,
  type NpmConfiguration,
  type ProjectOptions,
  projectConfiguration,
  userConfiguration,
} from './npm.ts';
import { distributionOf } from './runtime-release.ts';
import { sourceCode } from './same-code.ts';
import { releaseOf, requestOf } from './subject.ts';
import type { SubjectRequest } from './subject-request.ts';
import { readSubject } from './subject-text.ts';

/**
 * The versions from one subject to another, both included, in their order. The subjects differ in the version
 * of one part, so a version is releases of a runtime or versions of a package without prereleases, or the
 * commits of a branch without those of the branches that were merged into it. `readSubject` reads them.
 *
 * @throws UsageError if the subjects differ in nothing, in several parts or in what has no versions, if they
 *   are in the wrong order, or if nothing is between them
 */
export async function versionsOf(
  good: Subject,
  bad: Subject,
  options: ProjectOptions = {},
): Promise<string[]> {
  const [difference, another] = differences(good, bad);
  if (difference === undefined) throw invalidEnds('both ends are the same: give two versions that differ');
  if (another !== undefined) {
    const problem = `the ends differ in the ${difference.what} and in the ${another.what}: let them differ in one version only`;
    throw invalidEnds(problem);
  }
  const all = await difference.versions(options);
  if (all.length > 2) return all;
  const problem = `no version is between ${all.join(' and ')}: compare the two with ${calledCommand(['compare'])}`;
  throw invalidEnds(problem);
}

/** A version as a subject: everything else is as in the good end. */
export function versionRequest(good: Subject, version: string): SubjectRequest {
  const { packages = [], ...base } = requestOf(good);
  const { packages: changed = [], ...differing } = readSubject(version).request;
  const kept = packages.filter(({ name }) => changed.every((each) => each.name !== name));
  const all = [...kept, ...changed];
  return { ...base, ...differing, ...(all.length > 0 && { packages: all }) };
}

interface Difference {
  readonly what: string;
  /** Those of both ends included. */
  readonly versions: (options: ProjectOptions) => Promise<string[]>;
}

function differences(good: Subject, bad: Subject): readonly Difference[] {
  const ofSettings = (['flags', 'env', 'cwd'] as const)
    .filter((name) => !isDeepStrictEqual(good[name], bad[name]))
    .map((what) => withoutVersions(what, `the ${what}`, 'have no versions'));
  return [
    ...runtimeDifference(good, bad),
    ...packageDifferences(good, bad),
    ...sourceDifference(good.source, bad.source),
    ...ofSettings,
  ];
}

/** A difference that cannot be searched. */
function withoutVersions(what: string, subject: string, problem: string): Difference {
  const versions = () => {
    throw invalidEnds(`${subject} ${problem}: let the ends differ in one version, such as node@22.0.0, only`);
  };
  return { what, versions };
}

function runtimeDifference(good: Subject, bad: Subject): readonly Difference[] {
  const what = 'runtime';
  const path = [good, bad].find(({ label }) => releaseOf(label) === undefined);
  if (path !== undefined) {
    if (good.executable === bad.executable) return [];
    return [withoutVersions(what, path.label, 'is not a release')];
  }
  const { name } = good.runtime;
  if (name !== bad.runtime.name)
    return [withoutVersions(what, `${good.label} and ${bad.label}`, 'are different runtimes')];
  const ends = { good: good.runtime.version, bad: bad.runtime.version };
  const configuration = () => userConfiguration(subjectCache(good.label, name));
  const { packageName } = distributionOf(name);
  return versionDifference(what, ends, packageName, (version) => `${name}@${version}`, configuration);
}

function packageDifferences(good: Subject, bad: Subject): readonly Difference[] {
  const names = new Set([...(good.packages ?? []), ...(bad.packages ?? [])].map(({ name }) => name));
  return Array.from(names).flatMap((name) => {
    const [from, to] = [good, bad].map((end) => end.packages?.find((each) => each.name === name)?.version);
    const what = `package ${name}`;
    if (from === undefined || to === undefined)
      return [withoutVersions(what, `the ${what}`, 'is in one end only')];
    const text = (version: string) => `npm:${name}@${version}`;
    const configuration = (options: ProjectOptions) => projectConfiguration(text('*'), options);
    return versionDifference(what, { good: from, bad: to }, name, text, configuration);
  });
}

/** Versions that the registry has. */
function versionDifference(
  what: string,
  ends: { readonly good: string; readonly bad: string },
  name: string,
  text: (version: string) => string,
  configurationOf: (options: ProjectOptions) => NpmConfiguration | Promise<NpmConfiguration>,
): readonly Difference[] {
  const order = compare(ends.good, ends.bad);
  if (order === 0) return [];
  const [good, bad] = [text(ends.good), text(ends.bad)];
  const versions = async (options: ProjectOptions) => {
    if (order > 0) throw wrongOrder(good, bad);
    const wanted = { label: `${good} to ${bad}`, name, range: `>${ends.good} <${ends.bad}` };
    const between = await availableVersions(wanted, await configurationOf(options), options.signal);
    return [good, ...between.map(text), bad];
  };
  return [{ what, versions }];
}

function sourceDifference(good: SubjectSource | undefined, bad: SubjectSource | undefined) {
  const what = 'source';
  if (isDeepStrictEqual(sourceCode(good), sourceCode(bad))) return [];
  if (good === undefined || bad === undefined)
    return [withoutVersions(what, 'the source', 'is in one end only')];
  const [from, to] = [good.commit, bad.commit];
  if (from === undefined || to === undefined || good.changes !== undefined || good.path !== bad.path)
    return [withoutVersions(what, `${good.label} to ${bad.label}`, 'is not a range of commits')];
  const versions = async ({ signal }: ProjectOptions) => {
    const repository = good.base;
    const isBefore = ['merge-base', '--is-ancestor', from, to];
    if ((await git(repository, isBefore, signal)) === undefined) throw wrongOrder(good.label, bad.label);
    const range = ['--first-parent', '--reverse', '--abbrev-commit', `${from}..${to}`];
    const commits = (await gitOrFail(repository, ['rev-list', ...range], signal)).split('\n').filter(Boolean);
    // The working tree with changes comes after its commit.
    const inside = bad.changes === undefined ? commits.slice(0, -1) : commits;
    const between = inside.map((commit) => `git:${commit}${good.path === '' ? '' : `:${good.path}`}`);
    return [good.label, ...between, bad.label];
  };
  return [{ what, versions }];
}

function wrongOrder(good: string, bad: string): UsageError {
  const problem = `the good end ${good} is not before the bad end ${bad}: swap them if they are in the wrong order; bisect finds faster versions as well as slower ones`;
  return invalidEnds(problem);
}

function invalidEnds(message: string): UsageError {
  return new UsageError('ERR_BENCH_BISECT_ENDS', message);
}
