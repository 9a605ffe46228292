import { rateWords } from '@bench-cli/stats';
import { apartFrom, manyTimes, NONE, percent, rateText } from '../../figure-text.ts';
import type { Payload, PayloadBenchmark, PayloadRow, ResultWord } from './payload-format.ts';

const { failed, lower, higher, undecided, same } = rateWords;

/** In the order of the table and of the counts above it. */
export const VERDICTS: readonly ResultWord[] = [failed, lower, higher, undecided, 'not run', same];

/** A subject with its index; 0 is the baseline. */
export interface EntrySubject {
  readonly index: number;
  readonly name: string;
}

export interface Entry extends Omit<PayloadRow, 'benchmark' | 'subject'> {
  readonly id: number;
  readonly benchmark: PayloadBenchmark;
  readonly subject: EntrySubject;
  /** The text for the search, in lower case. */
  readonly text: string;
  readonly start: number;
}

/** The values of a case under one subject, in the order of the runs: rates, or times of a whole command. */
export interface EntrySample {
  readonly subject: EntrySubject;
  readonly values: Float64Array;
  /** The mean of the table, so that both agree; null without a run. */
  readonly mean: number | null;
  readonly unit: 'operations per second' | 'milliseconds';
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

export function sampleReader({ rates, subjects }: Payload) {
  let decoded: Float32Array | undefined;
  return (entries: readonly Entry[]): readonly EntrySample[] => {
    decoded ??= new Float32Array(Uint8Array.from(atob(rates), (unit) => unit.charCodeAt(0)).buffer);
    const all = decoded;
    return entries.flatMap(({ subject, unit, isCommand, start, nOld, nNew, oldMean, newMean }, at) => {
      const shown = (rate: number) => (isCommand ? 1000 / rate : rate);
      const sample = (of: EntrySubject, mean: number | null, from: number, to: number): EntrySample => ({
        subject: of,
        values: Float64Array.from(all.subarray(from, to), (share) => shown(share * unit)),
        mean: mean && shown(mean),
        unit: isCommand ? 'milliseconds' : 'operations per second',
      });
      const compared = sample(subject, newMean, start + nOld, start + nOld + nNew);
      if (at > 0) return compared;
      return [sample({ index: 0, name: subjects[0] ?? '' }, oldMean, start, start + nOld), compared];
    });
  };
}

export function verdictClass(verdict: ResultWord): string {
  return verdict.replaceAll(' ', '-');
}

/** A change in per cent with its sign: `+5.1 %`. */
export function signedChange(fraction: number | null, decimals = 1): string {
  return fraction === null
    ? NONE
    : (manyTimes(fraction + 1) ?? `${signed(fraction, percent(Math.abs(fraction), decimals))} %`);
}

/** `+4.2 to +6.0 %`; empty without an interval. */
export function intervalText({ low, high }: Pick<Entry, 'low' | 'high'>, decimals = 1): string {
  if (low === null || high === null) return '';
  const most = manyTimes(high + 1);
  if (most !== undefined) return `${signedChange(low, decimals)} to ${most}`;
  const [from, to] = [low, high].map((end) => signed(end, apartFrom(0, Math.abs(end) * 100, decimals)));
  return `${from} to ${to} %`;
}

function signed(fraction: number, text: string): string {
  return Number(text) === 0 ? text : `${fraction < 0 ? '−' : '+'}${text}`;
}

export function cellText(mean: number | null, { isCommand, verdict }: Entry): string {
  if (mean === null) return verdict === 'failed' ? 'failed' : 'not run';
  return isCommand ? valueText(1000 / mean, 'milliseconds') : valueText(mean, 'operations per second');
}

export function valueText(value: number, unit: EntrySample['unit']): string {
  return unit === 'milliseconds' ? `${value.toFixed(1)}\u00a0ms` : rateText(value, 4);
}

/** How often words occur: `2 slower, 5 faster`. */
export function countsOf(words: readonly string[], all: readonly string[]): string {
  return words
    .map((word) => ({ word, count: all.filter((each) => each === word).length }))
    .filter(({ count }) => count > 0)
    .map(({ word, count }) => `${count} ${word}`)
    .join(', ');
}

/** `2 slower, 5 faster of 20`. */
export function countsText(entries: readonly Entry[]): string {
  const verdicts = entries.map(({ verdict }) => verdict);
  const counts = countsOf([failed, lower, higher], verdicts);
  return counts === '' ? `0 of ${entries.length} ${lower} or ${higher}` : `${counts} of ${entries.length}`;
}

export const TIE_TEXT =
  'Subjects of a case with the same letter are tied: no difference between them is clear.';
