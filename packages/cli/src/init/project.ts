import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { findConfigFile } from '@bench-cli/results/settings';
import { packageCommands, repositoryOf } from '@bench-cli/subjects';
import { isFile, parseJson } from '@bench-cli/system';

/** As npm accepts it. It becomes a part of code. */
const packageName = /^(?=.{1,214}$)(?:@[\w~][\w.~-]*\/)?[\w~][\w.~-]*$/;

const manifestSchema = z.object({
  name: z.string().regex(packageName).optional(),
  type: z.string().optional(),
  main: z.string().optional(),
  types: z.string().optional().catch(undefined),
  module: z.string().optional(),
  bin: z
    .union([z.string(), z.record(z.string(), z.string())])
    .optional()
    .catch(undefined),
  devDependencies: z.record(z.string(), z.string()).default({}),
});

type Host = 'github' | 'gitlab';

export type Project = Awaited<ReturnType<typeof readProject>>;

/** @throws UsageError if the directory has no package.json */
export async function readProject(directory: string, host: Host | undefined, signal: AbortSignal) {
  const file = join(directory, 'package.json');
  // A pipe would not end.
  const parsed = parseJson(isFile(file) ? readFileSync(file, 'utf8') : '');
  const { data: manifest, error } = manifestSchema.safeParse(parsed);
  if (manifest === undefined) {
    const [key] = error.issues[0]?.path ?? [];
    const problem =
      key === undefined
        ? `${directory} has no valid package.json: go to the directory of the package, or create one with "npm init"`
        : `${file}: ${String(key)} ${JSON.stringify(Reflect.get(Object(parsed), key))} is invalid: correct it as npm expects it`;
    throw new UsageError('ERR_BENCH_PROJECT', problem);
  }
  const exports: unknown = Reflect.get(Object(parsed), 'exports');
  const isTypeScript =
    existsSync(join(directory, 'tsconfig.json')) || 'typescript' in manifest.devDependencies;
  const letter = manifest.type === 'module' ? '' : 'm';
  const entry = entryOf(exports) ?? manifest.module ?? manifest.main ?? 'index.js';
  const repository = await repositoryOf(directory, signal);
  const path = repository?.path ?? '';
  const root = join(directory, ...path.split('/').map((name) => (name === '' ? '' : '..')));
  const { hasBenchmarks } = await import('@bench-cli/runner');
  const program = typeof manifest.bin === 'string' ? manifest.bin : Object.values(manifest.bin ?? {})[0];
  return {
    directory,
    /** The root of the repository, where hosts look for jobs. */
    root,
    /** The path of the package below the root; empty in the root. */
    path,
    /** The name by which the package can import itself. */
    ownName: exports === undefined ? undefined : manifest.name,
    entry,
    /** The file of the declarations, if the package has some. */
    declarations:
      entryOf(exports, ['.', 'types', 'import', 'node', 'default', 'require']) ??
      manifest.types ??
      entry.replace(/\.([cm]?)[jt]s$/, '.d.$1ts'),
    /** The first command of the package, if it can be a word of a command. */
    program: /^[\w./@-]+$/.test(program ?? '') ? program : undefined,
    isBuilt: existsSync(join(directory, entry)),
    extension: `${letter}${isTypeScript ? 'ts' : 'js'}`,
    commands: packageCommands(directory),
    /** Whether it has benchmarks that commands find without their names. */
    hasBenchmarks: await hasBenchmarks(directory),
    config: findConfigFile(directory),
    repository,
    host: host ?? hostOf(root, repository?.remote),
    hasCore: hasPackage(directory, '@bench-cli/core'),
  };
}

/** The service that runs jobs: that of the remote, else that of files; undefined for other services. */
function hostOf(root: string, remote = ''): Host | undefined {
  if (/bitbucket/i.test(remote)) return undefined;
  if (/github/i.test(remote)) return 'github';
  if (/gitlab/i.test(remote) || existsSync(join(root, gitlabFile))) return 'gitlab';
  return existsSync(join(root, '.github')) ? 'github' : undefined;
}

export const gitlabFile = '.gitlab-ci.yml';

/** The file that ES modules import; conditions can be nested. */
function entryOf(
  exports: unknown,
  names = ['.', 'import', 'node', 'default', 'require'],
): string | undefined {
  if (typeof exports === 'string') return exports;
  const conditions = new Map(Object.entries(Object(exports)));
  for (const name of names) {
    const found = conditions.has(name) ? entryOf(conditions.get(name), names) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function hasPackage(directory: string, name: string): boolean {
  const parent = dirname(directory);
  return (
    existsSync(join(directory, 'node_modules', name)) || (parent !== directory && hasPackage(parent, name))
  );
}
