import { rateWords } from '@bench-cli/stats';
import { amountWords } from '@bench-cli/stats/internal';
import { z } from 'zod';

/**
 * The output of `analyze --format json`. Rates are operations per second, improvements and accuracies fractions of
 * the old mean; null stands for a figure that does not exist. Each comparison has the figures of its method. A later version
 * may have more fields; `format` increases when one changes or is removed. The ids name the definitions of the JSON Schema.
 */

const subject = z.enum(['old', 'new']);

const sample = z
  .object({
    n: z.int().positive(),
    mean: z.number(),
    variance: z.number().nullable(),
    min: z.number(),
    max: z.number(),
    median: z.number(),
  })
  .meta({ id: 'Sample' });

const tTest = { t: z.number(), df: z.number(), p: z.number().describe('two-sided') };

const test = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('welch'),
      ...tTest,
      standardError: z.number().describe('of the difference of the means, in the unit of the means'),
    }),
    z.object({
      kind: z
        .literal('stratified')
        .describe('within each of several machines, their differences then averaged'),
      ...tTest,
      standardError: z.number().describe('of the improvement, a fraction of the old mean'),
    }),
    z.object({ kind: z.literal('constant'), p: z.union([z.literal(0), z.literal(1)]) }),
    z.object({ kind: z.literal('none') }),
  ])
  .meta({ id: 'Test' });

const assumption = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('few-runs'), subject, n: z.int() }),
    z.object({ kind: z.literal('outliers'), subject, count: z.int() }),
    z.object({ kind: z.literal('two-modes'), subject, lowMean: z.number(), highMean: z.number() }),
    z.object({ kind: z.literal('trend'), subject, tau: z.number(), p: z.number() }),
  ])
  .meta({ id: 'Assumption' });

const warningKind = z
  .enum([
    'missing-subject',
    'too-few-runs',
    'constant-rates',
    'zero-mean',
    'machine-left-out',
    'machines-disagree',
    'few-runs',
    'outliers',
    'two-modes',
    'trend',
  ])
  .meta({ id: 'WarningKind' });

const interval = {
  ratio: z.number().describe('new / old: 1.05 is 5 % more'),
  low: z.number(),
  high: z.number(),
};

const namedCase = {
  benchmark: z.string(),
  configuration: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .meta({ id: 'Configuration', description: 'the value of each parameter' }),
  text: z.string().describe('the configuration as tables show it'),
};

const startUp = z
  .discriminatedUnion('label', [
    z.object({
      label: z
        .enum(['start-up', 'final speed', 'mixed', 'opposite', 'undecided'])
        .describe(
          'what the difference is in; opposite: start-up and later operations differ in opposite directions',
        ),
      share: z.number().nullable().describe('of start-up in the difference, a fraction'),
      old: z.number().describe('share of start-up in the CPU time of a run'),
      new: z.number(),
      cpuRatio: z.number().describe('CPU time of a run of the old subject divided by that of the new one'),
      later: z.object({
        ratio: z
          .object(interval)
          .nullable()
          .describe('of the rates of later operations, with its 95 % interval'),
        adjustedP: z.number().nullable(),
        survives: z.boolean().describe('whether later operations differ: adjustedP is below 0.05'),
      }),
    }),
    z.object({ label: z.literal('unknown'), reason: z.string() }),
  ])
  .meta({ id: 'StartUp' });

/** The figures of every method. */
const judged = {
  ...namedCase,
  baseline: z.string().optional().describe('the name of the old subject; only for more than two subjects'),
  subject: z.string().optional().describe('the name of the new subject; only for more than two subjects'),
  ties: z
    .array(z.array(z.string()).readonly())
    .readonly()
    .optional()
    .describe(
      'the largest groups of subjects of the case in which no two can be told apart after the correction; only for more than two subjects',
    ),
  old: sample.nullable(),
  new: sample.nullable(),
  improvement: z.number().nullable().describe('the change, a fraction of the old mean'),
  leastChange: z
    .number()
    .nullable()
    .describe(
      'the least that a difference amounts to, a fraction of the old mean; null without a difference',
    ),
  adjustedP: z.number().nullable().describe('p after the correction for all comparisons'),
  startUp: startUp
    .optional()
    .describe('how much of the difference is start-up; absent if it was not measured'),
  assumptions: z.array(assumption).readonly(),
  warnings: z
    .array(
      z
        .object({ kind: warningKind, subject: subject.optional(), message: z.string() })
        .meta({ id: 'Warning' }),
    )
    .readonly(),
};

/** The further figures of tests of a fixed number of runs. */
const tested = {
  ...judged,
  ratio: z
    .object(interval)
    .meta({ id: 'Ratio' })
    .nullable()
    .describe('with the interval that `methods` names'),
  p: z.number().nullable().describe('two-sided'),
  test,
  stars: z.enum(['', '*', '**', '***']),
  accuracy: z
    .object({ p05: z.number(), p01: z.number(), p001: z.number() })
    .meta({ id: 'Accuracy' })
    .nullable()
    .describe('half-widths of the interval of the improvement at 5, 1 and 0.1 % risk'),
  effectSize: z.number().nullable().describe("Hedges' g"),
  rankTest: z
    .object({
      w: z.number(),
      p: z.number(),
      superiority: z.number().describe('probability that a new run has a higher value than an old one'),
      method: z.enum(['exact', 'normal', 'van Elteren']),
    })
    .meta({ id: 'RankTest' })
    .nullable()
    .describe('the rank test that `methods` names'),
};

