import { z } from 'zod';

/**
 * What `analyze compare --format json` prints. Rates are operations per second, improvements and accuracies fractions
 * of the old mean; null stands for a figure that does not exist. A later version may have more fields; `format` grows
 * when one changes or goes.
 */

const subject = z.enum(['old', 'new']);

const sample = z.object({
  n: z.int().positive(),
  mean: z.number(),
  variance: z.number().nullable(),
  min: z.number(),
  max: z.number(),
  median: z.number(),
});

const test = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('welch'),
    t: z.number(),
    df: z.number(),
    p: z.number().describe('two-sided'),
    standardError: z.number().describe('of the difference of the means, operations per second'),
  }),
  z.object({
    kind: z
      .literal('stratified')
      .describe('within each of several machines, their differences then averaged'),
    t: z.number(),
    df: z.number(),
    p: z.number().describe('two-sided'),
    standardError: z.number().describe('of the improvement, a fraction of the old mean'),
  }),
  z.object({ kind: z.literal('constant'), p: z.union([z.literal(0), z.literal(1)]) }),
  z.object({ kind: z.literal('none') }),
]);

const assumption = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('few-runs'), subject, n: z.int() }),
  z.object({ kind: z.literal('outliers'), subject, count: z.int() }),
  z.object({ kind: z.literal('two-modes'), subject, lowMean: z.number(), highMean: z.number() }),
  z.object({ kind: z.literal('trend'), subject, tau: z.number(), p: z.number() }),
]);

const warningKind = z.enum([
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
]);

const comparison = z.object({
  benchmark: z.string(),
  configuration: z.string(),
  old: sample.nullable(),
  new: sample.nullable(),
  improvement: z
    .number()
    .nullable()
    .describe('(new mean - old mean) / old mean; over several machines the mean of theirs'),
  test,
  stars: z.enum(['', '*', '**', '***']),
  accuracy: z
    .object({ p05: z.number(), p01: z.number(), p001: z.number() })
    .nullable()
    .describe('half-widths of the interval of the improvement at 5, 1 and 0.1 % risk'),
  verdict: z.enum(['faster', 'slower', 'no difference', 'undecided']),
  ratio: z
    .object({ ratio: z.number(), low: z.number(), high: z.number() })
    .nullable()
    .describe('new mean / old mean with its 95 % interval (Fieller)'),
  effectSize: z.number().nullable().describe("Hedges' g"),
  rankTest: z
    .object({
      w: z.number(),
      p: z.number(),
      superiority: z.number().describe('probability that a new run is faster than an old one'),
      method: z.enum(['exact', 'normal', 'van Elteren']),
    })
    .nullable()
    .describe('Mann-Whitney; over several machines van Elteren'),
  adjustedP: z.number().nullable().describe("Welch's p after Benjamini and Hochberg's correction"),
  sequential: z
    .object({
      stopped: z.enum(['difference', 'equivalence', 'futility', 'limit', 'zero rate']).nullable(),
      verdict: z.enum(['faster', 'slower', 'no difference', 'undecided']),
      runs: z.int().describe('pairs of runs'),
      ratio: z.object({ ratio: z.number(), low: z.number(), high: z.number() }).nullable(),
      p: z.number().describe('holds at whichever run it stopped'),
      adjustedP: z.number(),
    })
    .nullable()
    .describe('what ended the runs of this configuration, where they ended by what they showed'),
  assumptions: z.array(assumption).readonly(),
  warnings: z
    .array(z.object({ kind: warningKind, subject: subject.optional(), message: z.string() }))
    .readonly(),
  machines: z
    .array(
      z.object({
        old: sample.nullable(),
        new: sample.nullable(),
        weight: z.number().describe('share in the figures of all machines; 0 where it is left out'),
      }),
    )
    .readonly()
    .optional()
    .describe('what each machine says, where several measured it; old and new are then of all runs together'),
});

export const comparisonSchema = z.object({
  format: z.literal(1),
  oldName: z.string(),
  newName: z.string(),
  summary: z.string(),
  comparisons: z.array(comparison).readonly(),
  falsePositives: z
    .object({ p05: z.number(), p01: z.number(), p001: z.number() })
    .describe('how many comparisons chance alone makes look different, at each risk'),
  discoveries: z.object({
    tested: z.int(),
    found: z.int().describe('p below 0.05'),
    survive: z.int().describe('adjusted p below 0.05'),
  }),
  errorRate: z
    .number()
    .nullable()
    .describe('the share of false verdicts that was accepted, where runs ended by what they showed'),
  warnings: z
    .array(z.object({ kind: warningKind, names: z.array(z.string()).readonly(), message: z.string() }))
    .readonly(),
});

export type ComparisonDocument = z.infer<typeof comparisonSchema>;

/** The JSON Schema of it (draft 2020-12), as it is published in `schema/comparison.schema.json`. */
export function comparisonJsonSchema(): string {
  const schema = z.toJSONSchema(comparisonSchema, { target: 'draft-2020-12', io: 'input' });
  return `${JSON.stringify({ title: 'bench-cli analyze compare --format json', ...schema }, undefined, 2)}\n`;
}
