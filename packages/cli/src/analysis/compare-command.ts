import { argumentsOf, type Case } from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import { defaultTimeoutMs, durationWord, percentWord } from '../options.ts';
import { type Placeholder, shellCommand } from './recording-text.ts';

/** The shell command that measures a session again. A CSV does not tell its request, so the command has placeholders. */
export function sessionCommand(request: SessionRequest | undefined): string {
  if (request === undefined) return compareCommand(request, { items: [{ placeholder: '<file>...' }] });
  const { files, settings } = request;
  return compareCommand(request, {
    items: files.map(({ name }) => name),
    words: [
      ...(settings.calibrate ? ['--calibrate'] : []),
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
  const { cpuSet, loadCpuSet, samples, test = false } = request?.settings ?? {};
  return shellCommand([
    'bench-cli',
    'compare',
    ...['old', 'new'].flatMap((role) => subjectWords(request, role)),
    ...(request === undefined ? [] : limitWords(request)),
    ...(samples === undefined ? [] : ['--samples', String(samples)]),
    ...(cpuSet === undefined ? [] : ['--set', `CPUSET=${cpuSet}`]),
    ...(loadCpuSet === undefined ? [] : ['--set', `LOADCPUSET=${loadCpuSet}`]),
    ...words,
    // The name in a CSV can look like an option.
    ...(items.some((item) => typeof item === 'string' && item.startsWith('-')) ? ['--'] : []),
    ...items,
    ...(test ? ['test'] : []),
  ]);
}

function subjectWords(request: SessionRequest | undefined, role: string): (string | Placeholder)[] {
  const subject = request?.subjects.find(({ name }) => name === role);
  if (subject === undefined) return [`--${role}`, { placeholder: `<${role} node>` }];
  return [
    ...[`--${role}`, subject.label],
    ...(subject.flags.length > 0 ? [`--${role}-flags`, subject.flags.join(' ')] : []),
    ...argumentsOf(subject.env).flatMap((variable) => [`--${role}-env`, variable]),
    ...(subject.cwd === undefined ? [] : [`--${role}-cwd`, subject.cwd]),
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

function optionWords(option: string, values: readonly string[] = []): string[] {
  return values.flatMap((value) => [option, value]);
}
