import { percent } from '@bench-cli/report';
import { caseKey, counted } from '@bench-cli/results';
import type { SucceededRun } from '@bench-cli/results/recording';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import { logHalfWidth, medianOf, varianceOf } from '@bench-cli/stats/internal';
import { calledCommand } from '../analysis/recording-text.ts';

/** More runs than this many times those of the session are no advice. */
const mostTimes = 10;

/** The next number of runs is at least this many times that of the session. */
const leastTimes = 1.5;

/** An extension needs about so many times the runs of a session that was planned with them, because its share of the error rate is small. */
const extensionPrice = 1.6;

/**
 * How noisy the undecided comparisons of a session are, and the cheapest step that is expected to decide most of them. Undefined
 * without an undecided comparison that has an interval.
 *
 * Method: the half width of an interval of a log ratio falls with the square root of the number of runs. A comparison is decided once it is
 * smaller than the estimate, or than what separates the estimate from the margin.
 * @param runs of the session, which tell how long further ones take
 * @param recordPath its file, which an adaptive session goes on from
 * @param budgetMs the time limit that has ended it, milliseconds
 */
export function undecidedAdvice(
  list: ComparisonList,
  runs: readonly Pick<SucceededRun, 'benchmark' | 'configuration' | 'durationMs'>[],
  recordPath: string,
  budgetMs: number | undefined,
): string | undefined {
  if (budgetMs !== undefined) return limitedAdvice(list, recordPath, budgetMs);
  const open = list.comparisons.flatMap((of) =>
    of.verdict === 'undecided' ? (opennessOf(of, list) ?? []) : [],
  );
  if (open.length === 0) return undefined;
  const noise = percent(Math.expm1(medianOf(open.map((each) => each.noise))), 1);
  const least = percent(Math.expm1(medianOf(open.map((each) => each.half))), 1);
  const found = `${counted(open.length, 'undecided comparison')}: pairs of runs vary by ${noise} %, so the session finds differences from ${least} % (medians)`;
  const price = list.kind === 'sequential' ? extensionPrice : 1;
  const times = Math.max(leastTimes, price * medianOf(open.map((each) => each.times)));
  if (times > mostTimes) return `${found}; bench-cli machine shows what disturbs`;
  const now = Math.max(...open.map((each) => each.runs), list.kind === 'sequential' ? list.maxRuns : 0);
  const next = Math.ceil((now * times) / 10) * 10;
  const byCase = Map.groupBy(runs, caseKey);
  const furtherMs = open.reduce((sum, { key, runs: done }) => {
    const ofCase = byCase.get(key) ?? [];
    const totalMs = ofCase.reduce((total, { durationMs }) => total + durationMs, 0);
    return sum + (totalMs / done) * (next - done);
  }, 0);
  const duration = `about ${durationText(furtherMs)} more`;
  if (list.kind !== 'sequential') return `${found}; next: --runs ${next}, ${duration}`;
  const command = calledCommand(['compare', '--resume', recordPath, '--max-runs', String(next)]);
  return `${found}; to continue, at most ${duration}: ${command}`;
}

/** Of a session that had too little time. How many runs are needed is not known yet, so the next step is twice the time. */
function limitedAdvice(list: ComparisonList, recordPath: string, budgetMs: number): string | undefined {
  if (!list.comparisons.some(({ verdict }) => verdict === 'undecided')) return undefined;
  const budget = durationText(2 * budgetMs)
    .replace(' ', '')
    .replace('min', 'm');
  const command = calledCommand(['compare', '--resume', recordPath, '--budget', budget]);
  return `the time was up before all comparisons were decided; to continue for as long again: ${command}`;
}

/** What keeps a comparison undecided; undefined without an interval. */
function opennessOf({ key, judgement }: Comparison, list: ComparisonList) {
  const { ratio, samples } = judgement;
  const half = logHalfWidth(judgement);
  if (ratio === null || half === null) return undefined;
  const effect = Math.abs(Math.log(ratio.ratio));
  const room = list.kind === 'sequential' ? Math.log1p(list.margin) - effect : 0;
  const logs = samples.flatMap(({ old, new: new_ }) =>
    Array.from(old, (rate, at) => Math.log((new_[at] ?? Number.NaN) / rate)).filter(Number.isFinite),
  );
  return {
    key,
    half,
    times: (half / Math.max(effect, room)) ** 2,
    noise: Math.sqrt(varianceOf(logs)),
    runs: Math.max(1, logs.length),
  };
}

/** `40 s`, or `6 min`. */
function durationText(durationMs: number): string {
  return durationMs < 90_000 ? `${Math.ceil(durationMs / 1000)} s` : `${Math.round(durationMs / 60_000)} min`;
}
