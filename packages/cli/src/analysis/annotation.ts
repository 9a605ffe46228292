import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { alternativeOf, caseName, isOfFile, shownIn, unmatchedNames } from '@bench-cli/results';
import type { BenchmarkFailure, BenchmarkFile, Recording } from '@bench-cli/results/recording';
import type { GateOutcome, JudgedResults } from '@bench-cli/stats';
import { orElse } from '@bench-cli/system';
import { namedItem, withInterval } from './gate-output.ts';

/** GitHub shows no more errors of one step. */
const MOST = 10;

interface Annotation {
  readonly benchmark: string;
  readonly message: string;
  /** Where a process has failed, `file:line:column`. */
  readonly place?: string | undefined;
}

/**
 * What crosses gates, what failed, and what gates cannot judge, as workflow commands: GitHub shows each at
 * the file and line of its benchmark. A foreign name can contain no further command, and name no file outside
 * of the repository.
 */
export function githubAnnotations(
  { list, recordings }: Pick<JudgedResults, 'list' | 'recordings'>,
  { crossed = [], removed = [], unjudged = [] }: Partial<GateOutcome> = {},
  thresholds: string,
  allowMissing: boolean,
  cwd: string,
): string {
  const files = recordings.flatMap(({ session }) => session.request.files);
  const failures = new Map(recordings.flatMap(failuresOf));
  const all: readonly Annotation[] = [
    ...crossed.map((crossing) => ({
      benchmark: crossing.comparison.benchmark,
      message: `crossed ${thresholds}: ${withInterval(crossing)}`,
    })),
    ...removed.map((each) => ({
      benchmark: each.benchmark,
      message: `removed: ${unmatchedNames(each).join('; ')}`,
    })),
    ...byError(failures),
    ...(allowMissing ? [] : unjudged).flatMap((item) => {
      const { name, reason } = namedItem(item, list);
      const { benchmark = '' } = 'comparison' in item ? item.comparison : 'benchmark' in item ? item : {};
      return failures.has(name) ? [] : { benchmark, message: `cannot judge ${name}: ${reason}` };
    }),
  ];
  const left = all.length - MOST;
  const shown = left > 0 ? all.slice(0, MOST - 1) : all;
  const lines = shown.map((each) => errorCommand(each.message, placeOf(each, files, cwd)));
  return [...lines, ...(left > 0 ? [errorCommand(`and ${left + 1} more`)] : [])].join('');
}

type NamedFailure = readonly [name: string, failed: Pick<BenchmarkFailure, 'benchmark' | 'failure'>];

function failuresOf({ runs, failures }: Recording): readonly NamedFailure[] {
  return [
    ...runs.flatMap((run): NamedFailure[] => (run.status === 'ok' ? [] : [[caseName(run), run]])),
    ...failures.map((each): NamedFailure => [shownIn('name', each.benchmark), each]),
  ];
}

/** The first failure of each error: one mistake can fail many benchmarks. */
function byError(failures: Iterable<NamedFailure>): readonly Annotation[] {
  return [...Map.groupBy(failures, ([, { failure }]) => failure.message)].flatMap(([error, alike]) => {
    const more = alike.length > 1 ? ` (and ${alike.length - 1} more with the same error)` : '';
    return alike.slice(0, 1).map(([name, { benchmark, failure }]) => {
      return { benchmark, message: `${name} failed: ${error}${more}`, place: failure.place };
    });
  });
}

function placeOf({ benchmark, place = '' }: Annotation, files: readonly BenchmarkFile[], cwd: string) {
  const [, path = '', line] = /^(?:file:\/\/)?(.+):(\d+):\d+$/.exec(place) ?? [];
  const failedIn = inRepository(path, cwd);
  if (failedIn !== undefined) return { file: failedIn, line: Number(line) };
  const file = files.find((each) => isOfFile(benchmark, each) && each.command === undefined);
  const found = file && inRepository(file.path, cwd);
  return found === undefined || file === undefined
    ? undefined
    : { file: found, line: declarationLine(file.path, alternativeOf(benchmark, [file])?.task) };
}

/** A path below the directory of the command; undefined for another one. */
function inRepository(path: string, cwd: string): string | undefined {
  const inside = path === '' ? '..' : relative(cwd, path).split(sep).join('/');
  return /^(?:\.\.|\/|[A-Za-z]:)/.test(inside) ? undefined : inside;
}

/** The line of the name of a task, or of `createBenchmark`; 1 if there is none. */
function declarationLine(path: string, name = 'createBenchmark('): number {
  const lines = orElse(() => readFileSync(path, 'utf8'), '').split('\n');
  const at = lines.findIndex((line) => line.includes(name));
  return Math.max(at, 0) + 1;
}

function errorCommand(message: string, place?: ReturnType<typeof placeOf>): string {
  const file = place && shownIn('annotationProperty', place.file);
  const at = place === undefined ? '' : `file=${file},line=${place.line},`;
  return `::error ${at}title=bench-cli::${shownIn('annotation', message)}\n`;
}
