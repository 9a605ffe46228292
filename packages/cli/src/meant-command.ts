import { closeSync, openSync, readSync, statSync } from 'node:fs';
import type { CommanderError } from 'commander';
import { quote } from 'shlex';

/** The analyses that need no further option for most files; `scatter` needs its axis. */
const analyses = new Set(['compare', 'bar', 'scatter', 'schema']);

/**
 * The command that was probably meant by words that are none: a file of results without an analysis, or benchmarks without
 * `run`. Undefined if nothing is likely.
 */
export function meantCommand(words: readonly string[], { code }: CommanderError): string | undefined {
  if (code !== 'commander.unknownCommand' && code !== 'commander.unknownOption') return undefined;
  const rest = words[0] === 'analyze' ? words.slice(1) : words;
  if (rest.some((word) => analyses.has(word)) || (rest === words && code === 'commander.unknownOption'))
    return undefined;
  const file = rest.find((word) => statSync(word, { throwIfNoEntry: false }) !== undefined);
  if (file === undefined) return undefined;
  const analysis = analysisOf(file);
  if (analysis !== undefined)
    return `did you mean: bench-cli analyze ${analysis} ${rest.map(quote).join(' ')}`;
  return rest === words ? `did you mean: bench-cli run ${rest.map(quote).join(' ')}` : undefined;
}

/** The analysis of a file of results, by its start; undefined for other files. */
function analysisOf(file: string): string | undefined {
  if (!statSync(file).isFile()) return undefined;
  const start = startOf(file);
  if (/^\{"type":"session".*"command":"compare"/.test(start) || /^"?binary"?,/.test(start)) return 'compare';
  if (/^\{"type":"session"/.test(start) || /^"?filename"?,/.test(start)) return 'scatter --xaxis <parameter>';
  return undefined;
}

function startOf(file: string): string {
  const fd = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(1000);
    return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(fd);
  }
}
