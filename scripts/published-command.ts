import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { z } from 'zod';

/**
 * Makes the package of the command as it is published, before `pnpm pack` and `pnpm publish`: the other packages are in `parts`, so that
 * one file installs the command. Imports of them become paths, because Yarn 4 removes packages inside of a package.
 */
const entrySchema = z.union([z.string(), z.object({ types: z.string(), default: z.string() })]);
const manifestSchema = z.looseObject({
  name: z.string(),
  files: z.array(z.string()),
  exports: z.record(z.string(), entrySchema),
  dependencies: z.record(z.string(), z.string()).default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

const packages = join(import.meta.dirname, '../packages');
const published = join(packages, 'cli/.published');
const scope = '@bench-cli/';

function manifestOf(directory: string): Manifest {
  const text = readFileSync(join(packages, directory, 'package.json'), 'utf8');
  const {
    devDependencies: _,
    publishConfig: __,
    scripts: ___,
    ...manifest
  } = manifestSchema.parse(JSON.parse(text));
  return manifest;
}

/** All packages that the command needs, by their directories. */
const parts = new Map<string, Manifest>();
const { dependencies: needed, ...command } = manifestOf('cli');
const libraries: Record<string, string> = {};
for (const queue = Object.entries(needed); queue.length > 0; ) {
  const [name = '', range = ''] = queue.shift() ?? [];
  const directory = name.slice(scope.length);
  if (!name.startsWith(scope)) libraries[name] = range;
  else if (!parts.has(directory)) {
    const part = manifestOf(directory);
    parts.set(directory, part);
    queue.push(...Object.entries(part.dependencies));
  }
}

/** The file that is imported by the name of an entry, such as `results` and `/settings`. */
function entryFile(directory: string, subpath: string, isType: boolean): string {
  const entry = parts.get(directory)?.exports[`.${subpath}`];
  if (entry === undefined) throw new Error(`no package has the entry ${scope}${directory}${subpath}`);
  // TypeScript finds the declarations beside the name of a compiled file.
  const file =
    typeof entry === 'string' ? entry : isType ? entry.types.replace(/\.d\.ts$/, '.js') : entry.default;
  return join(published, 'parts', directory, file);
}

/** Copies the files of a package, and replaces the names in imports by paths. */
function copy(directory: string, { files }: Pick<Manifest, 'files'>, target: string): void {
  for (const pattern of globSync(files, { cwd: join(packages, directory) }))
    cpSync(join(packages, directory, pattern), join(target, pattern), { recursive: true });
  for (const path of globSync('**/*.{js,cjs,d.ts}', { cwd: target, exclude: ['parts/**'] })) {
    const file = join(target, path);
    const isType = path.endsWith('.d.ts');
    // Bundles have double quotes in their own imports, and single ones in texts of code, such as that of a first benchmark.
    const quotes = isType ? `["']` : '"';
    const imported = new RegExp(
      `(\\b(?:from|import|import\\.meta\\.resolve\\(|import\\() ?)(${quotes})@bench-cli/([\\w-]+)((?:/[\\w-]+)*)\\2`,
      'g',
    );
    const text = readFileSync(file, 'utf8').replace(imported, (_, start, quote, name, subpath) => {
      const to = relative(dirname(file), entryFile(name, subpath, isType)).replaceAll('\\', '/');
      return `${start}${quote}${to.startsWith('.') ? to : `./${to}`}${quote}`;
    });
    writeFileSync(file, text);
  }
}

rmSync(published, { recursive: true, force: true });
for (const [directory, { dependencies: _, ...part }] of parts) {
  const target = join(published, 'parts', directory);
  copy(directory, part, target);
  // Resolving an entry of a package from its own files requires its name and its entries.
  writeFileSync(join(target, 'package.json'), JSON.stringify({ ...part, private: true }, undefined, 2));
}
copy('cli', command, published);
cpSync(join(dirname(packages), 'LICENSE'), join(published, 'LICENSE'));
writeFileSync(
  join(published, 'package.json'),
  JSON.stringify({ ...command, files: [...command.files, 'parts'], dependencies: libraries }, undefined, 2),
);
