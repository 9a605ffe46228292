import { z } from 'zod';

/** How long a session goes on that ends when it knows enough. */
export const adaptiveRunsSchema = z.object({
  /** The most runs of each configuration under each subject. */
  maxRuns: z.int().positive(),
  /** The difference of rates, a fraction, up to which nobody cares. */
  margin: z.number().positive(),
  /** The share of false verdicts that is accepted. */
  errorRate: z.number().positive(),
  /** Milliseconds that all runs together may take; no new pair begins after that. */
  budgetMs: z.number().positive().optional(),
});

export type AdaptiveRuns = z.infer<typeof adaptiveRunsSchema>;

/** The same, as a user says it. Defaults: 36 runs at most, a margin of 2 %, an error rate of 5 %, no budget. */
export type AdaptiveOptions = { readonly [Key in keyof AdaptiveRuns]?: AdaptiveRuns[Key] | undefined };
