import { readdirSync, readFileSync } from 'node:fs';
import type { Runtime } from 'node:inspector';
import { findSourceMap, SourceMap, type SourceMapping } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestVariable, mapsFile } from './manifest.ts';

/** Of V8: it counts from 0. */
export type Position = Omit<Runtime.CallFrame, 'scriptId' | 'functionName'> & Partial<Runtime.CallFrame>;

/**
 * Called before modules are loaded. Returns a function that gives a function of a file that the preload transforms,
 * or that has a source map, with its position and name in its source, and others as they are.
 */
export function sourcePositions(): (position: Position) => Position {
  process.setSourceMapsEnabled(true);
  const manifest = process.env[manifestVariable];
  const maps = manifest === undefined ? undefined : mapsIn(dirname(manifest));
  const texts = new Map<string, readonly string[]>();
  return (position) => {
    const { url } = position;
    const transformed = url.startsWith('file:') ? maps?.get(fileURLToPath(url)) : undefined;
    const inFile = transformed ? { ...sourceIn(transformed, position, ''), url } : position;
    const map = findSourceMap(url);
    if (map === undefined || !url.startsWith('file:')) return inFile;
    const lines = texts.get(url) ?? readFileSync(fileURLToPath(url), 'utf8').split('\n');
    texts.set(url, lines);
    return sourceIn(map, inFile, lines[inFile.lineNumber] ?? '');
  };
}

/** @param line the line of the function, before whose position is its name if it has one */
function sourceIn(map: SourceMap, position: Position, line: string): Position {
  const { functionName = '', lineNumber, columnNumber } = position;
  const entry = map.findEntry(lineNumber, columnNumber);
  if (!('originalLine' in entry)) return position;
  const word = /^[\w$]+$/.test(functionName)
    ? `(?<![\\w$])${functionName.replaceAll('$', '\\$')}(?![\\w$])`
    : '$^';
  const at = [...line.slice(0, columnNumber).matchAll(new RegExp(word, 'g'))].at(-1)?.index ?? -1;
  const named: Partial<SourceMapping> & { readonly name?: string } = map.findEntry(lineNumber, at);
  const name = named.generatedColumn === at ? named.name : undefined;
  return {
    functionName: name ?? functionName,
    url: entry.originalSource,
    lineNumber: entry.originalLine,
    columnNumber: entry.originalColumn,
  };
}

/** The source maps of the files that processes have transformed, by path. @param directory of their manifests */
export function mapsIn(directory: string): ReadonlyMap<string, SourceMap> {
  const files = readdirSync(directory).filter((name) => name.endsWith(mapsFile('')));
  return new Map(
    files.flatMap((name) => {
      const maps: Record<string, string> = JSON.parse(readFileSync(join(directory, name), 'utf8'));
      return Object.entries(maps).map(([path, map]) => [path, new SourceMap(JSON.parse(map))] as const);
    }),
  );
}
