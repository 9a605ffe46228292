import { realpathSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { NewCase } from '@bench-cli/report';
import { caseName, counted, joinMachines, type SubjectNames, UsageError } from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import { shortList } from './recording-text.ts';
import { type ReadResults, readComparedResults } from './results-file.ts';

/** A file of results that one machine has measured, or several if it was merged. */
export interface MachineFile {
  readonly name: string;
  /** `-` for standard input. */
  readonly path: string;
}

/** `--machine linux=a.csv` of the command line, as `MachineFile`. */
export function readMachine(text: string): MachineFile {
  const at = text.indexOf('=');
  if (at > 0 && at < text.length - 1) return { name: text.slice(0, at), path: text.slice(at + 1) };
  throw new UsageError(
    'ERR_BENCH_OPTION',
    `--machine ${text}: expected a name and a file, such as --machine linux=a.csv`,
  );
}

/**
 * Reads the results of several machines, which are compared within each machine.
 *
 * @throws UsageError if a file is given twice, is missing, or holds something else than a comparison with a fixed number of runs
 */
export async function readMachines(files: readonly MachineFile[], terminal: Terminal): Promise<ReadResults> {
  checkDistinct(files);
  const machines: (ReadResults & Pick<MachineFile, 'name'>)[] = [];
  for (const { name, path } of files) machines.push({ name, ...(await readComparedResults(path, terminal)) });
  const adaptive = machines.find((machine) => machine.adaptive !== undefined);
  if (adaptive !== undefined) {
    throw new UsageError(
      'ERR_BENCH_MERGE_UNSUPPORTED',
      `${adaptive.name} was measured with --runs auto, whose verdicts are of one machine: analyze it alone, or measure with a fixed --runs`,
    );
  }
  const pairs = joinMachines(machines.map((machine) => machine.pairs));
  for (const { name, pairs: own } of machines) {
    const keys = new Set(own.map(({ key }) => key));
    const missing = new Set(pairs.filter(({ key }) => !keys.has(key)).map(caseName));
    if (missing.size === 0) continue;
    terminal.notice(
      `warning: ${name} has no results of ${counted(missing.size, 'configuration')}: ${shortList([...missing])}`,
    );
  }
  return {
    pairs,
    names: commonNames(machines),
    newCases: firstOfEach(machines.flatMap(({ newCases }) => newCases)),
    metrics: (machines[0]?.metrics ?? []).map(({ metric }) => ({
      metric,
      pairs: joinMachines(
        machines.map(({ metrics }) => metrics.find((each) => each.metric.name === metric.name)?.pairs ?? []),
      ),
    })),
    startUp: machines.flatMap(({ startUp }) => startUp),
    adaptive: undefined,
    recordings: machines.flatMap(({ recordings }) => recordings),
  };
}

/**
 * The names of the subjects of all machines, with their display names if these are the same.
 *
 * @throws UsageError if the subjects have other names
 */
function commonNames(machines: readonly Pick<ReadResults & MachineFile, 'name' | 'names'>[]): SubjectNames {
  const [first, ...others] = machines;
  if (first === undefined) return new Map();
  const listOf = ({ names }: Pick<ReadResults, 'names'>) => [...names.keys()].join(', ');
  const other = others.find((machine) => listOf(machine) !== listOf(first));
  if (other !== undefined) {
    throw new UsageError(
      'ERR_BENCH_MERGE_MISMATCH',
      `${first.name} has the subjects ${listOf(first)}, but ${other.name} has ${listOf(other)}: give them the same names on all machines`,
    );
  }
  const isSame = others.every(({ names }) => isDeepStrictEqual(names, first.names));
  return isSame ? first.names : new Map([...first.names.keys()].map((name) => [name, name]));
}

/** The rate of a case that the baseline does not have is that of the first machine. */
function firstOfEach(cases: readonly NewCase[]): readonly NewCase[] {
  return cases.filter(
    ({ key, subject }, at) =>
      cases.findIndex((other) => other.key === key && other.subject === subject) === at,
  );
}

function checkDistinct(files: readonly MachineFile[]): void {
  const seen = new Set<string>();
  for (const { name, path } of files) {
    for (const key of [`name ${name}`, `file ${realPath(path)}`]) {
      if (seen.has(key)) {
        throw new UsageError(
          'ERR_BENCH_MERGE_DUPLICATE',
          `the ${key.startsWith('name') ? `machine ${name}` : `file ${path}`} is given twice: give each once`,
        );
      }
      seen.add(key);
    }
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // It is missing, or standard input: reading it says so.
    return path;
  }
}
