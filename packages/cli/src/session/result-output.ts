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
} from '@bench-cli/results';
import type { Decision } from '@bench-cli/runner';
import { counted } from '../analysis/recording-text.ts';
import { type CompareFormat, percentWord, type RunFormat } from '../options.ts';
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
          if (typeof request.runs === 'number') return;
          const confidence = percentWord(1 - request.runs.errorRate).replace('%', ' %');
          terminal.notice(
            `±: repeated ${confidence} interval of the mean logarithm of the rate, valid at every look`,
          );
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
        end: ({ session, runs, failedRuns, failedBenchmarks }) =>
          terminal.result(
            `${JSON.stringify({ session, runs, failedRuns, failedBenchmarks }, undefined, 2)}\n`,
          ),
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

/** The formats in which `compare` prints results. CSV is printed as the runs end, anything else at the end. */
export function compareOutput(format: CompareFormat, terminal: Terminal): ResultOutput {
  if (format === 'csv') {
    terminal.result(`${COMPARE_CSV_HEADER}\n`);
    return {
      run: (run) => {
        const { subject: binary, benchmark: name, configuration, rate } = comparedRun(run);
        terminal.result(`${compareCsvRow({ binary, name, configuration, rate, time: run.time })}\n`);
      },
    };
  }
  return {
    end: async ({ session, runs, size }) => {
      if (runs.length === 0) return;
      const [{ comparedResults, judgeResults }, { showComparisons }] = await Promise.all([
        import('../analysis/compared-results.ts'),
        import('../analysis/comparison.ts'),
      ]);
      const results = comparedResults([{ session, runs, size }]);
      showComparisons(judgeResults(results), results.names, { format }, terminal);
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
