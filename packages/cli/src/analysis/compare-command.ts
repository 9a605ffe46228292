import { argumentsOf, type Case, isOfFile, subjectText, subjectTitles } from '@bench-cli/results';
import { type SessionRequest, settingsOfRequest, settingWords } from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import { calledCommand, type Placeholder } from './recording-text.ts';

/** The shell command that measures a session again. A CSV does not tell its request, so the command has placeholders. */
export function sessionCommand(request: SessionRequest | undefined): string {
  if (request === undefined) return compareCommand(request, [{ placeholder: '<file>...' }]);
  return compareCommand(
    request,
    request.files.map(({ name }) => name),
  );
}

/** The shell command that measures one case again, with the count that --calibrate found. */
export function caseCommand(request: SessionRequest | undefined, { benchmark, configuration }: Case): string {
  const set = argumentsOf(configuration);
  const file = request?.files.find((each) => each.name !== benchmark && isOfFile(benchmark, each));
  // A filter selects by the part of the name after the group.
  const filter = file && [benchmark.slice(benchmark.indexOf('/') + 1)];
  const one = { set, filter, exclude: undefined, tags: undefined, calibrate: undefined, startUp: undefined };
  return compareCommand(request, [file?.name ?? benchmark], one);
}

function compareCommand(
  request: SessionRequest | undefined,
  items: readonly (string | Placeholder)[],
  others: CommandSettings<'compare'> = {},
): string {
  const recorded = request && settingsOfRequest(request);
  const cpus = recorded?.set?.filter((pair) => /^(LOAD)?CPUSET=/.test(pair)) ?? [];
  const set = others.set && [...cpus, ...others.set];
  return calledCommand([
    'compare',
    ...subjectWords(request),
    ...settingWords({ ...recorded, ...others, ...(set && { set }) }, 'compare'),
    // The name in a CSV can look like an option.
    ...(items.some((item) => typeof item === 'string' && item.startsWith('-')) ? ['--'] : []),
    ...items,
    ...(request?.settings.test ? ['test'] : []),
  ]);
}

function subjectWords(request: SessionRequest | undefined): readonly (string | Placeholder)[] {
  if (request === undefined) return roles.flatMap((role) => [`--${role}`, { placeholder: `<${role} node>` }]);
  const { subjects } = request;
  if (subjects.every(({ name }, at) => name === roles[at]))
    return subjects.flatMap((subject) => [`--${subject.name}`, subjectText(subject)]);
  const titles = subjectTitles(subjects);
  return subjects.flatMap((subject, at) => {
    const name = subject.name === titles[at] ? '' : `${subject.name}=`;
    return ['--subject', `${name}${subjectText(subject)}`];
  });
}

const roles = ['old', 'new'] as const;
