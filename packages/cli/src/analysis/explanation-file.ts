import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Explanation } from '@bench-cli/report';
import { calledCommand, UsageError } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';

export function profileDirectory(file: string): string {
  return `${file.replace(/\.jsonl$/, '')}.profiles`;
}

export function explanationFile(directory: string): string {
  return join(directory, 'explanation.json');
}

const part = z.object({
  part: z.string(),
  old: z.number(),
  new: z.number(),
  difference: z.number(),
  low: z.number(),
  high: z.number(),
  adjustedP: z.number(),
});

export const explanationsSchema = z.array(
  z.object({
    name: z.string(),
    old: z.string(),
    new: z.string(),
    profiles: z.number(),
    time: z.array(part),
    notes: z.array(z.string()),
  }),
);

/** The result of `explain` for a results file, if it has been run. @throws UsageError if it is damaged */
export function readExplanations(file: string): readonly Explanation[] {
  if (file === '-') return [];
  const path = explanationFile(profileDirectory(file));
  if (!existsSync(path)) return [];
  try {
    return explanationsSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const problem = `${path} is damaged: ${error instanceof Error ? error.message : String(error)}; create it again with ${calledCommand(['explain'])}`;
    throw new UsageError('ERR_BENCH_EXPLAIN', problem);
  }
}
