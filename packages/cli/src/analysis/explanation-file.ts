import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Explanation, FlameFrame } from '@bench-cli/report';
import { UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';

/** The directory for the profiles of a results file. */
export function profileDirectory(file: string): string {
  return `${file.replace(/\.jsonl$/, '')}.profiles`;
}

/** The file with what the profiles of a directory show. */
export function explanationFile(directory: string): string {
  return join(directory, 'explanation.json');
}

const amounts = { old: z.number(), new: z.number() };
const interval = { low: z.number(), high: z.number(), adjustedP: z.number() };
const part = z.object({ part: z.string(), ...amounts, difference: z.number(), ...interval });

const frame: z.ZodType<FlameFrame> = z.object({
  name: z.string(),
  ...amounts,
  get calls() {
    return z.array(frame);
  },
});

export const explanationsSchema = z.array(
  z.object({
    name: z.string(),
    old: z.string(),
    new: z.string(),
    profiles: z.number(),
    time: z.array(part),
    memory: z.array(part),
    notes: z.array(z.string()),
    flame: frame,
  }),
);

/**
 * The result of `explain`, if it has been run.
 * @param given the directory that the user named; default: that of the results file, which need not exist
 * @throws UsageError if the named directory has no such file, or if it is damaged
 */
export function readExplanations(file: string, given: string | undefined): readonly Explanation[] {
  const directory = given ?? (file === '-' ? undefined : profileDirectory(file));
  if (directory === undefined) return [];
  const path = explanationFile(directory);
  if (!existsSync(path)) {
    if (given === undefined) return [];
    throw new UsageError(
      'ERR_BENCH_EXPLAIN',
      `--profiles ${given}: ${path} does not exist; create it with bench-cli explain`,
    );
  }
  try {
    return explanationsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    throw new UsageError(
      'ERR_BENCH_EXPLAIN',
      `${path} is damaged: ${error instanceof Error ? error.message : String(error)}; create it again with bench-cli explain`,
    );
  }
}
