import { argumentsOf, type Case, calledCommand, isOfFile, nameInGroup } from '@bench-cli/results';
import { repeatedWords, type SessionRequest, valuesIn } from '@bench-cli/results/recording';

type Others = NonNullable<Parameters<typeof repeatedWords>[1]>;

/** The command that measures a session again, as it was typed. @param runs of HTTP clients, their samples */
export function repeatedCommand(
  { commandLine }: Pick<SessionRequest, 'commandLine'>,
  runs?: number | 'auto',
): string | undefined {
  if (commandLine === undefined) return undefined;
  const count = runs === undefined ? {} : { [commandLine[0] === 'http' ? 'samples' : 'runs']: [`${runs}`] };
  return calledCommand(repeatedWords(commandLine, count));
}

/** The shell command that compares two builds whose runs are in a CSV, which does not say what they were. */
export const commandOfCsv: string = calledCommand([
  'compare',
  ...['old', 'new'].flatMap((role) => [`--${role}`, { placeholder: `<${role} node>` }]),
  { placeholder: '<file>...' },
]);

export function caseCommand(
  { commandLine, files, settings }: SessionRequest,
  { benchmark, configuration }: Case,
): string | undefined {
  if (commandLine === undefined) return undefined;
  if (commandLine[0] === 'http') return calledCommand(repeatedWords(commandLine));
  const file = files.find((each) => isOfFile(benchmark, each));
  const cpus = valuesIn(commandLine, 'set').filter((pair) => /^(LOAD)?CPUSET=/.test(pair));
  const one: Others = {
    set: [...cpus, ...argumentsOf(configuration)],
    // A filter selects by the part of the name after the group.
    filter: file === undefined || file.name === benchmark ? [] : [nameInGroup(benchmark)],
    names: file?.command && file.path !== file.name ? [file.name] : [],
    ...{ exclude: [], tags: [], failOn: [], allowMissing: [] },
  };
  const item = file?.command === undefined ? (file?.name ?? benchmark) : file.path;
  return calledCommand(repeatedWords(commandLine, one, [item, ...(settings.test ? ['test'] : [])]));
}
