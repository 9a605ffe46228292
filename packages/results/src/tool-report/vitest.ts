import { z } from 'zod';
import { type ReportFormat, readJson } from './report-format.ts';

const text = z.string();

/** Milliseconds per operation. The mean of its reciprocal, `throughput.mean`, is higher than the rate of all operations. */
const latencySchema = z.object({ mean: z.number() });
const taskSchema = z.object({ name: text, latency: latencySchema, fromStore: z.boolean().optional() });

const reportSchema = z.object({
  testResults: z.array(
    z.object({
      name: text,
      message: text,
      assertionResults: z.array(
        z.object({
          ancestorTitles: z.array(text),
          title: text,
          failureMessages: z.array(text),
          // Missing before vitest 5.
          benchmarks: z.array(z.object({ tasks: z.array(taskSchema) })).default([]),
        }),
      ),
    }),
  ),
});

/** The file of `vitest bench --reporter=json`. The tasks of a benchmark belong to the test that runs them. */
export const vitest: ReportFormat = {
  tool: 'vitest',
  start: /^\{\s*"numTotalTestSuites":/,
  read: (report, place) =>
    readJson(reportSchema, report, place).testResults.flatMap(({ name: file, message, assertionResults }) => [
      ...(message === '' ? [] : [{ file, namePath: [], result: message }]),
      ...assertionResults.flatMap(({ ancestorTitles, title, failureMessages: [failure], benchmarks }) => {
        const test = [...ancestorTitles, title];
        const tasks = benchmarks.flatMap((benchmark) => benchmark.tasks);
        return [
          ...tasks.map(({ name, latency, fromStore }) => ({
            file,
            namePath: [...test, name],
            result: fromStore ? 'read from a stored result' : 1000 / latency.mean,
          })),
          ...(failure === undefined ? [] : [{ file, namePath: test, result: failure }]),
        ];
      }),
    ]),
};
