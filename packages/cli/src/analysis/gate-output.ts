import {
  changeRange,
  comparisonName,
  failedRunsText,
  percent,
  summarize,
  undecidedReason,
  withoutRunText,
} from '@bench-cli/report';
import {
  caseName,
  counted,
  guarantees,
  shortList,
  shownIn,
  UsageError,
  unmatchedNames,
} from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import {
  type ComparisonList,
  type Gate,
  type GateOutcome,
  type JudgedResults,
  parseGate,
} from '@bench-cli/stats';
import { type GatedComparison, methodOf, noiseFloor, type UnjudgedItem } from '@bench-cli/stats/internal';
import type { Terminal } from '../terminal.ts';

type GateOptions = Pick<CommandSettings<'compare'>, 'failOn' | 'allowMissing'>;

/** The given gates, or without them those of the sessions, so that files are judged as they were. */
export function gateOptions(
  { failOn, allowMissing }: GateOptions,
  requests: readonly Pick<SessionRequest, 'settings'>[],
): GateOptions {
  const recorded = requests.map(({ settings }) => settings);
  const all = [...new Set(recorded.flatMap((settings) => settings.failOn ?? []))];
  const isAccepted = failOn === undefined && recorded.some((settings) => settings.allowMissing);
  return { failOn: failOn ?? all, allowMissing: allowMissing ?? isAccepted };
}

/** @throws UsageError for an invalid threshold, and for --allow-missing without one */
export function gatesOf({ failOn = [], allowMissing }: GateOptions): readonly Gate[] {
  if (!allowMissing || failOn.length > 0) return failOn.map(parseGate);
  const problem = '--allow-missing requires --fail-on: add a threshold, or remove --allow-missing';
  throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem, { option: 'allowMissing' });
}

const mostListed = 50;

/** @param allowMissing whether what gates cannot judge is accepted */
export function showGates(
  { crossed, removed, uncertain, unjudged, size }: GateOutcome,
  list: ComparisonList,
  gates: readonly Gate[],
  allowMissing: boolean,
  terminal: Terminal,
): void {
  const [first] = unjudged;
  if (first?.kind === 'nothing') {
    terminal.failure('--fail-on has nothing to judge: no run succeeded');
    return;
  }
  const thresholds = gates.map(({ text }) => text).join(' or ');
  if (first !== undefined) {
    const named = unjudged.slice(0, mostListed).map((item) => namedItem(item, list));
    const lines = named.map(({ name, reason }) => `${name}: ${reason}`);
    if (unjudged.length > mostListed) lines.push(`and ${unjudged.length - mostListed} more`);
    const what = `--fail-on cannot judge ${counted(unjudged.length, 'item')}`;
    const listed = lines.map((line) => `\n    ${line}`).join('');
    if (allowMissing) terminal.notice(`warning: ${what}${listed}`);
    else
      terminal.failure(
        `${what}, so the comparison does not pass: measure what is missing, or accept it with --allow-missing${listed}`,
      );
  }
  const { median } = noiseFloor(list) ?? { median: 0 };
  const hidden = gates.filter(({ metric, amount }) => metric === undefined && amount > 0 && amount < median);
  if (hidden.length > 0) {
    terminal.notice(
      `warning: ${hidden.map(({ text }) => text).join(' and ')} is below the noise: this session could have seen a change of ${percent(median, 1)} % or more in half of the cases; measure with more runs, or raise the threshold`,
    );
  }
  if (uncertain.length > 0) {
    terminal.notice(
      `warning: ${counted(uncertain.length, 'comparison')} exceeded ${thresholds}, but not clearly: ${methodOf(list).moreRunsAdvice} (${shortList(uncertain.map(withInterval))})`,
    );
  }
  if (removed.length > 0)
    terminal.failure(
      `${counted(removed.length, 'benchmark')} removed: ${shortList(removed.flatMap(unmatchedNames))}`,
    );
  if (crossed.length > 0) {
    const names = shortList(crossed.map(withInterval));
    terminal.failure(`${crossed.length} of ${size} comparisons crossed ${thresholds} (${names})`);
  }
}

export function namedItem(item: UnjudgedItem, list: ComparisonList) {
  switch (item.kind) {
    case 'nothing':
      return { name: 'all benchmarks', reason: 'no run succeeded' };
    case 'unfinished':
      return { name: 'the session', reason: 'not finished' };
    case 'no guarantee':
      return { name: 'the session', reason: guarantees[item.guarantee].lack };
    case 'no shard':
      return { name: `shard ${item.shard.index}/${item.shard.count}`, reason: 'missing' };
    case 'failed benchmark':
      return {
        name: shownIn('name', item.benchmark),
        reason: `could not be ${phases[item.phase]} under ${item.subject}`,
      };
    case 'failed runs':
      return { name: caseName(item), reason: failedRunsText(item.failures) };
    case 'no run':
      return { name: caseName(item), reason: withoutRunText(item) };
    case 'too few runs':
      return { name: nameOf(item), reason: unjudgedReason(item) };
    case 'no value':
      return { name: `${item.metric} of ${comparisonName(item.comparison, list)}`, reason: 'no value' };
  }
}

function unjudgedReason({ comparison }: GatedComparison): string {
  const { verdict, old, new: new_, metric } = comparison;
  if (verdict === 'failed') return 'all runs failed';
  const hasZero = metric === undefined && (old?.min === 0 || new_?.min === 0);
  if (hasZero) return 'a rate of 0, which has no ratio';
  return undecidedReason(comparison) ?? 'too noisy runs, which have no interval';
}

const phases = { plan: 'planned', setup: 'set up', teardown: 'torn down' } as const;

function nameOf({ comparison, list }: GatedComparison): string {
  const name = comparisonName(comparison, list);
  return comparison.metric === undefined ? name : `${comparison.metric.name} of ${name}`;
}

export function withInterval(gated: GatedComparison): string {
  const { ratio } = gated.comparison;
  const interval = ratio === null ? '' : `: ${changeRange(ratio)}`;
  return `${nameOf(gated)}${interval}`;
}

/** Gates as JUnit's XML: crossed ones are failed tests, what cannot be judged is an error. */
export function junitXml({ crossed, removed, unjudged }: GateOutcome, results: JudgedResults): string {
  const { list } = results;
  const judged = new Set<unknown>(
    [...crossed, ...unjudged].map((item) => 'comparison' in item && item.comparison),
  );
  const failures = [
    ...crossed.map((gated) => test(nameOf(gated), 'failure', withInterval(gated))),
    ...removed.flatMap(unmatchedNames).map((name) => test(name, 'failure', 'removed')),
  ];
  const tests = [
    ...failures,
    ...unjudged.map((item) => namedItem(item, list)).map(({ name, reason }) => test(name, 'error', reason)),
    ...list.comparisons
      .filter((each) => each.verdict !== 'failed' && !judged.has(each))
      .map((each) => test(comparisonName(each, list))),
  ];
  const counts = `tests="${tests.length}" failures="${failures.length}" errors="${unjudged.length}"`;
  const summary = `<system-out>${shownIn('xml', summarize(results))}</system-out>`;
  return `<testsuites>\n<testsuite name="bench-cli" ${counts}>\n${tests.join('\n')}\n${summary}\n</testsuite>\n</testsuites>\n`;
}

function test(name: string, problem?: string, message = ''): string {
  const inside = problem === undefined ? '' : `<${problem} message="${shownIn('xml', message)}"/>`;
  return `<testcase classname="bench-cli" name="${shownIn('xml', name)}">${inside}</testcase>`;
}
