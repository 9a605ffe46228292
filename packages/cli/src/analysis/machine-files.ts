import { existsSync, realpathSync } from 'node:fs';
import {
  type ComparedResults,
  caseName,
  counted,
  joinResults,
  type MachineResults,
  UsageError,
} from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import { shortList } from './recording-text.ts';
import { readComparedResults } from './results-file.ts';

/** A file that one machine has measured, or several if it was merged; a name before it is that of the machine: `linux=a.csv`. */
export function readMachine(text: string) {
  const [, name = text, path = text] = existsSync(text) ? [] : (/^([^=]+)=(.+)$/s.exec(text) ?? []);
  return { name, path };
}

type MachineFile = ReturnType<typeof readMachine>;

/**
 * Reads the results of several machines, which are compared within each machine.
 * @throws UsageError if a file is given twice, is missing, or holds something else than a comparison with a fixed number of runs
 */
export async function readMachines(
  [first, ...others]: readonly [MachineFile, ...MachineFile[]],
  terminal: Terminal,
): Promise<ComparedResults> {
  checkDistinct([first, ...others]);
  const read = async ({ name, path }: MachineFile): Promise<MachineResults> => ({
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

function checkDistinct(files: readonly MachineFile[]): void {
  const twice = <Key>(keyOf: (file: MachineFile) => Key) => {
    const repeated = [...Map.groupBy(files, keyOf).values()].find(({ length }) => length > 1);
    return repeated?.at(-1);
  };
  const [name, file] = [twice(({ name }) => name), twice(({ path }) => realPath(path))];
  const again = name === undefined ? file && `file ${file.path}` : `machine ${name.name}`;
  if (again === undefined) return;
  throw new UsageError('ERR_BENCH_MERGE_DUPLICATE', `the ${again} is given twice: give each once`);
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is missing, or standard input: reading it says so.
    return path;
  }
}
