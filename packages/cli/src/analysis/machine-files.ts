import { existsSync } from 'node:fs';
import {
  type ComparedResults,
  caseName,
  counted,
  joinResults,
  type MachineResults,
} from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import { checkDistinct, type InputFile } from './input-file.ts';
import { shortList } from './recording-text.ts';
import { readComparedResults } from './results-file.ts';

/** A file that one machine has measured, or several if it was merged; a name before it is that of the machine: `linux=a.csv`. */
export function readMachine(text: string): InputFile {
  const [, name = text, path = text] = existsSync(text) ? [] : (/^([^=]+)=(.+)$/s.exec(text) ?? []);
  return { name, path };
}

/**
 * Reads the results of several machines, which are compared within each machine.
 * @throws UsageError if a file is given twice, is missing, or holds something else than a comparison with a fixed number of runs
 */
export async function readMachines(
  [first, ...others]: readonly [InputFile, ...InputFile[]],
  terminal: Terminal,
): Promise<ComparedResults> {
  checkDistinct([first, ...others]);
  const read = async ({ name, path }: InputFile): Promise<MachineResults> => ({
    name,
    results: await readComparedResults(path, terminal),
  });
  const machines: [MachineResults, ...MachineResults[]] = [await read(first)];
  for (const file of others) machines.push(await read(file));
  const joined = joinResults(machines);
  for (const { name, results } of machines) {
    const keys = new Set(results.pairs.map(({ key }) => key));
    const missing = new Set(joined.pairs.filter(({ key }) => !keys.has(key)).map(caseName));
    if (missing.size === 0) continue;
    terminal.notice(
      `warning: ${name} has no results of ${counted(missing.size, 'configuration')}: ${shortList([...missing])}`,
    );
  }
  return joined;
}
