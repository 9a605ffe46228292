import {
  argumentsOf,
  type Case,
  calledCommand,
  isOfFile,
  nameInGroup,
  type Placeholder,
  subjectText,
  subjectTitles,
} from '@bench-cli/results';
import {
  type BenchmarkFile,
  clientWords,
  type SessionRequest,
  settingsOfRequest,
  settingWords,
} from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';

/** The word that selects a file, or a whole command, which can have another name. */
function itemOf({ name, path, command }: BenchmarkFile): string {
  return command === undefined ? name : path;
}

/** The shell command that measures a session again. @param others settings in place of recorded ones */
export function repeatedCommand(
  request: SessionRequest | undefined,
  others: CommandSettings<'compare'> = {},
): string {
  // A CSV does not tell its request, so the command has placeholders.
  const files = request?.files.map(itemOf) ?? [{ placeholder: '<file>...' }];
  return compareCommand(request, files, others);
}

/** The shell command that measures one case again. */
export function caseCommand(request: SessionRequest | undefined, { benchmark, configuration }: Case): string {
  const set = argumentsOf(configuration);
  const file = request?.files.find((each) => isOfFile(benchmark, each));
  // A filter selects by the part of the name after the group.
  const filter = file === undefined || file.name === benchmark ? undefined : [nameInGroup(benchmark)];
  const names = file?.command && file.path !== file.name ? [file.name] : undefined;
  const one = { set, filter, names, exclude: undefined, tags: undefined };
  return compareCommand(request, [file === undefined ? benchmark : itemOf(file)], one);
}

function compareCommand(
  request: SessionRequest | undefined,
  items: readonly (string | Placeholder)[],
  others: CommandSettings<'compare'>,
): string {
  const clients = request && clientWords(request, others.runs);
  if (clients !== undefined) return calledCommand(clients);
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
