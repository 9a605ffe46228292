import { argumentsOf, type Case, calledCommand, isOfFile, nameInGroup } from '@bench-cli/results';
import { repeatedWords, type SessionRequest, valuesIn } from '@bench-cli/results/recording';

type Others = NonNullable<Parameters<typeof repeatedWords>[1]>;
type Words = Pick<SessionRequest, 'commandLine' | 'subjects'>;

/** The command that measures a session again. @param runs of HTTP clients, their samples */
export function repeatedCommand(request: Words, runs?: number | 'auto'): string | undefined {
  const { commandLine } = request;
  if (commandLine === undefined) return undefined;
  const count = runs === undefined ? {} : { [commandLine[0] === 'http' ? 'samples' : 'runs']: [`${runs}`] };
  return calledCommand(repeatedWords(commandLine, { ...measuredSubjects(request), ...count }));
}

/** The subjects with the commits and versions that were measured, because branches, tags and ranges move. */
function measuredSubjects({ commandLine = [], subjects }: Words): Others {
  const measured = new Map(
    subjects.flatMap(({ label, runtime: { name, version }, source, packages = [] }) => {
      const commit = source?.changes === undefined && source?.commit;
      return [
        ...packages.map((each) => [each.range, each.version].map((text) => `npm:${each.name}@${text}`)),
        ...(commit
          ? [[source.label, source.label.replace(/^git:[^:]+/, `git:${commit.slice(0, DIGITS)}`)]]
          : []),
        // Nightly builds are not found by their version.
        ...(label.startsWith(`${name}@`) && !version.includes('-') ? [[label, `${name}@${version}`]] : []),
      ].map(([asked = '', exact = '']) => [asked, exact] as const);
    }),
  );
  const options = (['old', 'new', 'subjects'] as const).map((name) => {
    const asked = valuesIn(commandLine, name);
    return [name, asked.map((value) => value.replace(PART, (part) => measured.get(part) ?? part))] as const;
  });
  return Object.fromEntries(
    options.filter(([name, exact]) => `${exact}` !== `${valuesIn(commandLine, name)}`),
  );
}

/** Hexadecimal digits that identify a commit in most repositories. */
const DIGITS = 10;

/** A part of a subject. */
const PART = /(?<=^|[=,"])[^=,"]+/g;

/** The shell command that compares two builds whose runs are in a CSV, which does not say what they were. */
export const commandOfCsv: string = calledCommand([
  'compare',
  ...['old', 'new'].flatMap((role) => [`--${role}`, { placeholder: `<${role} node>` }]),
  { placeholder: '<file>...' },
]);

export function caseCommand(request: SessionRequest, { benchmark, configuration }: Case): string | undefined {
  const { commandLine, files, settings } = request;
  if (commandLine === undefined) return undefined;
  if (commandLine[0] === 'http') return calledCommand(repeatedWords(commandLine));
  const file = files.find((each) => isOfFile(benchmark, each));
  const cpus = valuesIn(commandLine, 'set').filter((pair) => /^(LOAD)?CPUSET=/.test(pair));
  const one: Others = {
    ...measuredSubjects(request),
    set: [...cpus, ...argumentsOf(configuration)],
    // A filter selects by the part of the name after the group.
    filter: file === undefined || file.name === benchmark ? [] : [nameInGroup(benchmark)],
    names: file?.command && file.path !== file.name ? [file.name] : [],
    ...{ exclude: [], tags: [], failOn: [], allowMissing: [] },
  };
  const item = file?.command === undefined ? (file?.name ?? benchmark) : file.path;
  return calledCommand(repeatedWords(commandLine, one, [item, ...(settings.test ? ['test'] : [])]));
}
