import {
  type Case,
  COMPARE_CSV_HEADER,
  caseName,
  compareCsvRow,
  comparedRun,
  RUN_CSV_HEADER,
  runConfiguration,
  runCsvRow,
  scatterCsvHeader,
  scatterCsvRow,
  UsageError,
} from '@bench-cli/results';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { Decision } from '@bench-cli/runner';
import type { Gate } from '@bench-cli/stats';
import type { ComparisonView } from '../analysis/comparison.ts';
import { counted } from '../analysis/recording-text.ts';
import { type CompareFormat, type Correction, percentWord, type RunFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import type { ResultOutput } from './session-view.ts';

/** The formats in which `run` prints results. */
export function runOutput(format: RunFormat, terminal: Terminal): ResultOutput {
  switch (format) {
    case 'simple': {
      const show = ({ benchmark, configuration }: Case, rate: string) =>
        terminal.result(`${caseName({ benchmark, text: runConfiguration(configuration) })}: ${rate}\n`);
      return {
        benchmark: (name) => terminal.result(`\n${name}\n`),
        run: (run, { request }) => {
          // With --runs auto the result is the decision.
          if (typeof request.runs === 'number') show(run, grouped(run.rate));
        },
        decision: (decision) => show(decision, precisionText(decision.judgement)),
        end: ({ session: { request } }) => {
          if (typeof request.runs === 'number') return false;
          const confidence = percentWord(1 - request.runs.errorRate).replace('%', ' %');
          terminal.notice(
            `±: repeated ${confidence} interval of the mean logarithm of the rate, valid at every look`,
          );
          return false;
        },
      };
    }
    case 'csv':
      terminal.result(`${RUN_CSV_HEADER}\n`);
      return {
        run: ({ benchmark: name, configuration, rate, time }) =>
          terminal.result(`${runCsvRow({ name, configuration, rate, time })}\n`),
      };
    case 'json':
      return {
        end: ({ session, runs, failedRuns, failedBenchmarks }) => {
          terminal.result(
            `${JSON.stringify({ session, runs, failedRuns, failedBenchmarks }, undefined, 2)}\n`,
          );
          return false;
        },
      };
  }
}

/** The CSV of Node core's scatter.js, which has a column for each parameter. */
export function scatterOutput(terminal: Terminal): ResultOutput {
  let hasHeader = false;
  return {
    run: ({ benchmark: name, configuration, rate, time }) => {
      if (!hasHeader) terminal.result(`${scatterCsvHeader(configuration)}\n`);
      hasHeader = true;
      terminal.result(`${scatterCsvRow({ name, configuration, rate, time })}\n`);
    },
  };
}

/** How `compare` prints results, and what fails it. */
export interface CompareView {
  readonly format: CompareFormat;
  readonly columns: ComparisonView['columns'] | undefined;
  readonly correct: Correction | undefined;
  readonly gates: readonly Gate[];
  readonly allowMissing: boolean;
}

/**
 * The formats in which `compare` prints results. CSV is printed as the runs end, anything else at the end.
 *
 * @throws UsageError for gates and a part of a session, which must be judged as a whole
 */
export function compareOutput(
  { format, correct, gates, allowMissing, columns }: CompareView,
  { shard }: SessionRequest,
  terminal: Terminal,
): ResultOutput {
  if (gates.length > 0 && shard !== undefined) {
    throw new UsageError(
      'ERR_BENCH_OPTION_CONFLICT',
      '--fail-on judges all configurations together, and --shard measures some: join the parts with bench-cli merge, and use bench-cli analyze compare --fail-on',
    );
  }
  if (format === 'csv') terminal.result(`${COMPARE_CSV_HEADER}\n`);
  return {
    run: (run) => {
      if (format !== 'csv') return;
      const { subject: binary, benchmark: name, configuration, rate } = comparedRun(run);
      terminal.result(`${compareCsvRow({ binary, name, configuration, rate, time: run.time })}\n`);
    },
    end: async ({ session, runs, size, isComplete, recordPath }) => {
      const isShown = format !== 'csv' && runs.length > 0;
      const isJudged = gates.length > 0 && isComplete;
      if (!isShown && !isJudged) return false;
      const { comparedResults, judgeResults } = await import('../analysis/compared-results.ts');
      const results = comparedResults([{ session, runs, size }]);
      const list = judgeResults(results, correct);
      if (isShown) {
        const { showComparisons } = await import('../analysis/comparison.ts');
        const view = { format, correct: correct !== undefined, ...(columns && { columns }) };
        showComparisons(list, results.names, view, terminal);
      }
      if (!isJudged) return false;
      const [{ readRecording }, { missingCases }, { gateIsCrossed }] = await Promise.all([
        import('@bench-cli/results/recording'),
        import('../analysis/missing-cases.ts'),
        import('../analysis/gate.ts'),
      ]);
      const missing = allowMissing ? undefined : missingCases([readRecording(recordPath)], []);
      return gateIsCrossed(list, gates, missing, terminal);
    },
  };
}

function precisionText(judgement: Decision['judgement']): string {
  const runs = counted(judgement.runs, 'run');
  if (!('mean' in judgement) || judgement.mean === null) return `not known after ${runs}`;
  const { rate, low, high } = judgement.mean;
  const halfWidth = ((high / low) ** 0.5 - 1) * 100;
  const doubt = judgement.stopped === 'precision' ? '' : ', not as precise as wanted';
  return `${grouped(Math.round(rate))} ±${halfWidth.toFixed(1)} % (${runs}${doubt})`;
}

/** Groups the thousands of the whole part by commas and keeps every digit: `773,200.4995493788`. */
function grouped(rate: number): string {
  const [whole = '', fraction] = rate.toString().split('.');
  const groups = whole.replace(/(\d)(?=(?:\d{3})+$)/g, '$1,');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
