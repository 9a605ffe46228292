import { clientSession } from '@bench-cli/cluster-server';
import {
  type ClientRow,
  originText,
  renderClientTable,
  renderRunMarkdown,
  tieLetters,
} from '@bench-cli/report';
import {
  adaptiveRuns,
  caseKey,
  compareCsvLines,
  counted,
  shownArguments,
  shownIn,
  succeededRuns,
  wrapped,
} from '@bench-cli/results';
import {
  type FailedRun,
  type Recording,
  readRecording,
  type SessionRecord,
  type SessionRequest,
  type SucceededRun,
} from '@bench-cli/results/recording';
import { type CommandSettings, settingsFor } from '@bench-cli/results/settings';
import { judgeSession } from '@bench-cli/runner';
import type { ComparisonList, RatioInterval, SampleSummary } from '@bench-cli/stats';
import { adaptiveSummaryOf, isDifference, meanInterval, summaryOf } from '@bench-cli/stats/internal';
import { checkPlotFile, writePlot } from '../analysis/output-file.ts';
import { writers } from '../analysis/writers.ts';
import { rateGroupsOf } from '../session/rate-tables.ts';
import { csvOutput, runOutput } from '../session/result-output.ts';
import type { ResultOutput } from '../session/session-view.ts';
import { showSession } from '../session/shown-session.ts';
import type { Terminal } from '../terminal.ts';

export async function showClients(
  names: readonly string[],
  options: CommandSettings<'http clients'>,
  terminal: Terminal,
  argv: readonly string[],
): Promise<number> {
  checkPlotFile(options.plot);
  const output = (request: SessionRequest) => clientOutput(request, options, terminal);
  if (options.resume !== undefined) {
    const { command } = readRecording(options.resume).session.request;
    const resumed = { ...options, samples: undefined };
    const session = { command, subjects: {}, words: [], argv, runs: 1, options: resumed };
    return showSession(session, output, terminal);
  }
  const { samples, margin, budgetMs, method, connections, pipelining, parallel } = options;
  const { port, host, socketPath, protocol, delayMs, workers } = options;
  const { subjects, file, suite, runs, warnings } = await clientSession({
    clients: names,
    options: {
      ...{ samples, margin, budgetMs, method, connections, pipelining, parallel },
      ...{ port, host, socketPath, protocol, delayMs, workers },
    },
    environment: terminal.io.env,
    directory: terminal.io.cwd,
  });
  for (const warning of warnings) terminal.notice(`warning: ${warning}`);
  const command = subjects.length > 1 ? 'compare' : 'run';
  // The processes of the clients have their samples by the environment of their subjects.
  const settings = { ...settingsFor(command, { ...options, samples: undefined }), suite };
  return showSession({ command, subjects, words: [file], argv, runs, options: settings }, output, terminal);
}

/** Shows a session of clients: in the table of undici's benchmarks, or as `compare` and `run` do. */
function clientOutput(
  request: SessionRequest,
  { format = 'table', plot }: CommandSettings<'http clients'>,
  terminal: Terminal,
): ResultOutput {
  const isAlone = request.subjects.length === 1;
  const names = request.subjects.map(({ name }) => name);
  const csv = compareCsvLines(names, true);
  return {
    ...(format === 'csv' && csvOutput(csv, terminal)),
    showResult: async (recording) => {
      const { ranked, runs, failed } = rankedClients(recording);
      if (runs.length + failed.size === 0) return;
      const judged = await judgeSession({ ...recording, session: ranked, runs });
      const { list } = judged;
      const cases = [...Map.groupBy(runs, caseKey).values()];
      if (format === 'table') {
        const { resultWidth } = terminal;
        // Without a run the table has the failed clients.
        for (const ofCase of cases.length === 0 ? [[]] : cases) {
          if (cases.length > 1) terminal.result(`${shownArguments(ofCase[0]?.configuration ?? {})}\n`);
          terminal.result(renderClientTable(rowsOf(ranked, ofCase, failed, list), resultWidth));
        }
        const areTied = cases.some(([run]) => run !== undefined && tiesOf(list, caseKey(run)).length > 0);
        for (const note of notesOf(runs, failed, list, areTied))
          terminal.result(`${wrapped(note, resultWidth)}\n`);
      } else if (format === 'json' && isAlone)
        await runOutput(format, request, terminal).showResult?.(recording);
      else if (format === 'markdown' && isAlone)
        terminal.data(renderRunMarkdown(await rateGroupsOf(runs, request), [originText([recording])]));
      else if (format !== 'csv')
        await writers[format].comparison?.(
          { judged, gates: [], allowMissing: false, outcome: undefined },
          terminal,
        );
      if (plot !== undefined) await plotClients(plot, ranked, runs, originText([recording]), terminal);
    },
  };
}

async function plotClients(
  file: string,
  session: SessionRecord,
  runs: readonly SucceededRun[],
  origin: string,
  terminal: Terminal,
): Promise<void> {
  const [first] = runs;
  if (first === undefined) {
    terminal.notice(`${file} is not written: no client has a rate`);
    return;
  }
  const rows = session.request.subjects.flatMap(({ name: label }) => {
    const sample = ratesOf(session, runs, label);
    return sample === null ? [] : { label, rate: sample.mean, interval: meanInterval(sample) };
  });
  const group = { benchmark: 'HTTP clients', shared: first.configuration, rows };
  await writePlot(file, origin, ({ groupPlot }) => groupPlot([group], 'answers'));
}

