import { isUtf8 } from 'node:buffer';
import {
  constants,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { BenchmarkFile, SubjectSource } from '@bench-cli/results/recording';
import { parseJson, propertyIn } from '@bench-cli/system';
import { makeLink, moduleLinks } from './module-links.ts';

/**
 * Makes a directory that has the files of a source, by links, and copies of the current benchmarks at their
 * places, so that their relative imports lead to the source.
 * @param measured the name and the directory of the measured package
 */
export function createView(
  source: SubjectSource,
  files: readonly BenchmarkFile[],
  view: string,
  measured: { readonly name: string; readonly path: string } | undefined,
): string {
  const benchmarks = new Set(files.flatMap((file) => benchmarkPath(file, source.base)));
  if (measured !== undefined) makeLink(measured.path, join(view, 'node_modules', measured.name));
  fill('', source, view, [...benchmarks]);
  return view;
}

/** Outside of a suite, a file with such a name is beside the code that it measures. */
const besideCode = /\.bench(?:mark)?\.[cm]?[jt]s$/;

/** The path below `base` of the directory, or file, to copy for a benchmark; none if it is elsewhere. */
function benchmarkPath({ path, name }: BenchmarkFile, base: string): readonly string[] {
  const inside = relative(base, path);
  if (inside.startsWith('..')) return [];
  const suite = path.endsWith(`${sep}${name}`) ? relative(base, path.slice(0, -name.length - 1)) : '';
  if (suite !== '' && !suite.startsWith('..')) return [suite];
  return [dirname(inside) === '.' || besideCode.test(inside) ? inside : dirname(inside)];
}

/** Fills a directory of a view that contains benchmarks, or that a directory below contains them. */
function fill(path: string, source: SubjectSource, view: string, benchmarks: readonly string[]): void {
  const target = join(view, path);
  const [theirs, ours] = [join(source.directory, path), join(source.base, path)];
  mkdirSync(target, { recursive: true });
  const below = benchmarks.filter((each) => path === '' || each.startsWith(`${path}${sep}`));
  const inner = new Set(below.map((each) => relative(path, each).split(sep)[0] ?? ''));
  for (const name of inner) {
    const inside = join(path, name);
    if (!benchmarks.includes(inside)) fill(inside, source, view, benchmarks);
    else copyBenchmarks(join(source.base, inside), join(view, inside), source);
  }
  // The benchmarks are those of the working tree, and so is the package that they belong to.
  const manifest = join(ours, 'package.json');
  if (existsSync(manifest))
    copyManifest(manifest, join(theirs, 'package.json'), join(target, 'package.json'));
  const above = path === '' ? directoriesAbove(source.base) : [];
  const installed = [ours, theirs, ...above].map((directory) => join(directory, 'node_modules'));
  linkModules(installed, join(target, 'node_modules'), source);
  const skipped = new Set([...inner, '.git', 'node_modules']);
  if (existsSync(manifest)) skipped.add('package.json');
  // Names can be other bytes than UTF-8. The functions of Yarn's Plug'n'Play take only texts.
  const names = existsSync(theirs) ? readdirSync(theirs, 'buffer') : [];
  const pathIn = (directory: string, name: Buffer) =>
    isUtf8(name)
      ? join(directory, name.toString())
      : Buffer.concat([Buffer.from(join(directory, sep)), name]);
  for (const name of names)
    if (!skipped.has(name.toString())) symlinkSync(pathIn(theirs, name), pathIn(target, name));
  // Benchmarks beside code can import new files.
  const isBesideCode = benchmarks.some((each) => dirname(each) === path && besideCode.test(each));
  for (const name of isBesideCode ? readdirSync(ours) : [])
    if (!skipped.has(name) && !existsSync(join(target, name)))
      copyBenchmarks(join(ours, name), join(target, name), source);
}

/**
 * Fields that lead to code are those of the source. Names that only the working tree has in `imports` can be
 * of its benchmarks. Without a difference the copy has the same bytes, since a benchmark can load it.
 */
function copyManifest(from: string, ofSource: string, to: string): void {
  const own = Object(parseJson(readFileSync(from, 'utf8')));
  const [main, exports, theirs] = ['main', 'exports', 'imports'].map((name) => propertyIn(ofSource, name));
  const imports = theirs === undefined ? own.imports : { ...own.imports, ...Object(theirs) };
  // The order of conditions counts.
  const isSame =
    JSON.stringify([own.main, own.exports, own.imports]) === JSON.stringify([main, exports, imports]);
  if (isSame || !existsSync(ofSource)) copyFileSync(from, to);
  else writeFileSync(to, JSON.stringify({ ...own, main, exports, imports }));
}

/** Benchmarks can import packages that are installed in these. */
function directoriesAbove(directory: string): readonly string[] {
  const parent = dirname(directory);
  return parent === directory ? [] : [parent, ...directoriesAbove(parent)];
}

function copyBenchmarks(from: string, to: string, source: SubjectSource): void {
  const modules: string[] = [];
  cpSync(from, to, {
    recursive: true,
    verbatimSymlinks: true,
    mode: constants.COPYFILE_FICLONE,
    filter: (path) => {
      if (basename(path) !== 'node_modules') return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
      modules.push(relative(from, path));
      return false;
    },
  });
  for (const path of modules) linkModules([join(from, path)], join(to, path), source);
}

function linkModules(directories: readonly string[], to: string, { base, directory }: SubjectSource): void {
  for (const [name, target] of moduleLinks(directories, { from: base, to: directory }))
    makeLink(target, join(to, name));
}
