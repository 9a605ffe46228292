import { agentPath } from '@bench-cli/agent';
import { type Configuration, counted } from '@bench-cli/results';
import type { Failure, SessionSettings } from '@bench-cli/results/recording';
import type { LibraryModule } from '@bench-cli/results/settings';
import type { Declaration } from '../process/messages.ts';
import { failureOf } from '../process/supervisor.ts';
import { formatOf } from './imported-modules.ts';
import type { Script } from './script.ts';
import { supportScript, unsupportedBy } from './script-support.ts';
import { askScript, emptyPlan, type FilePlan, type PlanningSession, pauseWarning } from './suite-kind.ts';

/**
 * Plans a file that declares benchmarks with a library. Every name is a benchmark, and every combination of
 * its params a case. A process runs one of them.
 */
export async function planDeclared(
  module: LibraryModule,
  path: string,
  session: PlanningSession,
): Promise<FilePlan | Failure> {
  const { subject, settings, supervisor, transforms } = session;
  if (subject.runtime.name !== 'node')
    return unsupportedBy(subject.runtime, `files of ${module} require Node.js`);
  // Only files of `node:bench` name the files that they import as Node.js does.
  const forBundlers = !module.startsWith('node:');
  const support = supportScript(path, subject, supervisor.directory, { forBundlers, transforms });
  if ('kind' in support) return support;
  const format = await formatOf(path, forBundlers);
  const loader = agentPath(`library/${module.replace(':', '-')}.cjs`);
  /** @param declared the declarations of the benchmark; none to plan the file */
  const scriptOf = (declared: readonly Declaration[]): Script => ({
    path,
    support,
    launch: (purpose, { test, samples = 1, warmup }) => {
      const params = JSON.stringify(purpose);
      const declaration = declared.find((each) => JSON.stringify(each.params) === params);
      const run = declaration && JSON.stringify([declaration.namePath, declaration.params]);
      const counts = test ? { samples: 1, warmup: 0 } : { samples, warmup };
      return {
        entry: [loader, path],
        ...(test && { env: { BENCH_CLI_TEST: '' } }),
        order: { declared: { format, run, ...counts } },
        channel: 'pipe',
      };
    },
    results: 'one',
    values: 'fixed',
  });
  const { messages, failure, durationMs, opened } = await askScript(scriptOf([]), session);
  if (failure) return failure;
  const answer = messages.find((message) => message.type === 'declarations');
  if (answer === undefined) return failureOf('no result', 'ended without saying what it declares');
  const { failed, declarations, ended } = answer;
  const { tags: wanted } = settings;
  const tagged = declarations.filter(
    ({ tags }) => wanted === undefined || wanted.some((tag) => tags.includes(tag.toLowerCase())),
  );
  const selected = tagged.filter(({ skip }) => skip !== 'only');
  const byPath = Map.groupBy(selected, ({ namePath }) => JSON.stringify(namePath));
  const plan: FilePlan[number][] = [
    ...failed.map(({ namePath, ...thrown }) => ({ path: namePath, failure: threw(thrown) })),
    ...Array.from(byPath.values(), (declared) =>
      planBenchmark(declared, settings, { ...scriptOf(declared), opened }),
    ),
  ];
  const unselected = tagged.length - selected.length;
  const warnings = [...pauseWarning(durationMs)];
  if (unselected > 0)
    warnings.push(`skipped ${counted(unselected, 'benchmark')}, because others have the option only`);
  if (ended !== undefined)
    warnings.push(
      `ended after it read results, which are NaN until a run has measured them: ${ended}; benchmarks after that are not known`,
    );
  if (warnings.length > 0) plan.push({ ...emptyPlan(scriptOf([])), warnings });
  return plan;
}

function threw({ message, place }: NonNullable<Declaration['error']>): Failure {
  return { ...failureOf('threw', message), place };
}

function planBenchmark(
  declared: readonly Declaration[],
  settings: SessionSettings,
  script: Script,
): FilePlan[number] {
  const path = declared[0]?.namePath;
  const failed = declared.find(({ error }) => error !== undefined);
  if (failed?.error !== undefined) return { path, failure: threw(failed.error) };
  const skipped = declared.find(({ skip }) => skip !== undefined)?.skip;
  const reason = typeof skipped === 'string' ? `of its option skip: ${skipped}` : 'it has the option skip';
  const configurations = declared
    .filter((each) => each.skip === undefined && hasValues(each.params, settings.set))
    .map(({ params }) => params);
  return {
    ...emptyPlan(script),
    path,
    configurations: settings.test && !settings.shortest ? configurations.slice(0, 1) : configurations,
    parameters: [...new Set(declared.flatMap(({ params }) => Object.keys(params)))],
    skipped: skipped === undefined ? undefined : reason,
  };
}

/** Whether params have the set values. Params only describe a benchmark, so others cannot be measured. */
function hasValues(params: Configuration, set: readonly string[]): boolean {
  return Object.entries(params).every(([name, value]) => {
    const texts = set.flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
    const isValue = (text: string) => text === String(value) || Number(text) === value;
    return texts.length === 0 || texts.some(isValue);
  });
}
