import { drawnOrder } from '@bench-cli/results/recording';
import { createRequest, runSession, scheduleRound } from '@bench-cli/runner';

/** Plans the suite that its argument names, iterates over the whole schedule, and prints the time and memory used. */
const [suite] = process.argv.slice(2);
const startedAtMs = performance.now();
const { request } = await createRequest('run', { node: {} }, { items: ['all'], suite, runs: 30 });
for await (const event of runSession(request)) {
  if (event.type !== 'planned') continue;
  const plannedMs = performance.now();
  const configurations = event.benchmarks.reduce((sum, benchmark) => sum + benchmark.configurations, 0);
  const cases = Array.from({ length: configurations }, (_, i) => ({ benchmark: '', configuration: { i } }));
  let runs = 0;
  for (let round = 0; round < 30; round++) {
    for (const each of drawnOrder(cases, 1, () => round))
      runs += scheduleRound(each, ['old', 'new'], round, 1).length;
  }
  const seconds = (performance.now() - startedAtMs) / 1000;
  console.log(
    JSON.stringify({
      configurations,
      runs,
      seconds,
      planMs: plannedMs - startedAtMs,
      peakMiB: process.resourceUsage().maxRSS / 1024,
    }),
  );
  break;
}