/** The rates of a client, with the mean whose ratios the session judges. */
function ratesOf(
  { request }: SessionRecord,
  runs: readonly SucceededRun[],
  client: string,
): SampleSummary | null {
  const rates = runs.filter(({ subject }) => subject === client).map(({ values }) => values.rate);
  return adaptiveRuns(request.runs) === undefined ? summaryOf(rates) : adaptiveSummaryOf(rates);
}

/**
 * Ranks the clients. One that has failed once has no rank, because it may have gained by what made it fail.
 * @returns `ranked`: clients without a failed run, the slowest first; `failed`: the first failure of others
 */
function rankedClients({ session, runs: all }: Recording) {
  const failed = new Map<string, FailedRun>();
  for (const run of all)
    if (run.status === 'failed' && !failed.has(run.subject)) failed.set(run.subject, run);
  const runs = succeededRuns(all).filter(({ subject }) => !failed.has(subject));
  const mean = (name: string) => ratesOf(session, runs, name)?.mean ?? 0;
  const subjects = session.request.subjects
    .filter(({ name }) => runs.some(({ subject }) => subject === name))
    .toSorted((a, b) => mean(a.name) - mean(b.name));
  return { ranked: { ...session, request: { ...session.request, subjects } }, runs, failed };
}

/** First the failed clients, then the others, the slowest first. */
function rowsOf(
  session: SessionRecord,
  runs: readonly SucceededRun[],
  failed: ReadonlyMap<string, FailedRun>,
  list: ComparisonList,
): readonly ClientRow[] {
  const [first] = runs;
  const ofCase = list.comparisons.filter(({ key }) => first !== undefined && key === caseKey(first));
  const ties = first === undefined ? [] : tiesOf(list, caseKey(first));
  const { subjects } = session.request;
  const slowest = subjects[0]?.name ?? '';
  const nothing = { samples: 0, rates: null, ratio: null, tie: '' };
  return [
    ...Array.from(failed.keys(), (name) => ({ ...nothing, name })),
    ...subjects.map(({ name }): ClientRow => {
      const clientRuns = runs.filter(({ subject }) => subject === name);
      const compared = ofCase.find(({ subject }) => subject === name);
      const { old, new: new_ } = compared ?? {};
      const isTied = ties.some((group) => group.includes(name) && group.includes(slowest));
      return {
        name,
        samples: clientRuns.reduce((sum, { latency }) => sum + (latency?.samples ?? 0), 0),
        rates: ratesOf(session, runs, name),
        ratio:
          ratioOf(compared?.ratio, isTied) ??
          (old && new_ && old.mean > 0 ? { ratio: new_.mean / old.mean } : null),
        tie: tieLetters(name, ties),
      };
    }),
  ];
}

/**
 * The interval of one pair. A pair that is tied in view of all pairs may be equal: its interval contains 1.
 */
function ratioOf(ratio: RatioInterval | null | undefined, isTied: boolean): RatioInterval | null {
  if (ratio == null || !isTied) return ratio ?? null;
  return { ...ratio, low: Math.min(ratio.low, 1), high: Math.max(ratio.high, 1) };
}

/** The ties of a case. Too few runs to judge have none, although nothing is certain then. */
function tiesOf({ kind, ties, comparisons }: ComparisonList, key: string): readonly (readonly string[])[] {
  if (kind === 'fixed') return [];
  const pair = comparisons.find((each) => each.key === key);
  const alone = pair === undefined || isDifference(pair.verdict) ? [] : [[pair.baseline, pair.subject]];
  return ties[key] ?? alone;
}

function notesOf(
  runs: readonly SucceededRun[],
  failed: ReadonlyMap<string, FailedRun>,
  list: ComparisonList,
  areTied: boolean,
): readonly string[] {
  const shown = (name: string) => shownIn('line', name);
  const unsteady = Map.groupBy(
    runs.filter(({ warmUp, latency }) => warmUp?.isSteady === false && (latency?.samples ?? 0) > 1),
    ({ subject }) => subject,
  );
  const seconds = runs
    .flatMap(({ warmUp }) => (warmUp === undefined ? [] : warmUp.elapsedMs / 1000))
    .sort((a, b) => a - b);
  const ends = [seconds.at(0), seconds.at(-1)].map((second = 0) => second.toFixed(1));
  const warmUp = seconds.reduce((sum, each) => sum + each, 0).toFixed(0);
  const measured = runs.reduce((sum, { time }) => sum + Number(time), 0).toFixed(0);
  return [
    // The failure itself was shown when it happened.
    ...Array.from(
      failed,
      ([name, { round }]) => `${shown(name)} failed in round ${round + 1} and has no rank.`,
    ),
    ...(list.kind === 'fixed'
      ? ['So few samples only show that the clients work: add --samples auto to compare them.']
      : [
          `Differences: judged in the same rounds; if all clients were equal, at most 5 in 100 such reports would show a difference.${areTied ? ' Clients with the same letter are tied: no difference between them is clear.' : ''}`,
          `Warm-up: ${[...new Set(ends)].join(' to ')} s per run, ${warmUp} s in all; samples for ${measured} s.`,
          "undici's own benchmark warms each client up once, with as many samples as it measures, so its ratios are those of clients as warm as SAMPLES makes them.",
        ]),
    ...(unsteady.size === 0
      ? []
      : [
          `Not steady after the warm-up: ${Array.from(unsteady, ([name, { length }]) => `${shown(name)} in ${counted(length, 'run')}`).join(', ')}.`,
        ]),
  ];
}
