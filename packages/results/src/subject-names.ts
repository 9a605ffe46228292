import { isAbsolute } from 'node:path';
import { ownValue } from './configuration.ts';
import { shownIn } from './foreign-text.ts';
import type {
  PlanRecord,
  Runtime,
  SessionRecord,
  Subject,
  SubjectPackage,
  SubjectSource,
} from './recording/line.ts';

/** Display names of the subjects of a comparison by their names in results, the baseline first. */
export type SubjectNames = ReadonlyMap<string, string>;

/** The titles of subjects. Subjects with equal titles keep their names. */
export function subjectNames(
  { request: { subjects } }: Pick<SessionRecord, 'request'>,
  { loaded }: Pick<PlanRecord, 'loaded'> = { loaded: {} },
): SubjectNames {
  const titles = subjectTitles(subjects, loaded);
  return new Map(
    subjects.map(({ name }, at) => {
      const title = titles[at] ?? name;
      return [name, shownIn('line', titles.filter((each) => each === title).length > 1 ? name : title)];
    }),
  );
}

/** Titles: source and packages, the runtime if there is neither or the runtimes differ, and flags. */
export function subjectTitles(
  subjects: readonly Subject[],
  loaded: PlanRecord['loaded'] = {},
): readonly string[] {
  const runtimes = new Set(subjects.map(runtimeName));
  return subjects.map((subject) => {
    const { name, source, packages = [] } = subject;
    const { builtAt } = ownValue(loaded, name) ?? {};
    const code = [
      ...(source === undefined ? [] : [sourceText(source)]),
      ...(builtAt === undefined ? [] : [`build of ${builtAt.slice(0, 16).replace('T', ' ')} UTC`]),
      ...packages.map(({ name, version }) => `${name} ${version}`),
    ];
    const isRuntimeShown = code.length === 0 || runtimes.size > 1;
    const what = isRuntimeShown ? [...code, runtimeName(subject)] : code;
    return [what.join(', '), ...subject.flags].join(' ');
  });
}

/** A source with its commit, as in `main (a1b2c3d)`; only the commit, if the user named it. */
function sourceText({ label, commit, changes }: SubjectSource): string {
  const name = label.replace(/^git:/, '');
  const title = name === '.' ? 'working tree' : name;
  if (commit === undefined) return title;
  if (commit.startsWith(title)) return commit.slice(0, 7);
  return `${title} (${commit.slice(0, 7)}${changes === undefined ? '' : ' with changes'})`;
}

/** A program or a relative path as the user wrote it, with its version; otherwise the runtime. */
function runtimeName({ label, runtime }: Subject): string {
  const isRelease = label.startsWith(`${runtime.name}@`);
  return isRelease || isAbsolute(label) ? runtimeText(runtime) : `${label} (${runtime.version})`;
}

const runtimeTitles: Readonly<Record<Runtime['name'], string>> = {
  node: 'Node.js',
  bun: 'Bun',
  deno: 'Deno',
};

/** A runtime with its version, as in `Node.js 26.10.0`. */
export function runtimeText({ name, version }: Pick<Runtime, 'name' | 'version'>): string {
  return `${runtimeTitles[name]} ${version}`;
}

export function runtimeDetails(runtime: Runtime): string {
  const engine = runtime.v8 === undefined ? [] : [`V8 ${runtime.v8}`];
  return [runtimeText(runtime), ...engine, `${runtime.platform} ${runtime.arch}`].join(', ');
}

/** What must be the same in all parts of a session, from whichever registry it is. */
export function packageDetails({ name, version, integrity, installed }: SubjectPackage): string {
  return `${name} ${version} (${integrity}, with dependencies ${installed.slice(0, 12)})`;
}

export function sourceDetails({ label, commit, changes }: SubjectSource): string {
  if (commit === undefined) return label;
  return `${label} (commit ${commit}${changes === undefined ? '' : `, changes ${changes.slice(0, 12)}`})`;
}

/**
 * A subject as a user writes it: `node@22,npm:yaml@1,flags=--no-opt`. Output can be public and values of
 * variables can be secret, so only their names are shown: `env=NAME` takes the value from the environment of
 * the reader.
 */
export function subjectText({ label, source, packages = [], flags, env, cwd }: Subject): string {
  const code = [
    ...(source === undefined ? [] : [source.label]),
    ...packages.map(({ name, range }) => `npm:${name}@${range}`),
  ];
  // Without a given runtime, the path of the Node.js that runs bench-cli was recorded.
  const runtime = code.length > 0 && isAbsolute(label) ? [] : [label];
  return [
    ...[...runtime, ...code].map(quotedPart),
    ...(flags.length > 0 ? [`flags=${flags.map(quotedPart).join(' ')}`] : []),
    ...Object.keys(env).map((name) => `env=${quotedPart(name)}`),
    ...(cwd === undefined ? [] : [`cwd=${quotedPart(cwd)}`]),
  ].join(',');
}

/** A text in which commas and spaces do not separate. */
function quotedPart(text: string): string {
  if (!/[\s,"\\]/.test(text)) return text;
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Everything that a subject executes. */
export function subjectParts(subject: Subject): readonly string[] {
  const { executable, flags, runtime, packages = [], source } = subject;
  return [
    `${[executable, ...flags].join(' ')} (${runtimeDetails(runtime)})`,
    ...(source === undefined ? [] : [sourceDetails(source)]),
    ...packages.map(
      (each) => `${packageDetails(each)}${each.registry === undefined ? '' : ` from ${each.registry}`}`,
    ),
  ];
}
