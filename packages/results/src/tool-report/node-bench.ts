import { z } from 'zod';
import { configurationSchema } from '../recording/schema.ts';
import { invalidReport, type ReportFormat, readJson } from './report-format.ts';

const text = z.string();

/** The fields of all kinds of events, as far as they are needed. */
const eventSchema = z.object({
  type: text,
  data: z.object({
    entryFile: text.nullish(),
    file: text.nullish(),
    namePath: z.array(text).default([]),
    params: configurationSchema.default({}),
    summary: z.object({ mean: z.number() }).optional(),
    skip: z.union([text, z.boolean()]).optional(),
    error: z.object({ message: text }).optional().catch(undefined),
    level: text.optional(),
    message: text.optional(),
  }),
});

/** The events of `node --bench --bench-reporter=json`, one per line. The last one is the summary. */
export const nodeBench: ReportFormat = {
  tool: 'node:bench',
  start: /^\{"type":"bench:/,
  read: (report, place) => {
    const lines = report.trimEnd().split('\n');
    const events = lines.map((line, at) => readJson(eventSchema, line, `${place}:${at + 1}`));
    if (events.at(-1)?.type !== 'bench:summary')
      throw invalidReport(place, 'the last event is not bench:summary');
    return events.flatMap(({ type, data: { entryFile, file, namePath, params, ...data } }) => {
      const named = { file: entryFile ?? file ?? nodeBench.tool, namePath, configuration: params };
      const { summary, skip, error, level, message = 'failed' } = data;
      // A file that could not be loaded, or whose hook threw.
      if (type === 'bench:diagnostic' && level === 'error') return { ...named, result: message };
      if (type !== 'bench:complete') return [];
      const reason = skip === undefined ? (error?.message ?? 'failed') : 'skipped';
      return { ...named, result: summary?.mean ?? reason };
    });
  },
};
