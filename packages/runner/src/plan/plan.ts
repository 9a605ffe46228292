import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { benchmarkName, type Configuration, caseKey, counted } from '@bench-cli/results';
import type {
  BenchmarkFile,
  Failure,
  SessionSettings,
  Subject,
  UnmatchedCases,
} from '@bench-cli/results/recording';
import { isRelease, type PlacedSubject } from '@bench-cli/subjects';
import { propertyIn } from '@bench-cli/system';
import { failureOf, thrownIn } from '../process/supervisor.ts';
import { planCommand } from '../suite/command.ts';
import { planDeclared } from '../suite/declared-file.ts';
import { manifestOf } from '../suite/imported-modules.ts';
import { planNodeCore } from '../suite/node-core-suite.ts';
import { planOwn } from '../suite/own-suite.ts';
import { libraryOf, nodeCoreAround } from '../suite/registry.ts';
import { isCarried, type Script } from '../suite/script.ts';
import type { FilePlan, PlanningSession, ScriptPlan } from '../suite/suite-kind.ts';
import { copyOf } from './benchmark-copies.ts';
import { unbuiltText, unexportedText } from './unbuilt.ts';

export interface PlannedBenchmark
  extends Pick<ScriptPlan, 'configurations' | 'parameters' | 'values' | 'isHeld' | 'skipped'> {
  readonly file: BenchmarkFile;
  readonly name: string;
  /** The script under each subject, by name. A benchmark without configurations can lack some. */
  readonly scripts: ReadonlyMap<string, Script>;
  /** Whether the first subject, with which the others are compared, does not have the file yet. */
  readonly isNew: boolean;
  /** The cases that only some subjects have; they are not measured. */
  readonly unmatched: readonly UnmatchedCases[];
  /** Why the configurations are unknown, if they are: every run then executes all of them. */
  readonly unplanned: string | undefined;
  readonly warnings: readonly string[];
}

export interface PlanFailure {
  readonly name: string;
  readonly subject: string;
  readonly only?: true;
  readonly failure: Failure;
}

/**
 * Plans a file without measuring. Only configurations that all subjects have can be compared. A subject that
 * cannot plan the file leaves it to the others, unless it is the baseline or the only one that is compared
 * with it.
 * @param isRanking whether there is no baseline
 */
export async function planFile(
  file: BenchmarkFile,
  subjects: readonly PlacedSubject[],
  session: Omit<PlanningSession, 'subject'>,
  isRanking = false,
): Promise<readonly (PlannedBenchmark | PlanFailure)[]> {
  const { settings } = session;
  const found = new Map<string, PlansBySubject>();
  const having = subjects.filter(
    (subject) => file.command !== undefined || existsSync(copyOf(file, subject, settings.cwd)),
  );
  const isNew = having.length > 0 && having[0] !== subjects[0];
  const asked = having.length > 0 ? having : subjects;
  const failures: PlanFailure[] = [];
  /** Whether nothing is measured without a subject, or with so few others. */
  const isNeeded = (name: string, left: number) =>
    isNew || left === 0 || (!isRanking && (name === subjects[0]?.name || left === 1));
  for (const subject of asked) {
    const answer = await ask(file, { ...session, subject });
    if ('kind' in answer) {
      let isOnly = !isRanking && subject === subjects[0] && asked.length > 1;
      for (const other of asked.slice(1))
        isOnly &&= !('kind' in (await ask(file, { ...session, subject: other })));
      const failure = explain(answer, file, subject, settings);
      failures.push({ name: file.name, subject: subject.name, ...(isOnly && { only: true }), failure });
      if (isNeeded(subject.name, asked.length - failures.length)) return failures;
      continue;
    }
    for (const planned of answer) {
      const plan = withoutUnfit(planned);
      const name = benchmarkName({ file: file.name, path: plan.path ?? [] });
      const plans = found.get(name) ?? new Map<string, FilePlan[number]>();
      found.set(name, plans);
      if (!plans.has(subject.name)) plans.set(subject.name, plan);
    }
  }
  const count = (isNew ? asked : subjects).length - failures.length;
  return [
    ...failures,
    ...[...found].flatMap(([name, plans]) => join(file, name, plans, count, isNew, isNeeded)),
  ];
}

