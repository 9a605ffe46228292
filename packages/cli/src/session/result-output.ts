import {
  adaptiveRuns,
  type Case,
  calledCommand,
  caseName,
  compareCsvLines,
  counted,
  FIRST_LOOK,
  mostRuns,
  ownValue,
  RUN_CSV_HEADER,
  runConfiguration,
  runCsvRow,
  scatterCsvHeader,
  scatterCsvRow,
  shownIn,
  skippedBenchmarks,
  succeededRuns,
  TASK,
  withoutSubjects,
} from '@bench-cli/results';
import type { AdaptiveRuns, RunRecord, SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import { type Decision, failedRuns, judgeSession } from '@bench-cli/runner';
import type { Gate } from '@bench-cli/stats';
import type { PrecisionJudgement } from '@bench-cli/stats/internal';
import type { CompareFormat, RunFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { latencyNote, onRate, rateGroupsOf, runTableOutput, showMetrics } from './rate-tables.ts';
import type { ResultOutput } from './session-view.ts';

/** The formats in which `run` prints results. Several subjects are values of a parameter. */
export function runOutput(format: RunFormat, request: SessionRequest, terminal: Terminal): ResultOutput {
  const output = runOutputOf(format, request, terminal);
  const named = <Run extends RunRecord>(runs: readonly Run[]) => withoutSubjects(request, runs);
  return {
    ...output,
    run: async (event) => {
      for (const record of named([event.record])) await output.run?.({ ...event, record });
    },
    showResult: ({ runs, metricRuns, ...recording }) =>
      output.showResult?.({ ...recording, runs: named(runs), metricRuns: named(metricRuns) }),
  };
}

function runOutputOf(format: RunFormat, request: SessionRequest, terminal: Terminal): ResultOutput {
  switch (format) {
    case 'simple': {
      const adaptive = adaptiveRuns(request.runs);
      const show = ({ benchmark, configuration }: Case, rate: string) =>
        terminal.result(`${caseName({ benchmark, text: runConfiguration(configuration) })}: ${rate}\n`);
      return {
        'benchmark start': ({ benchmark }) => terminal.result(`\n${shownIn('name', benchmark)}\n`),
        decision: ({ decision }) =>
          adaptive &&
          'mean' in decision.judgement &&
          show(decision, precisionText(decision.judgement, adaptive)),
        run: onRate((run) => {
          // With --runs auto the result is the decision.
          if (adaptive === undefined) show(run, `${grouped(run.values.rate)}${latencyNote(run)}`);
        }),
        showResult: async (result) => {
          await showMetrics([result], terminal);
          if (adaptive) terminal.notice('±: 95 % interval of the geometric mean rate');
        },
      };
    }
    case 'table':
      return runTableOutput(request, terminal);
    case 'csv':
      return csvOutput({ header: RUN_CSV_HEADER, row: runCsvRow }, terminal);
    case 'json':
      return {
        showResult: async (recording) => {
          const { session } = recording;
          const [runs, metricRuns] = [succeededRuns(recording.runs), succeededRuns(recording.metricRuns)];
          const metrics = request.metrics && { metricRuns };
          const figures = await figuresOf(recording.runs, request);
          const failed = failedRuns(recording);
          const failures = [...failed, ...recording.failures];
          const counts = { failedRuns: failed.length, failedBenchmarks: recording.failures.length };
          const skipped = skippedBenchmarks([recording]);
          terminal.json({ session, runs, ...figures, ...metrics, ...skipped, failures, ...counts });
        },
      };
  }
}

/** Prints a header when the arguments are known to be valid, and a row for each run. */
export function csvOutput(
  { header, row }: { readonly header: string; row(run: SucceededRun): string },
  terminal: Terminal,
): ResultOutput {
  return {
    planned: () => terminal.data(`${header}\n`),
    run: onRate((run) => terminal.data(`${row(run)}\n`)),
  };
}

/** Which tasks of a group, and values of a parameter, are faster, and the times of whole commands. */
async function figuresOf(runs: readonly RunRecord[], request: SessionRequest) {
  const { rankingEntry } = await import('@bench-cli/report');
  const groups = await rateGroupsOf(runs, request);
  const commands = groups.flatMap(({ rows }) =>
    rows.flatMap(({ title, configuration: { [TASK]: _, ...configuration }, times }) =>
      times === undefined ? [] : { benchmark: title, configuration, ...times },
    ),
  );
  const rankings = groups.flatMap(({ benchmark, rankings: all }) =>
    all.map((ranking) => ({ benchmark, ...rankingEntry(ranking) })),
  );
  return { rankings, ...(commands.length > 0 && { commands }) };
}

/** The CSV of Node core's scatter.js, with a column per parameter, and the command that plots one. */
export function scatterOutput(terminal: Terminal): ResultOutput {
  let hasHeader = false;
  return {
    run: onRate((run) => {
      if (!hasHeader) terminal.data(`${scatterCsvHeader(run.configuration)}\n`);
      hasHeader = true;
      terminal.data(`${scatterCsvRow(run)}\n`);
    }),
    showResult: ({ plan, file, ended }) => {
      const [first, ...others] = plan?.benchmarks.flatMap(({ configurations }) => configurations) ?? [];
      const varied = Object.entries(first ?? {}).filter(([name, value]) =>
        others.some((other) => ownValue(other, name) !== value),
      );
      const [axis] = varied.find(([, value]) => typeof value === 'number') ?? varied[0] ?? [];
      if (axis === undefined || file === undefined || !ended) return;
      const command = calledCommand(['analyze', '--xaxis', axis, file]);
      terminal.notice(`how the rate depends on ${axis}: ${command}`);
    },
  };
}

/** CSV is printed as the runs end, anything else at the end. @param gates what fails the command */
export function compareOutput(
  format: CompareFormat,
  { allowMissing = false, progress = true, ...view }: CommandSettings<'compare'>,
  gates: readonly Gate[],
  { subjects, shard, runs: rule }: SessionRequest,
  terminal: Terminal,
): ResultOutput {
  // A shard has a part of the verdicts, and few runs decide none.
  const isWhole = shard === undefined && mostRuns(rule) >= FIRST_LOOK;
  const csv = compareCsvLines(subjects.map(({ name }) => name));
  return {
    ...(format === 'csv' && csvOutput(csv, terminal)),
    decision: ({ decision }) =>
      progress && terminal.statusIsTerminal
        ? showDifference(decision, subjects.length > 2, terminal)
        : undefined,
    showResult: async (recording) => {
      const { ended: isComplete, plan } = recording;
      const isDecisive = isComplete && gates.length > 0;
      const isSilent = succeededRuns(recording.runs).length === 0 || (format === 'csv' && !isWhole);
      if (!isDecisive && isSilent && (plan?.unaffected ?? plan?.unmatched) === undefined) return undefined;
      const judged = await judgeSession(recording, isComplete ? gates : [], allowMissing);
      if (format !== 'csv') {
        const { writers } = await import('../analysis/writers.ts');
        const shown = { ...view, judged, gates, allowMissing, outcome: judged.gate };
        await writers[format].comparison?.(shown, terminal);
      }
      const [{ summaryLines }, { sessionAdvice }] = await Promise.all([
        import('@bench-cli/report'),
        import('./undecided-advice.ts'),
      ]);
      if (format === 'csv' && adaptiveRuns(rule) !== undefined)
        terminal.notice(
          'the rates decided how many runs the CSV has, which tests of a CSV do not know: analyze the results file, or use --runs 30',
        );
      if (format === 'csv' && (isWhole || plan?.unaffected !== undefined)) {
        const sentences = summaryLines(judged);
        // The last one says what is not measured.
        terminal.notice((isWhole ? sentences : sentences.slice(-1)).join(' '));
      }
      const advice =
        format !== 'json' && (format !== 'csv' || isWhole)
          ? sessionAdvice(judged.list, recording)
          : undefined;
      if (advice !== undefined) terminal.notice(advice);
      if (judged.gate !== undefined) {
        const { showGates } = await import('../analysis/gate-output.ts');
        showGates(judged.gate, judged.list, gates, allowMissing, terminal);
      }
      return judged.gate && !judged.gate.passes;
    },
  };
}

/** A difference as soon as it is found, in a session that goes on. */
async function showDifference(
  { subject, judgement, ...found }: Decision,
  isNamed: boolean,
  terminal: Terminal,
): Promise<void> {
  if (!('ratio' in judgement) || judgement.ratio === null || judgement.reason !== 'difference') return;
  const { ratioChange } = await import('@bench-cli/report');
  // Its interval depends on how many differences the session finds.
  const change = ratioChange(judgement.ratio.ratio);
  const name = `${caseName(found)}${isNamed ? ` ${subject}` : ''}`;
  terminal.notice(`${name}: ${change} after ${judgement.samples.old.length} runs`);
}

function precisionText(judgement: PrecisionJudgement, { margin }: AdaptiveRuns): string {
  const { mean } = judgement;
  const runs = counted(judgement.runs, 'run');
  if (mean === null) return `not known after ${runs}`;
  const { rate, low, high } = mean;
  const halfWidth = (high / low) ** 0.5 - 1;
  const doubt = halfWidth > margin ? `, not within ${100 * margin} %` : '';
  return `${grouped(Math.round(rate))} ±${(100 * halfWidth).toFixed(1)} % (${runs}${doubt})`;
}

/** Groups the thousands of the whole part by commas and keeps every digit: `773,200.4995493788`. */
function grouped(rate: number): string {
  const [whole = '', fraction] = rate.toString().split('.');
  const groups = whole.replace(/(\d)(?=(?:\d{3})+$)/g, '$1,');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
