import { hash } from 'node:crypto';
import { join } from 'node:path';
import { type Case, caseKey, UsageError } from '@bench-cli/results';
import type { Subject } from '@bench-cli/results/recording';
import { placeRequest, resolveSubject } from '@bench-cli/subjects';
import { versionRequest } from '@bench-cli/subjects/code';
import { processExecutor } from '../execution/executor.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { preparationBy } from '../process/prepare.ts';
import { failureOf } from '../process/supervisor.ts';

/** Errors that are not the fault of a version. They end the session, which can be resumed. */
const surroundings: ReadonlySet<string> = new Set([
  'ERR_BENCH_CACHE',
  'ERR_BENCH_NPM_MISSING',
  'ERR_BENCH_REGISTRY',
]);

/**
 * Fetches a version and plans the benchmark under it.
 * @returns the failure for a version that cannot be measured
 * @throws UsageError if no version can be fetched
 */
export async function prepareVersion(
  version: string,
  benchmark: PlannedBenchmark,
  { request, supervisor, signal }: OpenSession,
) {
  const { subjects, files, settings } = request;
  const [good] = subjects;
  const file = files.find(({ name }) => name === benchmark.id.file);
  if (good === undefined || file === undefined) throw new RangeError('a bisection requires ends and a file');
  let subject: Subject;
  try {
    const prepare = preparationBy(settings.prepare);
    subject = await resolveSubject(version, versionRequest(good, version), { ...settings, prepare, signal });
  } catch (error) {
    if (!(error instanceof UsageError) || surroundings.has(error.code)) throw error;
    return failureOf('not started', error.message);
  }
  const place = join(supervisor.directory, hash('sha256', version));
  const pair = [good, ...placeRequest({ ...request, subjects: [subject] }, place).subjects];
  const plans = await planFile(file, pair, { settings, supervisor, signal });
  const planned = plans.find(({ name }) => name === benchmark.name) ?? plans.find((it) => 'failure' in it);
  if (planned !== undefined && 'failure' in planned) return planned.failure;
  const keyOf = (configuration: Case['configuration']) =>
    caseKey({ benchmark: benchmark.name, configuration });
  const keys = new Set(planned?.configurations.map(keyOf));
  if (planned === undefined || !benchmark.configurations.every((each) => keys.has(keyOf(each))))
    return failureOf('not started', 'the benchmark does not have the case under this version');
  const executor = processExecutor(planned, pair, request, { supervisor, cpus: undefined, env: {} });
  return { subject, executor };
}
