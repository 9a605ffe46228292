import { readdirSync, readFileSync } from 'node:fs';
import type { Runtime } from 'node:inspector';
import { findSourceMap, SourceMap, type SourceMapping } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestVariable, mapsFile } from './manifest.ts';

/** Of V8: it counts from 0. */
export type Position = Omit<Runtime.CallFrame, 'scriptId' | 'functionName'> & Partial<Runtime.CallFrame>;

/**
 * Called before modules are loaded. Returns a function that gives a function of a file that the preload
 * transforms, or that has a source map, with its position and name in its source, and others as they are.
 */
export function sourcePositions(): (position: Position) => Position {
  process.setSourceMapsEnabled(true);
  const manifest = process.env[manifestVariable];
  const maps = manifest === undefined ? undefined : mapsIn(dirname(manifest));
  return (position) => {
    const { url } = position;
    const transformed = url.startsWith('file:') ? maps?.get(fileURLToPath(url)) : undefined;
    const inFile = transformed ? { ...sourceIn(transformed, position), url } : position;
    const map = findSourceMap(url);
    return map === undefined ? inFile : sourceIn(map, inFile);
  };
}

function sourceIn(map: SourceMap, position: Position): Position {
  const entry = map.findEntry(position.lineNumber, position.columnNumber);
  if (!('originalLine' in entry)) return position;
  const { originalSource: url, originalLine: lineNumber, originalColumn: columnNumber } = entry;
  return { functionName: nameIn(map, position), url, lineNumber, columnNumber };
}

/** What stands in a minified file between the name of a function and its position for V8, its parameters. */
const gaps = ['', '=', ' = ', '=async', '=async ', '=function', '=async function'];

function nameIn(map: SourceMap, { functionName = '', lineNumber, columnNumber }: Position): string {
  for (const { length } of functionName === '' ? [] : gaps) {
    const at = columnNumber - length - functionName.length;
    const entry: Partial<SourceMapping> & { readonly name?: string } = map.findEntry(lineNumber, at);
    if (entry.name !== undefined && entry.generatedColumn === at) return entry.name;
  }
  return functionName;
}

/** The source maps of files that processes transformed, by path. @param directory of their manifests */
export function mapsIn(directory: string): ReadonlyMap<string, SourceMap> {
  const files = readdirSync(directory).filter((name) => name.endsWith(mapsFile('')));
  return new Map(
    files.flatMap((name) => {
      const maps: Record<string, string> = JSON.parse(readFileSync(join(directory, name), 'utf8'));
      return Object.entries(maps).map(([path, map]) => [path, new SourceMap(JSON.parse(map))] as const);
    }),
  );
}
