import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { type Configuration, caseKey } from '@bench-cli/results';
import type { BenchmarkFile, Failure, SessionSettings, Subject } from '@bench-cli/results/recording';
import type { Supervisor } from '../process/supervisor.ts';
import { suiteAround, suiteAt } from '../suite/registry.ts';
import type { Script } from '../suite/script.ts';
import type { PlanningSession, ScriptPlan } from '../suite/suite-kind.ts';

/** A benchmark with its configurations. */
export interface PlannedBenchmark {
  readonly file: BenchmarkFile;
  readonly configurations: readonly Configuration[];
  /** The script as each subject executes it, by the subject's name. */
  readonly scripts: ReadonlyMap<string, Script>;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
  readonly setup: boolean;
  readonly teardown: boolean;
  /** The number of configurations that not every subject has, and that are left out. */
  readonly uncommon: number;
  /** Why the configurations are unknown, if they are: every run then executes all of them. */
  readonly unplanned: string | undefined;
  /** The output of a script that exited without creating a benchmark. */
  readonly skipped: string | undefined;
}

/** A benchmark that could not be planned. */
export interface PlanFailure {
  readonly file: BenchmarkFile;
  readonly subject: string;
  readonly failure: Failure;
}

/** Gets the configurations that a script has under every subject, without measuring. Only these can be compared. */
export async function planBenchmark(
  file: BenchmarkFile,
  subjects: readonly Subject[],
  settings: SessionSettings,
  supervisor: Supervisor,
  signal?: AbortSignal,
): Promise<PlannedBenchmark | PlanFailure> {
  const answers: ScriptPlan[] = [];
  const scripts = new Map<string, Script>();
  for (const subject of subjects) {
    const answer = await ask(file, { subject, settings, supervisor, signal });
    if ('kind' in answer) return { file, subject: subject.name, failure: answer };
    answers.push(answer);
    scripts.set(subject.name, answer.script);
  }
  const [first] = answers;
  if (first === undefined) throw new RangeError('a plan requires a subject');
  const [unique = new Map(), ...elsewhere] = answers.map(
    ({ configurations }) =>
      new Map(
        configurations.map((configuration) => [
          caseKey({ benchmark: file.name, configuration }),
          configuration,
        ]),
      ),
  );
  const configurations: Configuration[] = [];
  for (const [key, configuration] of unique) {
    if (elsewhere.every((keys) => keys.has(key))) configurations.push(configuration);
  }
  return {
    file,
    configurations,
    scripts,
    parameters: first.parameters,
    setup: first.setup,
    teardown: first.teardown,
    uncommon: unique.size - configurations.length,
    unplanned: answers.find(({ unplanned }) => unplanned !== undefined)?.unplanned,
    skipped: answers.find(({ skipped }) => skipped !== undefined)?.skipped,
  };
}

async function ask(file: BenchmarkFile, session: PlanningSession): Promise<ScriptPlan | Failure> {
  const path = pathUnder(session.subject, file, session.settings.cwd);
  if (!existsSync(path)) {
    return {
      kind: 'not started',
      message: `file not found: ${path}; the directory of the subject must contain it`,
      output: '',
    };
  }
  const { kind, directory } = suiteAround(path) ?? suiteAt(dirname(path));
  return kind.plan(path, directory, session);
}

/** A subject with its own working directory, such as another checkout, has its own copy of the benchmark. */
function pathUnder(subject: Subject, file: BenchmarkFile, cwd: string): string {
  return subject.cwd === undefined ? file.path : resolve(subject.cwd, relative(cwd, file.path));
}
