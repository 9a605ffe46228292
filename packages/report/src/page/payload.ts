import { endianness } from 'node:os';
import { comparisonKey, shownArguments, shownIn } from '@bench-cli/results';
import { type Comparison, type JudgedResults, rateWords } from '@bench-cli/stats';
import { ASSUMPTION_MESSAGES } from '@bench-cli/stats/internal';
import { caseLabels, hasSeveral, tieLetters } from '../comparison-name.ts';
import { methodNames } from '../method-text.ts';
import { hasRun, NOT_RUN, undecidedReason } from '../reason-text.ts';
import type { Payload, PayloadRow } from './browser/payload-format.ts';

export interface PayloadSource extends JudgedResults {
  /** The command that measures one comparison again. Default: the page has none. */
  readonly commandFor?: (comparison: Comparison) => string | undefined;
}

export function payloadOf(source: PayloadSource): Payload {
  const { names, pairs, list, commandFor } = source;
  const { comparisons } = list;
  const benchmarks = [...Map.groupBy(comparisons, ({ benchmark }) => benchmark)].map(([name, members]) => ({
    name,
    ...caseLabels(members),
  }));
  const benchmarkAt = new Map(benchmarks.map(({ name }, at) => [name, at]));
  const caseAt = new Map([...new Set(comparisons.map(({ key }) => key))].map((key, at) => [key, at]));
  const subjectAt = new Map([...names.keys()].map((name, at) => [name, at]));
  const pairByKey = new Map(pairs.map((pair) => [comparisonKey(pair), pair]));
  const unitOf = (comparison: Comparison) => comparison.old?.max || comparison.new?.max || 1;
  const ratesOf = (comparison: Comparison) =>
    pairByKey.get(comparisonKey(comparison)) ?? { old: [], new: [] };
  const rows = comparisons.map((comparison): PayloadRow => {
    const { ratio, leastChange, p, baseline, subject, failed } = comparison;
    const ties = list.ties[comparison.key] ?? [];
    const at = benchmarkAt.get(comparison.benchmark) ?? 0;
    const { shared = {}, labelOf = (it: Comparison) => it.text } = benchmarks[at] ?? {};
    const rates = ratesOf(comparison);
    return {
      case: caseAt.get(comparison.key) ?? 0,
      benchmark: at,
      subject: subjectAt.get(subject) ?? 1,
      label: labelOf(comparison),
      parameters: Object.fromEntries(
        Object.entries(comparison.configuration)
          .filter(([name]) => !Object.hasOwn(shared, name))
          .map(([name, value]) => [
            shownIn('name', name),
            typeof value === 'string' ? shownIn('name', value) : value,
          ]),
      ),
      verdict: hasRun(comparison) ? rateWords[comparison.verdict] : NOT_RUN,
      reason: hasRun(comparison) ? undecidedReason(comparison) : undefined,
      change: rounded(ratio && ratio.ratio - 1),
      least: rounded(leastChange ?? 0),
      low: rounded(ratio && ratio.low - 1),
      high: rounded(ratio && ratio.high - 1),
      p: rounded(p),
      ...(hasSeveral(list) && { letters: [tieLetters(baseline, ties), tieLetters(subject, ties)] }),
      oldMean: rounded(comparison.old?.mean ?? null),
      newMean: rounded(comparison.new?.mean ?? null),
      ...(comparison.isCommand && { isCommand: true }),
      unit: unitOf(comparison),
      nOld: rates.old.length,
      nNew: rates.new.length,
      ...(failed && { failed: [failed.old, failed.new] }),
      warnings: warningsOf(comparison, source),
      command: commandFor?.(comparison),
    };
  });
  const shares = comparisons.flatMap((comparison) => {
    const unit = unitOf(comparison);
    const { old, new: new_ } = ratesOf(comparison);
    return [old, new_].flatMap((rates) => Array.from(rates, (rate) => rate / unit));
  });
  return {
    subjects: [...names.values()],
    benchmarks: benchmarks.map(({ name, shared }) => ({
      name: shownIn('name', name),
      shared: shownArguments(shared),
    })),
    rows,
    test: methodNames(list).test,
    rates: encoded(shares),
  };
}

/** Each warning with its subject. With two subjects, a warning without a subject is about both. */
function warningsOf(comparison: Comparison, { names, list }: PayloadSource): string[] {
  const { baseline, subject, warnings, assumptions } = comparison;
  const sides = { old: names.get(baseline) ?? baseline, new: names.get(subject) ?? subject };
  const both = hasSeveral(list) ? `${sides.new}: ` : '';
  return [
    ...warnings.map((warning) =>
      'subject' in warning ? `${sides[warning.subject]}: ${warning.message}` : `${both}${warning.message}`,
    ),
    ...assumptions.map((failure) => `${sides[failure.subject]}: ${ASSUMPTION_MESSAGES[failure.kind]}`),
  ];
}

/** Rounds to a few more digits than the page shows, for sorting. */
function rounded(figure: number | null): number | null {
  return figure === null ? null : Number(figure.toPrecision(6));
}

function encoded(figures: readonly number[]): string {
  const bytes = Buffer.from(Float32Array.from(figures).buffer);
  return (endianness() === 'LE' ? bytes : bytes.swap32()).toString('base64');
}
