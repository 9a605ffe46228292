import { percent } from '@bench-cli/report';
import { adaptiveRuns, calledCommand, caseKey, counted, resumeCommand } from '@bench-cli/results';
import type { Recording, SessionRequest } from '@bench-cli/results/recording';
import type { Comparison, ComparisonList } from '@bench-cli/stats';
import { isWithheld, logHalfWidth, medianOf, sumOf, varianceOf } from '@bench-cli/stats/internal';
import { repeatedCommand } from '../analysis/repeated-command.ts';

/** The largest extension to advise, as a multiple of the runs so far. */
const mostTimes = 10;

/** The next number of runs is at least this many times that of the session. */
const leastTimes = 1.5;

/** An extension needs this many times the runs of a planned session, because its error rate is small. */
const extensionPrice = 1.6;

/**
 * How noisy the undecided comparisons of a session are, and the cheapest step that is expected to decide most
 * of them. Undefined without an undecided comparison that has an interval and that more runs can decide.
 *
 * Method: the half width of an interval of a log ratio falls with the square root of the number of runs. A
 * comparison is decided once it is smaller than the estimate, or than its distance from the margin.
 */
export function sessionAdvice(
  list: ComparisonList,
  { ended, runs, session: { request }, file = '' }: Recording,
): string | undefined {
  // A shard has a part of the verdicts.
  if (!ended || request.shard !== undefined) return undefined;
  const again = (next: number | 'auto') =>
    repeatedCommand(request, next) ?? `the same comparison with --runs ${next}`;
  const { comparisons } = list;
  const all = comparisons.filter(
    ({ verdict, reason }) => verdict === 'undecided' && reason !== 'missing-subject',
  );
  const undecided = all.filter(({ reason }) => !isWithheld(reason));
  if (undecided.length === 0) return undefined;
  const { budgetMs } = adaptiveRuns(request.runs) ?? {};
  if (budgetMs !== undefined && undecided.some(({ reason }) => reason === 'out-of-time'))
    return limitedAdvice(request, file, budgetMs);
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
  const price = adaptive ? extensionPrice : 1;
  const times = Math.max(leastTimes, price * medianOf(open.map((each) => each.times)));
  if (times > mostTimes) {
    // Commands measure no metrics.
    const isSteady = request.metrics !== undefined || comparisons.some(({ isCommand }) => isCommand);
    const steady = isSteady
      ? ''
      : ', and the same command with --metric alloc compares what noise hardly changes';
    return `${found}; ${calledCommand(['machine'])} shows what disturbs${steady}`;
  }
  const now = Math.max(...open.map((each) => each.runs), adaptive?.maxRuns ?? 0);
  const next = Math.ceil((now * times) / 10) * 10;
  const byCase = Map.groupBy(runs, caseKey);
  const neededMs = open.reduce((sum, { key, runs: done }) => {
    const perRunMs = sumOf(byCase.get(key) ?? [], ({ durationMs }) => durationMs) / done;
    return sum + perRunMs * (adaptive ? next - done : next);
  }, 0);
  const duration = `about ${durationText(neededMs)}`;
  if (!adaptive) return `${found}; to decide most, ${duration}: ${again(next)}`;
  // The samples of HTTP clients are spread over a fixed number of runs.
  if (request.commandLine?.[0] === 'http')
    return `${found}; to measure until each verdict is clear: ${again('auto')}`;
  const command = resumeCommand(request, file, '--max-runs', String(next));
  return `${found}; to continue, at most ${duration} more: ${command}`;
}

/** After too little time, the number of needed runs is unknown, so the next step is twice the time. */
function limitedAdvice(request: SessionRequest, file: string, budgetMs: number): string {
  const budget = durationText(2 * budgetMs)
    .replace(' ', '')
    .replace('min', 'm');
  const command = resumeCommand(request, file, '--budget', budget);
  return `the time was up before all results were clear; to continue for as long again: ${command}`;
}

/** @param margin of adaptive runs, which can also show that there is no difference */
function opennessOf({ key, ratio, samples }: Comparison, margin: number | undefined) {
  const half = logHalfWidth(ratio);
  if (ratio === null || half === null) return undefined;
  const effect = Math.abs(Math.log(ratio.ratio));
  const room = margin === undefined ? 0 : Math.log1p(margin) - effect;
  const all = Array.from(samples.old, (rate, at) => Math.log((samples.new[at] ?? Number.NaN) / rate));
  const logs = all.filter(Number.isFinite);
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