const rateVerdict = {
  verdict: z
    .enum(rateWords)
    .describe('faster and slower survive the correction for the number of comparisons'),
};

const amountVerdict = {
  verdict: z
    .enum(amountWords)
    .describe('more and less survive the correction for the comparisons of all metrics'),
};

const fixed = z.object({ method: z.literal('fixed'), ...tested });

const stratified = z.object({
  method: z.literal('stratified').describe('measured on several machines, compared within each'),
  ...tested,
  machines: z
    .array(
      z.object({
        old: sample.nullable(),
        new: sample.nullable(),
        weight: z.number().describe('share in the figures of all machines; 0 where it is left out'),
      }),
    )
    .readonly()
    .describe('what each machine says; old and new are of all runs together'),
});

const amountComparison = z.discriminatedUnion('method', [
  fixed.extend(amountVerdict).meta({ id: 'FixedAmountComparison' }),
  stratified.extend(amountVerdict).meta({ id: 'StratifiedAmountComparison' }),
]);

const comparison = z.discriminatedUnion('method', [
  fixed.extend(rateVerdict).meta({ id: 'FixedComparison' }),
  stratified.extend(rateVerdict).meta({ id: 'StratifiedComparison' }),
  z
    .object({
      method: z.literal('sequential').describe('runs ended by what they showed'),
      ...judged,
      ...rateVerdict,
      stopped: z
        .enum(['difference', 'equivalence', 'futility', 'limit', 'zero rate'])
        .nullable()
        .describe('why there are no more runs; null where the session was interrupted or runs failed'),
      runs: z.int().describe('pairs of runs'),
      means: z
        .object({ old: z.number(), new: z.number() })
        .nullable()
        .describe(
          'geometric means of the rates of the pairs that the ratio is made of; old and new are of all runs',
        ),
      ratio: z
        .object({ ...interval, confidence: z.number().describe('of the interval') })
        .nullable()
        .describe('of geometric means; the interval holds at whichever run it stopped'),
      p: z.number().describe('two-sided; holds at whichever run it stopped'),
    })
    .meta({ id: 'SequentialComparison' }),
]);

const discoveries = z.object({
  tested: z.int().describe('listed comparisons with a test'),
  corrected: z
    .int()
    .describe('the number for which p-values are corrected; more than are listed if some are left out'),
  found: z.int().describe('p below the level'),
  survive: z
    .int()
    .describe(
      "differences that survive the correction: the adjusted p is below 0.05, or for adaptive runs the verdict, which always has Benjamini and Hochberg's correction, is faster or slower",
    ),
});

export const comparisonSchema = z.object({
  format: z.literal(2),
  oldName: z.string().optional().describe('the display name of the old subject; only for two subjects'),
  newName: z.string().optional().describe('the display name of the new subject; only for two subjects'),
  subjects: z
    .array(z.object({ name: z.string(), displayName: z.string() }))
    .readonly()
    .optional()
    .describe('all subjects, the baseline first; only for more than two subjects'),
  summary: z.string(),
  methods: z
    .record(
      z.string(),
      z.object({
        name: z.string(),
        test: z.string(),
        rates: z.string().optional(),
        interval: z.string(),
        rankTest: z.string().optional(),
        source: z.string(),
      }),
    )
    .describe('what each method of the comparisons calls its figures'),
  comparisons: z.array(comparison).readonly(),
  newCases: z
    .array(z.object({ ...namedCase, subject: z.string().optional(), sample }))
    .readonly()
    .optional()
    .describe('configurations that the baseline does not have, which are not compared'),
  metrics: z
    .array(
      z.object({
        name: z.string(),
        title: z.string(),
        unit: z.enum(['B', 'ns', '']).describe('of the means'),
        better: z.enum(['less', 'more']),
        negligible: z.number().describe('a gate accepts a difference up to this, in the unit'),
        discoveries: discoveries.describe(
          'of this metric; p-values are corrected for the comparisons of all metrics',
        ),
        comparisons: z.array(amountComparison).readonly(),
      }),
    )
    .readonly()
    .optional()
    .describe(
      'metrics beside the rate: latencies (p50, p90, p99, p99.9) of the runs of the rate, all others in runs of their own; the guarantee of the correction holds for all metrics together, and does not include the rates',
    ),
  falsePositives: z
    .object({ p05: z.number(), p01: z.number(), p001: z.number() })
    .optional()
    .describe(
      'how many comparisons chance alone makes look different, at each risk; for a fixed number of runs',
    ),
  errorRate: z
    .number()
    .optional()
    .describe('the share of false verdicts that was accepted; for adaptive runs'),
  margin: z
    .number()
    .optional()
    .describe('the smallest difference that matters, a fraction; for adaptive runs'),
  correction: z
    .enum(['benjamini-hochberg', 'holm'])
    .describe('how p-values are corrected for the number of comparisons'),
  discoveries,
  warnings: z
    .array(z.object({ kind: warningKind, names: z.array(z.string()).readonly(), message: z.string() }))
    .readonly(),
});

/** The type of a document. */
export type AcceptedDocument = z.infer<typeof comparisonSchema>;

/** Its JSON Schema (draft 2020-12), which is published as `schema/comparison.schema.json`. */
export function comparisonJsonSchema(): string {
  const schema = z.toJSONSchema(comparisonSchema, { target: 'draft-2020-12', io: 'input' });
  return `${JSON.stringify({ title: 'bench-cli analyze --format json', ...schema }, undefined, 2)}\n`;
}
