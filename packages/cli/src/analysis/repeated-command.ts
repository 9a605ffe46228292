import { argumentsOf, type Case, calledCommand, isOfFile, nameInGroup } from '@bench-cli/results';
import { repeatedWords, type SessionRequest, valuesIn } from '@bench-cli/results/recording';

type Words = Pick<SessionRequest, 'commandLine' | 'subjects'>;

/** The command that measures a session again. @param runs of HTTP clients, their samples */
export function repeatedCommand(request: Words, runs?: number | 'auto'): string | undefined {
  const words = measuredWords(request);
  const count = runs === undefined ? {} : { [words[0] === 'http' ? 'samples' : 'runs']: [`${runs}`] };
  return words.length === 0 ? undefined : calledCommand(repeatedWords(words, count));
}

/** Words with the measured commits and versions, because branches, tags and ranges of versions move. */
function measuredWords({ commandLine = [], subjects }: Words): readonly string[] {
  const exact = new Map<string, string>();
  for (const { label, runtime, source, packages = [] } of subjects) {
    for (const { name, range, version } of packages)
      exact.set(`npm:${name}@${range}`, `npm:${name}@${version}`);
    // Ten digits identify a commit in most repositories.
    if (source?.commit !== undefined && source.changes === undefined)
      exact.set(source.label, source.label.replace(/^git:[^:]+/, `git:${source.commit.slice(0, 10)}`));
    // Nightly builds are not found by their version.
    if (label.startsWith(`${runtime.name}@`) && !runtime.version.includes('-'))
      exact.set(label, `${runtime.name}@${runtime.version}`);
  }
  const asked = (['old', 'new', 'subjects'] as const).flatMap((name) => valuesIn(commandLine, name));
  return commandLine.map((word) =>
    asked.includes(word.replace(/^--\w+=/, ''))
      ? word.replaceAll(/(?<=^|[=,"])[^=,"]+/g, (part) => exact.get(part) ?? part)
      : word,
  );
}

/** The shell command that compares two builds whose runs are in a CSV, which does not say what they were. */
export const commandOfCsv: string = calledCommand([
  'compare',
  ...['old', 'new'].flatMap((role) => [`--${role}`, { placeholder: `<${role} node>` }]),
  { placeholder: '<file>...' },
]);

export function caseCommand(request: SessionRequest, { benchmark, configuration }: Case): string | undefined {
  const [{ files, settings }, commandLine] = [request, measuredWords(request)];
  if (commandLine.length === 0) return undefined;
  if (commandLine[0] === 'http') return calledCommand(repeatedWords(commandLine));
  const file = files.find((each) => isOfFile(benchmark, each));
  const cpus = valuesIn(commandLine, 'set').filter((pair) => /^(LOAD)?CPUSET=/.test(pair));
  const one = {
    set: [...cpus, ...argumentsOf(configuration)],
    // A filter selects by the part of the name after the group.
    filter: file === undefined || file.name === benchmark ? [] : [nameInGroup(benchmark)],
    names: file?.command && file.path !== file.name ? [file.name] : [],
    ...{ exclude: [], tags: [], failOn: [], allowMissing: [] },
  };
  const item = file?.command === undefined ? (file?.name ?? benchmark) : file.path;
  return calledCommand(repeatedWords(commandLine, one, [item, ...(settings.test ? ['test'] : [])]));
}
