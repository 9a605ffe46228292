import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Case, caseKey, counted, shortList, UsageError } from '@bench-cli/results';
import type { BenchmarkFile, PlanRecord, SessionRequest, Subject } from '@bench-cli/results/recording';
import type { OpenSession } from '../execution/open-session.ts';
import { propertyIn } from '../parse-json.ts';
import type { Contents } from '../plan/imported-code.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { executeAlike } from '../subject/same-code.ts';
import { importedModules, manifestOf } from '../suite/imported-modules.ts';
import { type CaseInputs, caseInputs, copiedCode, differingFile, measuredFiles } from './case-inputs.ts';

type Unaffected = NonNullable<PlanRecord['unaffected']>;

/**
 * Divides the cases of a comparison: those that load the same under all subjects would only be compared with themselves. A resumed session
 * divides as it did when it began.
 * @throws UsageError if all cases load the same, unless that is a valid answer (`affected`)
 */
export async function divideAffected(
  planned: readonly PlannedBenchmark[],
  open: OpenSession,
  hasFailed: boolean,
): Promise<{ readonly affected: readonly PlannedBenchmark[]; readonly unaffected: Unaffected }> {
  const { session, plan: former } = open;
  const { command, settings, subjects } = session.request;
  if (command !== 'compare' || settings.allowSame || !allAlike(subjects))
    return { affected: planned, unaffected: [] };
  if (former !== undefined) return divideBy(planned, former.unaffected ?? []);
  const inputs = await caseInputs(planned, open);
  const unaffected = planned.flatMap(({ name, configurations }) => {
    const same = configurations.filter(
      (configuration) => inputs.reasonOf({ benchmark: name, configuration }) === undefined,
    );
    return same.length === 0 ? [] : [{ name, configurations: same }];
  });
  const divided = divideBy(planned, unaffected);
  const isAll = divided.affected.every(({ configurations }) => configurations.length === 0);
  if (isAll && unaffected.length > 0 && !hasFailed && !settings.affected)
    throw sameCode(session.request, unaffected, inputs);
  const copied = copiedCode(session.request, inputs.loaded);
  if (copied !== undefined) await open.emit({ type: 'warning', message: copied });
  for (const [reason, names] of unknownReasons(planned, inputs)) {
    const message = `${[...names].join(', ')} ${reason}: as far as is known, it loads the same under all subjects, so a difference can be only noise`;
    await open.emit({ type: 'warning', message });
  }
  for (const [packages, files] of await mixedFiles(divided.affected, inputs, session.request.files)) {
    const message = `${shortList([...files])} ${files.size === 1 ? 'loads' : 'load'} ${packages}, which is the same under all subjects, beside code that differs: which configurations use only ${packages} is not known, so they are measured; leave them out with --filter or --set, or move them to a file that loads nothing else`;
    await open.emit({ type: 'warning', message });
  }
  return divided;
}

function divideBy(planned: readonly PlannedBenchmark[], unaffected: Unaffected) {
  const left = new Set(unaffected.flatMap(casesOf).map(caseKey));
  const affected = planned.map((benchmark) => {
    const configurations = benchmark.configurations.filter(
      (configuration) => !left.has(caseKey({ benchmark: benchmark.name, configuration })),
    );
    return { ...benchmark, configurations };
  });
  return { affected, unaffected };
}

/** The benchmarks that are measured because what they load is not known, by the reason. */
function unknownReasons(planned: readonly PlannedBenchmark[], { reasonOf }: CaseInputs) {
  const reasons = new Map<string, Set<string>>();
  for (const benchmark of planned.flatMap(casesOf)) {
    const { text, isUnknown } = reasonOf(benchmark) ?? {};
    if (text === undefined || !isUnknown) continue;
    const names = reasons.get(text) ?? new Set();
    reasons.set(text, names.add(benchmark.benchmark));
  }
  return reasons;
}

/**
 * The files of several cases that load packages which are the same, beside code that differs, by these packages. What is loaded does not
 * tell which case uses which package: a case that calls only one of them can use constants of the other.
 */