/** Arguments are UTF-8 without null characters. Other text would change on its way to the script. */
function withoutUnfit(plan: FilePlan[number]): FilePlan[number] {
  if ('failure' in plan || plan.script.values !== 'replaceable') return plan;
  const [name, value] =
    plan.configurations.flatMap(Object.entries).find((pair) => !isCarried(pair.join('='))) ?? [];
  if (name === undefined) return plan;
  const message = `parameter "${name}" has the value ${JSON.stringify(value)}, which cannot be an argument: use the value of another parameter to choose it in the script`;
  return { path: plan.path, failure: failureOf('threw', message) };
}

type PlansBySubject = Map<string, FilePlan[number]>;

/** Adds to a failure what the file has to be, or which code of the subject may not fit the benchmark. */
function explain(
  failure: Failure,
  { path }: BenchmarkFile,
  { packages = [], source }: Subject,
  { prepare }: SessionSettings,
): Failure {
  if (failure.kind !== 'exit' && failure.kind !== 'threw') return failure;
  // Files of other tools report what they throw, and others print it.
  const text = textOf(failure);
  const manifest = manifestOf(path);
  if (text.includes('Cannot use import statement outside a module')) {
    const module = basename(path).replace(/\.[cm]?([jt]s)$/, '.m$1');
    const where =
      manifest === undefined
        ? ''
        : `, or run "npm pkg set type=module" in ${dirname(manifest)} if all of its files use import`;
    const lacks = manifest === undefined ? 'has no package.json with' : `${manifest} does not have`;
    const message = `uses import, and ${lacks} "type": "module": rename the file to ${module}${where}`;
    return { ...failure, message };
  }
  if (text.includes('must not include encoded "/" or "\\"')) {
    const message = `is a module with a backslash in its path, which cannot be imported: rename ${path}`;
    return { ...failure, message };
  }
  const [, missing] = /Cannot find package '([^']+)' imported from/.exec(text) ?? [];
  if (missing !== undefined && source === undefined && missing === propertyIn(manifest, 'name')) {
    const message = `imports its own package "${missing}", for which Node.js requires "exports" in ${manifest}: add "exports": "./index.js", with the file that is imported`;
    return { ...failure, message };
  }
  const texts = packages.map(({ name, version }) => `${name} ${version}`);
  const code = [...(source === undefined ? [] : [source.label]), ...texts];
  const remedy = unbuiltText(text, source, prepare) ?? unexportedText(text, code, path);
  if (remedy !== undefined) return { ...failure, message: remedy, output: '' };
  if (code.length === 0) return failure;
  const what = (failure.kind === 'exit' && thrownIn(failure)) || failure.message;
  return { ...failure, message: `fails with the code of ${code.join(', ')}: ${what}` };
}

function join(
  file: BenchmarkFile,
  name: string,
  plansBySubject: PlansBySubject,
  subjectCount: number,
  isNew: boolean,
  isNeeded: (subject: string, left: number) => boolean,
): readonly (PlannedBenchmark | PlanFailure)[] {
  const failures: PlanFailure[] = [];
  const plans: ScriptPlan[] = [];
  const scripts = new Map<string, Script>();
  const cases = new Map<string, { readonly configuration: Configuration; readonly having: Set<string> }>();
  for (const [subject, plan] of plansBySubject) {
    if ('failure' in plan) {
      failures.push({ name, subject, failure: plan.failure });
      if (isNeeded(subject, subjectCount - failures.length)) return failures;
      continue;
    }
    plans.push(plan);
    scripts.set(subject, plan.script);
    for (const configuration of plan.configurations) {
      const key = caseKey({ benchmark: name, configuration });
      const found = cases.get(key) ?? { configuration, having: new Set() };
      cases.set(key, found);
      found.having.add(subject);
    }
  }
  const [first] = plans;
  if (first === undefined) throw new RangeError('a plan requires a subject');
  const configurations: Configuration[] = [];
  const unmatched: UnmatchedCases[] = [];
  for (const alike of Map.groupBy(cases.values(), ({ having }) => JSON.stringify([...having])).values()) {
    const [onlyUnder = []] = alike.map(({ having }) => [...having]);
    const found = alike.map(({ configuration }) => configuration);
    if (onlyUnder.length === subjectCount - failures.length) configurations.push(...found);
    else unmatched.push({ name, configurations: found, onlyUnder });
  }
  const warnings = new Set(plans.flatMap((plan) => plan.warnings ?? []));
  const uncommon = unmatched.reduce((sum, each) => sum + each.configurations.length, 0);
  if (uncommon > 0) warnings.add(`skipped ${counted(uncommon, 'case')}, which not every subject has`);
  if (isNew)
    warnings.add(
      `new, not compared: ${[...scripts.keys()].join(' and ')} has it, and the first subject does not`,
    );
  const nothing =
    first.configurations.length === 0 && warnings.size === 0 ? 'it has no case to run' : undefined;
  const skipped = plans.find((plan) => plan.skipped !== undefined)?.skipped ?? nothing;
  if (skipped !== undefined) warnings.add(`skipped, because ${skipped}`);
  const { parameters, values, isHeld } = first;
  const unplanned = plans.find((plan) => plan.unplanned !== undefined)?.unplanned;
  const shared = { configurations, scripts, parameters, values, isHeld, isNew };
  return [...failures, { file, name, ...shared, unmatched, unplanned, skipped, warnings: [...warnings] }];
}

