import { percent } from '@bench-cli/report';
import { adaptiveRuns, calledCommand, caseKey, counted } from '@bench-cli/results';
import type { Recording, RunRecord, SessionRequest } from '@bench-cli/results/recording';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import { isWithheld, logHalfWidth, medianOf, varianceOf } from '@bench-cli/stats/internal';
import { repeatedCommand } from '../analysis/repeated-command.ts';

/** More runs than this many times those of the session are no advice. */
const mostTimes = 10;

/** The next number of runs is at least this many times that of the session. */
const leastTimes = 1.5;

/** An extension needs about so many times the runs of a session that was planned with them, because its share of the error rate is small. */
const extensionPrice = 1.6;

type Again = (runs: number | 'auto') => string;

/** The advice for a whole session: a shard has a part of the verdicts. */
export function sessionAdvice(
  list: ComparisonList,
  { ended, runs, looks, metricRuns, session: { request }, file = '' }: Recording,
): string | undefined {
  if (!ended || request.shard !== undefined) return undefined;
  const executed = [...runs, ...looks, ...metricRuns];
  const again: Again = (next) => repeatedCommand(request, next) ?? `the same comparison with --runs ${next}`;
  return undecidedAdvice(list, executed, request, file, again);
}

/**
 * How noisy the undecided comparisons of a session are, and the cheapest step that is expected to decide most of them. Undefined
 * without an undecided comparison that has an interval and that more runs can decide.
 *
 * Method: the half width of an interval of a log ratio falls with the square root of the number of runs. A comparison is decided once it is
 * smaller than the estimate, or than what separates the estimate from the margin.
 * @param executed all runs of the session, since each uses its time limit
 * @param recordPath its file, which an adaptive session goes on from
 * @param again the command that measures again with another number of runs
 */
export function undecidedAdvice(
  list: ComparisonList,
  executed: readonly Pick<RunRecord, 'benchmark' | 'configuration' | 'durationMs' | 'kind'>[],
  request: Pick<SessionRequest, 'runs' | 'metrics' | 'settings'>,
  recordPath: string,
  again: Again,
): string | undefined {
  const { comparisons } = list;
  const all = comparisons.filter(({ verdict }) => verdict === 'undecided');
  const undecided = all.filter(({ reason }) => !isWithheld(reason));
  if (undecided.length === 0) return undefined;
  const budgetMs = usedUpMs(request, executed);
  if (budgetMs !== undefined) return limitedAdvice(recordPath, budgetMs);
  const adaptive = list.kind === 'sequential' ? list : undefined;
  if (!adaptive && undecided.every(({ reason }) => reason === 'too-few-runs'))
    return `to measure until each verdict is clear: ${again('auto')}`;
  const open = undecided.flatMap((each) => opennessOf(each, adaptive?.margin) ?? []);
  if (open.length === 0) return undefined;
  const noise = percent(Math.expm1(medianOf(open.map((each) => each.noise))), 1);
  const least = percent(Math.expm1(medianOf(open.map((each) => each.half))), 1);
  const count = counted(all.length, 'undecided comparison');
  const which = open.length === all.length ? count : `${count}, of which more runs can decide ${open.length}`;
  const found = `${which}: pairs of runs vary by ${noise} %, so this session could have seen a change of ${least} % or more`;
  const times = Math.max(
    leastTimes,
    (adaptive ? extensionPrice : 1) * medianOf(open.map((each) => each.times)),
  );
  if (times > mostTimes) {
    // Commands measure no metrics.
    const isSteady = request.metrics !== undefined || comparisons.some(({ isCommand }) => isCommand);
    const steady = isSteady
      ? ''
      : ', and the same command with --metric alloc compares what noise hardly changes';
    return `${found}; bench-cli machine shows what disturbs${steady}`;
  }
  const now = Math.max(...open.map((each) => each.runs), adaptive?.maxRuns ?? 0);
  const next = Math.ceil((now * times) / 10) * 10;
  const measured = executed.filter(({ kind }) => kind === 'rate');
  const byCase = Map.groupBy(measured, caseKey);
  const neededMs = open.reduce((sum, { key, runs: done }) => {
    const perRunMs = sumOf(byCase.get(key) ?? []) / done;
    return sum + perRunMs * (adaptive ? next - done : next);
  }, 0);
  const duration = `about ${durationText(neededMs)}`;
  if (!adaptive) return `${found}; to decide most, ${duration}: ${again(next)}`;
  const command = calledCommand(['compare', '--resume', recordPath, '--max-runs', String(next)]);
  return `${found}; to continue, at most ${duration} more: ${command}`;
}

/** The time limit of a session that has used it up, milliseconds. */
function usedUpMs(
  { runs: rule, settings }: Pick<SessionRequest, 'runs' | 'settings'>,
  runs: readonly Pick<RunRecord, 'durationMs'>[],
): number | undefined {
  const budgetMs = adaptiveRuns(rule)?.budgetMs;
  const limitMs = (budgetMs ?? Number.POSITIVE_INFINITY) * (settings.jobs?.length ?? 1);
  return sumOf(runs) >= limitMs ? budgetMs : undefined;
}

function sumOf(runs: readonly Pick<RunRecord, 'durationMs'>[]): number {
  return runs.reduce((sum, { durationMs }) => sum + durationMs, 0);
}

/** Of a session that had too little time. How many runs are needed is not known yet, so the next step is twice the time. */
function limitedAdvice(recordPath: string, budgetMs: number): string {
  const budget = durationText(2 * budgetMs)
    .replace(' ', '')
    .replace('min', 'm');
  const command = calledCommand(['compare', '--resume', recordPath, '--budget', budget]);
  return `the time was up before all comparisons were decided; to continue for as long again: ${command}`;
}

/**
 * The noise that keeps a comparison undecided; undefined without an interval.
 * @param margin of adaptive runs, which can also show that there is no difference
 */
function opennessOf({ key, ratio, samples }: Comparison, margin: number | undefined) {
  const half = logHalfWidth(ratio);
  if (ratio === null || half === null) return undefined;
  const effect = Math.abs(Math.log(ratio.ratio));
  const room = margin === undefined ? 0 : Math.log1p(margin) - effect;
  const logs = Array.from(samples.old, (rate, at) => Math.log((samples.new[at] ?? Number.NaN) / rate)).filter(
    Number.isFinite,
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
