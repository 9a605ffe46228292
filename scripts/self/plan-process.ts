import { createRequest, runSession, schedule } from '@bench-cli/runner';

/** Plans the suite that its argument names, iterates over the whole schedule, and prints the time and memory used. */
const [suite] = process.argv.slice(2);
const startedAtMs = performance.now();
const { request } = await createRequest('run', { node: {} }, { items: ['all'], suite, runs: 30 });
for await (const event of runSession(request)) {
  if (event.type !== 'planned') continue;
  const plannedMs = performance.now();
  const configurations = event.benchmarks.reduce((sum, benchmark) => sum + benchmark.configurations, 0);
  const list = Array.from({ length: configurations }, (_, i) => ({ i }));
  let runs = 0;
  for (const _ of schedule({ name: '', configurations: list }, ['old', 'new'], 30, 1)) runs++;
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
