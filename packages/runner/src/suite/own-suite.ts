import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf } from '@bench-cli/results';
import type { Failure, SessionSettings, Subject } from '@bench-cli/results/recording';
import satisfies from 'semver/functions/satisfies.js';
import { ownFile } from '../locations.ts';
import { type Launch, type Purpose, scriptProcess, selectionArguments } from './script.ts';
import { isDirectory, isFile, isScript, publicEntries } from './script-files.ts';
import { type StrippingSupport, strippingSupport, stripScript } from './stripping.ts';
import type { PlanningSession, ScriptPlan, SuiteKind } from './suite-kind.ts';

/** Suites of scripts that import `@bench-cli/core`, in TypeScript or JavaScript: all that are not recognised as another kind. */
export const ownSuite: SuiteKind = {
  name: 'own',
  recognises: () => true,
  benchmarksIn,
  plan,
};

/** The program of `bench.http()`, the same for all subjects. */
const loadProcess = fileURLToPath(ownFile('load-process.js'));

/** Includes sub-directories. */
function benchmarksIn(directory: string): readonly string[] {
  return publicEntries(directory).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (isDirectory(path)) return benchmarksIn(path);
    return isScript(entry.name) && isFile(path) ? [path] : [];
  });
}

async function plan(
  path: string,
  _suite: string,
  { subject, settings, supervisor, signal }: PlanningSession,
): Promise<ScriptPlan | Failure> {
  // A script can resolve other packages under another subject. The length of the key is fixed, like that of all variables.
  const key = createHash('sha256').update(`${subject.name}\0${path}`).digest('hex').slice(0, 16);
  const stripped = await stripScript(path, supervisor.directory, key);
  if ('kind' in stripped) return stripped;
  const support = strippingSupport(subject, stripped);
  if (support === undefined) {
    return {
      kind: 'not started',
      message: `TypeScript requires Node.js 18.19, or 20.6 and later, but the subject is Node.js ${subject.runtime.version}: write the benchmark in JavaScript`,
      output: '',
    };
  }
  const channel = channelOf(subject);
  const script = {
    path,
    flags: [],
    extra: [],
    launch: (purpose: Purpose, _subject: Subject, with_: SessionSettings) =>
      launch(path, support, channel, supervisor.directory, purpose, with_),
    preparation: 'phases',
    results: 'one',
  } as const;
  const request = scriptProcess('plan', script, subject, settings);
  if ('kind' in request) return request;
  const { messages, failure } = await supervisor.run(request, signal);
  if (failure) return failure;
  const planned = messages.find((message) => message.type === 'plan');
  if (planned === undefined) {
    return {
      kind: 'no result',
      message:
        'did not call createBenchmark: if the file is not a benchmark, start its name with _ or move it to a directory named fixtures',
      output: '',
    };
  }
  if (planned.entry !== undefined) stripped.setEntry(planned.entry);
  return { ...planned, script: { ...script, flags: planned.flags, extra: argumentsOf(planned.extra) } };
}

function launch(
  path: string,
  support: StrippingSupport,
  channel: Launch['channel'],
  directory: string,
  purpose: Purpose,
  settings: SessionSettings,
): Launch {
  const phase = typeof purpose === 'string';
  return {
    flags: support.flags,
    entry: [path],
    args: phase ? selectionArguments(settings) : argumentsOf(purpose),
    env: {
      ...support.env,
      ...(settings.test && { BENCH_CLI_TEST: '' }),
      ...(settings.loadCpuSet !== undefined && { BENCH_CLI_LOAD_CPUSET: settings.loadCpuSet }),
      BENCH_CLI_NODE: process.execPath,
      BENCH_CLI_LOAD_PROCESS: loadProcess,
      BENCH_CLI_DIRECTORY: directory,
      ...(phase ? { BENCH_CLI_PHASE: purpose } : { NODE_RUN_BENCHMARK_FN: '' }),
    },
    channel,
  };
}

/** Writing to a pipe requires `process.getBuiltinModule` in the script. */
function channelOf({ runtime }: Subject): Launch['channel'] {
  return satisfies(runtime.version, '^20.16 || >=22.3', { includePrerelease: true }) ? 'pipe' : 'ipc';
}