const textOf = ({ message, output }: Failure) => `${message}\n${output}`;

/** Failures of files that the tools of a project compile: syntax, imports of types, names and formats. */
const needsCompiler =
  /ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX|ERR_UNSUPPORTED_DIR_IMPORT|Failed to load the ES module: \S+\.tsx?\b|\.tsx?. is a CommonJS module|strip-only|ERR_UNKNOWN_FILE_EXTENSION.*\.[jt]sx|does not provide an export|invalid TypeScript/;
const isMissing = /ERR_MODULE_NOT_FOUND|Cannot find (?:module|package)/;

/** Plans a file as Node.js executes it, and if it cannot, as a compiler of TypeScript would. */
async function ask(file: BenchmarkFile, session: PlanningSession): Promise<FilePlan | Failure> {
  const answer = await askOnce(file, session);
  const { runtime } = session.subject;
  if (!('kind' in answer) || runtime.name !== 'node' || !isRelease(runtime, '^22.18 || >=23.6'))
    return answer;
  const text = textOf(answer);
  if (!needsCompiler.test(text) && !isMissing.test(text)) return answer;
  return askOnce(file, { ...session, transforms: true });
}

async function askOnce(file: BenchmarkFile, session: PlanningSession): Promise<FilePlan | Failure> {
  if (file.command !== undefined) return planCommand(file.command, session);
  const path = copyOf(file, session.subject, session.settings.cwd);
  if (!existsSync(path))
    return failureOf('not started', `file not found: ${path}; the directory of the subject must contain it`);
  const library = await libraryOf(path);
  if (typeof library === 'string') return planDeclared(library, path, session);
  if (library !== undefined) return library;
  // Only benchmarks of node:bench have tags.
  if (session.settings.tags !== undefined) return [];
  const suite = nodeCoreAround(path);
  const plan = await (suite ? planNodeCore(path, suite, session) : planOwn(path, session));
  return 'kind' in plan || !session.settings.shortest ? plan : plan.map((each) => shortened(each, session));
}

/** The values of the numbers that decide how long a run takes, in sessions of the shortest runs. */
const least = new Map([
  ['n', 1],
  ['dur', 0.1],
  ['duration', 0.1],
]);

/**
 * A plan with the least of these numbers, unless they are set or cannot be replaced. Configurations that
 * differ only in such a number become one, where plans are joined.
 */
function shortened(plan: FilePlan[number], { settings: { set } }: PlanningSession): FilePlan[number] {
  if ('failure' in plan || plan.script.values === 'fixed') return plan;
  const shortest = (name: string, value: Configuration[string]) =>
    typeof value === 'number' && !set.some((pair) => pair.startsWith(`${name}=`))
      ? (least.get(name) ?? value)
      : value;
  const configurations = plan.configurations.map((configuration) =>
    Object.fromEntries(Object.entries(configuration).map(([name, value]) => [name, shortest(name, value)])),
  );
  return { ...plan, configurations };
}
