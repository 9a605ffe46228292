import { z } from 'zod';
import type { Configuration } from '../configuration.ts';
import { type ReportFormat, readJson } from './report-format.ts';

const text = z.string();

const runSchema = z.object({
  // The mean of all samples, nanoseconds per operation.
  stats: z.object({ avg: z.number() }).optional(),
  error: z.object({ message: text }).optional().catch(undefined),
});

const reportSchema = z.object({
  layout: z.array(z.object({ name: text.nullable().catch(null) })),
  benchmarks: z.array(
    z.object({
      alias: text,
      group: z.int(),
      args: z.record(text, z.array(z.unknown())),
      runs: z.array(runSchema),
    }),
  ),
});

/** What `run({ format: 'json' })` prints. It does not name the file. */
export const mitata: ReportFormat = {
  tool: 'mitata',
  start: /^\{\s*"layout":/,
  read: (report, place) => {
    const { layout, benchmarks } = readJson(reportSchema, report, place);
    return benchmarks.flatMap(({ alias, group, args, runs }) =>
      runs.map(({ stats, error }, at) => ({
        file: mitata.tool,
        namePath: [layout[group]?.name ?? [], alias].flat(),
        configuration: configurationOf(args, at),
        result: stats === undefined ? (error?.message ?? 'failed') : 1e9 / stats.avg,
      })),
    );
  },
};

/**
 * The arguments of a run, by its place: the first argument varies fastest. One without a short text is named by its place, as where bench-cli
 * runs the file.
 */
function configurationOf(args: Readonly<Record<string, readonly unknown[]>>, run: number): Configuration {
  let rest = run;
  return Object.fromEntries(
    Object.entries(args).map(([name, values]) => {
      const at = rest % values.length;
      rest = Math.floor(rest / values.length);
      const value = values[at];
      if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean')
        return [name, value];
      return [name, value === null ? 'null' : `#${at + 1}`];
    }),
  );
}
