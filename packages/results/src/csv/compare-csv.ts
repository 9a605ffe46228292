import { caseOfText } from '../case.ts';
import { nameOrder } from '../name-order.ts';
import { pairsOfCase, type SubjectRole } from '../samples.ts';
import { UsageError } from '../usage-error.ts';
import { readRows } from './form.ts';
import { Grouping, ownText } from './grouping.ts';
import { RateColumns } from './rate-columns.ts';
import type { CsvSource } from './scan.ts';

/**
 * Reads the CSV of Node core's compare.js: `"binary","filename","configuration","rate","time"`. A further
 * column `"subject"` allows several new subjects. Memory grows with the number of rates (up to 36 bytes each)
 * and of cases, not with the size of the file.
 * @returns `subjects`: names, the baseline first; `old` and `new` without names; `pairs`: in the order of
 * their first rows
 * @throws UsageError with the line of invalid input
 */
export async function readCompareCsv(source: CsvSource) {
  const grouping = new Grouping();
  const rates = new RateColumns();
  const subjects = new Map<string, NumberedSubject>();
  const numbers: number[][] = [];
  let samples = 0;

  const count = await readRows(source, 'compare', (header) => {
    const binaryAt = header.indexOf('binary');
    const subjectAt = header.indexOf('subject');
    const filenameAt = header.indexOf('filename');
    const configurationAt = header.indexOf('configuration');
    return (fields, rate, line) => {
      const role = roleOf(fields[binaryAt] ?? '', line);
      const name = subjectAt < 0 ? role : (fields[subjectAt] ?? '');
      const known = subjects.get(name) ?? add(ownText(name), role, line, subjects);
      if (known.role !== role) throw subjectError(`the subject "${name}" is both old and new`, line);
      const { number: subject } = known;
      const group = grouping.numberOf(fields[filenameAt] ?? '', fields[configurationAt] ?? '');
      numbers[subject] ??= [];
      numbers[subject][group] ??= samples++;
      rates.push(numbers[subject][group], rate);
    };
  });

  const allIndices = new Map<number, readonly number[]>();
  /** Rows are in the order of the runs, so an index is a round, or its neighbour after a failed run. */
  const indicesOf = (length: number) => {
    const indices = allIndices.get(length) ?? Array.from({ length }, (_, at) => at);
    allIndices.set(length, indices);
    return indices;
  };
  const bySample = rates.bySample(samples);
  const none = new Float64Array();
  const ordered = baselineFirst([...subjects.values()]);
  const named = grouping.groups.map(({ benchmark, configuration }, group) => ({
    ...caseOfText(benchmark, configuration),
    group,
  }));
  // Rows of a case can have its parameters in several orders.
  const pairs = Array.from(Map.groupBy(named, ({ key }) => key).values()).flatMap((ofCase) => {
    const samplesOf = (subject: number) => {
      const samples = ofCase.map(({ group }) => bySample[numbers[subject]?.[group] ?? -1] ?? none);
      return samples.length === 1 ? (samples[0] ?? none) : samples.flatMap((rates) => Array.from(rates));
    };
    const rates = new Map(ordered.map(({ name, number }) => [name, samplesOf(number)]));
    return ofCase.slice(0, 1).flatMap(({ group: _, ...first }) =>
      pairsOfCase(first, rates).map((pair) => ({
        ...pair,
        rounds: { old: indicesOf(pair.old.length), new: indicesOf(pair.new.length) },
      })),
    );
  });
  return { subjects: ordered.map(({ name }) => name), pairs, ...count };
}

interface NumberedSubject {
  readonly name: string;
  readonly number: number;
  readonly role: SubjectRole;
}

/** Numbers a subject in the order of the first rows. */
function add(name: string, role: SubjectRole, line: number, subjects: Map<string, NumberedSubject>) {
  if (name === '') throw subjectError('the column "subject" is empty', line);
  const baseline = subjects.values().find((subject) => subject.role === 'old');
  if (role === 'old' && baseline !== undefined) {
    throw subjectError(`both "${baseline.name}" and "${name}" are old`, line);
  }
  const subject = { name, number: subjects.size, role };
  subjects.set(name, subject);
  return subject;
}

/** Sorts the others by name, because the order of rows is random. A side without rows is still a subject. */
function baselineFirst(all: readonly NumberedSubject[]): readonly NumberedSubject[] {
  const missing = (['old', 'new'] as const).filter((role) => all.every((subject) => subject.role !== role));
  const byName = nameOrder();
  return [...all, ...missing.map((role) => ({ name: role, number: -1, role }))].sort(
    (a, b) => Number(b.role === 'old') - Number(a.role === 'old') || byName(a.name, b.name),
  );
}

function subjectError(problem: string, line: number): UsageError {
  const rule = 'in the column "binary", one subject, the baseline, must be "old" and all others "new"';
  return new UsageError('ERR_BENCH_CSV_SUBJECT', `${problem}: ${rule}`, { line, column: 'subject' });
}

function roleOf(binary: string, line: number): SubjectRole {
  if (binary === 'old' || binary === 'new') return binary;
  const problem = `the column "binary" must be "old" or "new", not "${binary}"`;
  const remedy = 'use old for the baseline, and name more than two subjects in a column "subject"';
  throw new UsageError('ERR_BENCH_CSV_SUBJECT', `${problem}: ${remedy}`, { line, column: 'binary' });
}
