import { readdirSync, readFileSync } from 'node:fs';
import type { Runtime } from 'node:inspector';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { manifestVariable, mapsFile } from './manifest.ts';

/** Of V8: it counts from 0. */
export type Position = Omit<Runtime.CallFrame, 'functionName' | 'scriptId'>;

/** Returns a function that gives a position in a file that the preload transforms in its source, and others as they are. */
export function sourcePositions(): (position: Position) => Position {
  const manifest = process.env[manifestVariable];
  const maps = manifest === undefined ? undefined : mapsIn(dirname(manifest));
  return (position) => {
    const { url, lineNumber, columnNumber } = position;
    const map = url.startsWith('file:') ? maps?.get(fileURLToPath(url)) : undefined;
    const entry = map?.findEntry(lineNumber, columnNumber);
    if (entry === undefined || !('originalLine' in entry)) return position;
    return { url, lineNumber: entry.originalLine, columnNumber: entry.originalColumn };
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
