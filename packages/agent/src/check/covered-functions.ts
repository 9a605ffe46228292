import { writeFileSync } from 'node:fs';
import type { Session } from 'node:inspector';
import { setFlagsFromString } from 'node:v8';
import { type Position, sourcePositions } from '../preload/source-positions.ts';

export interface FunctionsOrder {
  /** For the functions of the project, as JSON. */
  readonly file: string;
  /** The URL of the directory of the project. */
  readonly root: string;
  /** In a process without a benchmark, the modules whose exports are found. */
  readonly modules?: readonly string[];
}

/**
 * Called before modules are loaded.
 * @returns a function that gives the file below the root and the line of a position in its source; undefined
 * outside of the project
 */
export function placesIn({ root }: FunctionsOrder): (position: Position) => string | undefined {
  // Otherwise V8 forgets functions, or never knows that they were executed.
  for (const flag of ['--no-lazy-feedback-allocation', '--no-flush-bytecode']) setFlagsFromString(flag);
  const sourceOf = sourcePositions();
  return (position) => {
    const { url } = position;
    if (!url.startsWith(root) || url.includes('/node_modules/')) return undefined;
    const { url: source, lineNumber } = sourceOf(position);
    const [file, line] = source.startsWith(root) ? [source, lineNumber] : [url, position.lineNumber];
    return `${decodeURI(file.slice(root.length))}:${line + 1}`;
  };
}

interface CoveredFunction {
  readonly name: string;
  readonly place: string;
  readonly isExecuted: boolean;
  readonly source: string;
}

export function coveredFunctions(session: Session, placeOf: ReturnType<typeof placesIn>) {
  const covered: CoveredFunction[] = [];
  session.post('Debugger.enable');
  session.post('Profiler.getBestEffortCoverage', (_, { result }) => {
    for (const { scriptId, url, functions } of result) {
      if (placeOf({ url, lineNumber: 0, columnNumber: 0 }) === undefined) continue;
      session.post('Debugger.getScriptSource', { scriptId }, (_, { scriptSource: text }) => {
        const lines = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
        let lineNumber = 0;
        for (const { functionName: name, ranges } of functions) {
          const { startOffset: start = 0, endOffset: end = 0, count = 0 } = ranges[0] ?? {};
          // One function is the script. The initializer of the fields of a class is no function of the
          // source.
          if (end - start === text.length || name.startsWith('<')) continue;
          while ((lines[lineNumber + 1] ?? text.length) <= start) lineNumber++;
          const place = placeOf({ url, lineNumber, columnNumber: start - (lines[lineNumber] ?? 0) }) ?? '';
          covered.push({ name, place, isExecuted: count > 0, source: text.slice(start, end) });
        }
      });
    }
  });
  return covered;
}

export function writeFunctions({ file }: FunctionsOrder, functions: readonly CoveredFunction[]): void {
  const written = functions.map(({ source, ...each }) => ({ ...each, length: source.length }));
  writeFileSync(file, JSON.stringify(written));
}
