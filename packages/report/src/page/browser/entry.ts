import type { Payload, PayloadBenchmark, PayloadRow } from './payload.ts';

/** A subject, with its place among all of them; 0 is the baseline. */
export interface Subject {
  readonly index: number;
  readonly name: string;
}

export interface Entry extends Omit<PayloadRow, 'benchmark' | 'subject'> {
  readonly id: number;
  readonly benchmark: PayloadBenchmark;
  readonly subject: Subject;
  /** The text that is searched, in lower case. */
  readonly text: string;
  readonly start: number;
}

/** The rates of a case under one subject in the order of the runs, operations per second. */
export interface Sample {
  readonly subject: Subject;
  readonly rates: Float64Array;
}

export function entriesOf({ rows, subjects, benchmarks }: Payload): readonly Entry[] {
  let start = 0;
  return rows.map((row, id) => {
    const benchmark = benchmarks[row.benchmark] ?? { name: '', shared: '' };
    const subject = { index: row.subject, name: subjects[row.subject] ?? '' };
    const text = `${benchmark.name} ${benchmark.shared} ${row.label} ${subject.name}`.toLowerCase();
    const entry = { ...row, id, benchmark, subject, text, start };
    start += row.nOld + row.nNew;
    return entry;
  });
}

/** Reads the samples of a page, which are decoded at the first call. */
export function sampleReader({ rates, subjects }: Payload): (entries: readonly Entry[]) => readonly Sample[] {
  let decoded: Float32Array | undefined;
  return (entries) => {
    decoded ??= decode(rates);
    const all = decoded;
    const sample = (subject: Subject, { unit }: Entry, start: number, count: number): Sample => ({
      subject,
      rates: Float64Array.from(all.subarray(start, start + count), (rate) => rate * unit),
    });
    return entries.flatMap((entry, at) => {
      const compared = sample(entry.subject, entry, entry.start + entry.nOld, entry.nNew);
      if (at > 0) return [compared];
      return [sample({ index: 0, name: subjects[0] ?? '' }, entry, entry.start, entry.nOld), compared];
    });
  };
}

function decode(base64: string): Float32Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return new Float32Array(bytes.buffer);
}