async function mixedFiles(
  affected: readonly PlannedBenchmark[],
  { reasonOf }: CaseInputs,
  files: readonly BenchmarkFile[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  for (const { name, path } of files) {
    const cases = affected.filter(({ id }) => id.file === name).flatMap(casesOf);
    const differing = new Set(cases.flatMap((each) => reasonOf(each)?.contents ?? []));
    if (cases.length < 2 || differing.size === 0) continue;
    const packages = new Set([
      ...Array.from(
        await importedModules(readFileSync(path, 'utf8')),
        (it) => packageName.exec(it)?.[0] ?? it,
      ),
      ...declaredPackages(path),
    ]);
    const same = [...differing].flatMap((contents) => [
      ...[...packages].filter((each) => !each.startsWith('@bench-cli/') && isSamePackage(each, contents)),
      ...copiedPackages(contents).map((each) => `another copy of ${each}`),
    ]);
    const text = shortList([...new Set(same)]);
    if (text !== '') found.set(text, (found.get(text) ?? new Set()).add(name));
  }
  return found;
}

const packageName = /^(?:@[^/]+\/)?[^/]+/;

/** The packages that a file can load by a name that is no literal in it, such as another version under an alias. */
function declaredPackages(path: string): readonly string[] {
  const manifest = manifestOf(path);
  if (manifest === undefined) return [];
  const named = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(propertyIn(manifest, kind) ?? {}),
  );
  const directory = dirname(manifest);
  return directory === dirname(directory) ? named : [...named, ...declaredPackages(directory)];
}

function isSamePackage(name: string, contents: Contents): boolean {
  const ofPackage = new Map(
    Array.from(contents, ([subject, content]) => [
      subject,
      new Map([...content].filter(([file]) => file.startsWith(`node_modules/${name}/`))),
    ]),
  );
  return ofPackage.values().some(({ size }) => size > 0) && differingFile(ofPackage) === undefined;
}

/** The packages of which each subject loads several copies, one of them the same, as package managers install an alias in a store. */
export function copiedPackages(contents: Contents): readonly string[] {
  const [first = new Map<string, string>(), ...others] = contents.values();
  const names = [...first].flatMap(([file, digests]) => {
    const shared = digests
      .split(',')
      .filter((each) => others.every((other) => other.get(file)?.split(',').includes(each)));
    const isCopied =
      digests.includes(',') && shared.length > 0 && others.some((other) => other.get(file) !== digests);
    return isCopied ? (packageName.exec(file.replace('node_modules/', ''))?.[0] ?? []) : [];
  });
  return [...new Set(names)];
}

export function casesOf({ name, configurations }: Unaffected[number]): readonly Case[] {
  return configurations.map((configuration) => ({ benchmark: name, configuration }));
}

/** Whether subjects differ only in the files that they load. */
export function allAlike([first, ...others]: readonly Subject[]): boolean {
  return first !== undefined && others.every((other) => executeAlike(first, other));
}

/** Says what the subjects load, and what would make it differ. */
function sameCode(
  request: SessionRequest,
  unaffected: Unaffected,
  { loaded }: Pick<CaseInputs, 'loaded'>,
): UsageError {
  const { subjects, files } = request;
  const packages = new Set(subjects.flatMap(({ packages = [] }) => packages.map(({ name }) => name)));
  const unused = [...packages].filter(
    (name) => !loaded.keys().some((file) => file.startsWith(`node_modules/${name}/`)),
  );
  const code = measuredFiles(loaded.keys(), files);
  const remedy =
    unused.length > 0
      ? `none imports ${unused.join(' or ')} by its name, and npm: replaces no relative import: correct the name, or compare git:REF or directories`
      : (copiedCode(request, loaded) ??
        `so there is nothing to compare yet: ${code.length === 0 ? 'import the code that differs' : 'change this code, or name another commit'}`);
  const what = code.length === 0 ? 'no file but the benchmark' : shortList(code);
  const count = unaffected.flatMap(casesOf).length;
  return new UsageError(
    'ERR_BENCH_NOT_AFFECTED',
    `${subjects.map(({ name }) => name).join(' and ')} load the same code in ${counted(count, 'configuration')}: ${what}; ${remedy}; bench-cli run measures it without a comparison, --affected accepts that nothing differs (for CI), and --allow-same measures how much equal code differs`,
  );
}
