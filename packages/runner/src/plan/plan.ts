import type { SessionSettings } from '@bench-cli/results/recording';
import type { BenchmarkFile, Failure, Subject } from '@bench-cli/results/recording';
import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Configuration } from '@bench-cli/results';
import type { Script } from '../suite/script.ts';
import { suiteAround, suiteAt } from '../suite/registry.ts';
import type { PlanningSession, ScriptPlan } from '../suite/suite-kind.ts';
import type { Supervisor } from '../process/supervisor.ts';

/** A benchmark whose configurations are known. */
export interface PlannedBenchmark {
  readonly file: BenchmarkFile;
  readonly configurations: readonly Configuration[];
  /** The script as each subject executes it, by the subject's name. */
  readonly scripts: ReadonlyMap<string, Script>;
  /** The names of its parameters. */
  readonly parameters: readonly string[];
  readonly setup: boolean;
  readonly teardown: boolean;
  /** How many configurations were left out because not every subject has them. */
  readonly uncommon: number;
  /** Why its configurations are not known, where they are not: every run executes all of them. */
  readonly unplanned: string | undefined;
  /** What it printed when it ended without a benchmark, if it did. */
  readonly skipped: string | undefined;
}

/** A benchmark that could not be planned. */
export interface PlanFailure {
  readonly file: BenchmarkFile;
  readonly subject: string;
  readonly failure: Failure;
}

/**
 * Asks a script, under every subject, for its configurations; nothing is measured. Configurations that not every
 * subject has are left out: they could not be compared.
 */
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
  const [first, ...others] = answers;
  if (first === undefined) throw new RangeError('a plan needs at least one subject');
  const unique = new Map(
    first.configurations.map((configuration) => [JSON.stringify(configuration), configuration]),
  );
  const elsewhere = others.map(
    ({ configurations }) => new Set(configurations.map((each) => JSON.stringify(each))),
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
  if (!existsSync(path)) return { kind: 'not started', message: `there is no ${path}`, output: '' };
  const { kind, directory } = suiteAround(path) ?? suiteAt(dirname(path));
  return kind.plan(path, directory, session);
}

/** A subject with a working directory of its own, such as another checkout, has its own copy of the benchmark there. */
function pathUnder(subject: Subject, file: BenchmarkFile, cwd: string): string {
  return subject.cwd === undefined ? file.path : resolve(subject.cwd, relative(cwd, file.path));
}
