import { argumentsOf, type Case, namedSubjectText, subjectText, subjectTitles } from '@bench-cli/results';
import type { MetricRequest, SessionRequest, Subject } from '@bench-cli/results/recording';
import { defaultTimeoutMs, durationWord, percentWord } from '../options.ts';
import { calledCommand, type Placeholder } from './recording-text.ts';

/** The shell command that measures a session again. A CSV does not tell its request, so the command has placeholders. */
export function sessionCommand(request: SessionRequest | undefined): string {
  if (request === undefined) return compareCommand(request, { items: [{ placeholder: '<file>...' }] });
  const { files, settings } = request;
  return compareCommand(request, {
    items: files.map(({ name }) => name),
    words: [
      ...(settings.calibrate ? ['--calibrate'] : []),
      ...(settings.startUp === 'all' ? ['--start-up', 'all'] : []),
      ...optionWords('--filter', settings.filter),
      ...optionWords('--exclude', settings.exclude),
      ...optionWords('--tag', settings.tags),
      ...optionWords('--set', settings.set),
    ],
  });
}

/** The shell command that measures one case again, with the count that --calibrate found. */
export function caseCommand(request: SessionRequest | undefined, { benchmark, configuration }: Case): string {
  const set = optionWords('--set', argumentsOf(configuration));
  const file = request?.files.find(({ name }) => benchmark.startsWith(`${name} > `));
  return file === undefined
    ? compareCommand(request, { items: [benchmark], words: set })
    : compareCommand(request, {
        items: [file.name],
        // A filter selects by the part of the name after the group.
        words: ['--filter', benchmark.slice(benchmark.indexOf('/') + 1), ...set],
      });
}

interface Selected {
  readonly items: readonly (string | Placeholder)[];
  readonly words?: readonly string[];
}

function compareCommand(request: SessionRequest | undefined, { items, words = [] }: Selected): string {
  const { cpuSet, loadCpuSet, samples, newValues, test = false } = request?.settings ?? {};
  return calledCommand([
    'compare',
    ...subjectWords(request),
    ...(request === undefined ? [] : codeWords(request)),
    ...(request === undefined ? [] : limitWords(request)),
    ...metricWords(request?.metrics),
    ...(samples === undefined ? [] : ['--samples', String(samples)]),
    ...(cpuSet === undefined ? [] : ['--set', `CPUSET=${cpuSet}`]),
    ...(loadCpuSet === undefined ? [] : ['--set', `LOADCPUSET=${loadCpuSet}`]),
    ...(newValues ? ['--allow-new-values'] : []),
    ...words,
    // The name in a CSV can look like an option.
    ...(items.some((item) => typeof item === 'string' && item.startsWith('-')) ? ['--'] : []),
    ...items,
    ...(test ? ['test'] : []),
  ]);
}

function subjectWords(request: SessionRequest | undefined): readonly (string | Placeholder)[] {
  if (request === undefined) return roles.flatMap((role) => [`--${role}`, { placeholder: `<${role} node>` }]);
  const { subjects } = request;
  if (subjects.every(({ name }, at) => name === roles[at])) return subjects.flatMap(roleWords);
  const titles = subjectTitles(subjects);
  return subjects.flatMap((subject, at) => ['--subject', namedSubjectText(subject, titles[at])]);
}

const roles = ['old', 'new'] as const;

/** The words of a subject that is named by its role. */
function roleWords(subject: Subject): readonly string[] {
  const { name: role, flags, env, cwd } = subject;
  return [
    ...[`--${role}`, subjectText(subject)],
    ...(flags.length > 0 ? [`--${role}-flags`, flags.join(' ')] : []),
    ...argumentsOf(env).flatMap((variable) => [`--${role}-env`, variable]),
    ...(cwd === undefined ? [] : [`--${role}-cwd`, cwd]),
  ];
}

/** How the code of subjects is fetched and prepared. */
function codeWords({ settings }: SessionRequest): string[] {
  const { allowSame, benchmarksFrom, installScripts, prepare } = settings;
  return [
    ...(prepare === undefined ? [] : ['--prepare', prepare]),
    ...(installScripts ? ['--install-scripts'] : []),
    ...(benchmarksFrom === undefined ? [] : ['--benchmarks-from', benchmarksFrom]),
    ...(allowSame ? ['--allow-same'] : []),
  ];
}

/** How many runs there are, and how long they may take. */
function limitWords({ runs, settings: { timeoutMs } }: SessionRequest): string[] {
  const timeout = timeoutMs === defaultTimeoutMs ? [] : ['--timeout', durationWord(timeoutMs)];
  if (typeof runs === 'number') return ['--runs', String(runs), ...timeout];
  return [
    ...['--runs', 'auto', '--margin', percentWord(runs.margin)],
    ...['--max-runs', String(runs.maxRuns), '--error-rate', percentWord(runs.errorRate)],
    ...(runs.budgetMs === undefined ? [] : ['--budget', durationWord(runs.budgetMs)]),
    ...timeout,
  ];
}

function metricWords(request: MetricRequest | undefined): string[] {
  if (request === undefined) return [];
  const names = request.metrics.map(({ name }) => name).join(',');
  return ['--metric', names, '--metric-runs', String(request.runs)];
}

function optionWords(option: string, values: readonly string[] = []): string[] {
  return values.flatMap((value) => [option, value]);
}
