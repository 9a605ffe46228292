import { RUN_CSV_HEADER, runConfiguration, runCsvRow } from '@bench-cli/results';
import type { Decision } from '@bench-cli/runner';
import type { ResultOutput } from '../session/session-view.ts';
import type { Terminal } from '../terminal.ts';
import type { RunFormat } from './formats.ts';

/** The forms in which `run` shows results. */
export function runOutput(format: RunFormat, terminal: Terminal): ResultOutput {
  switch (format) {
    case 'simple':
      return {
        benchmark: (name) => terminal.result(`\n${name}\n`),
        run: (run, { request }) => {
          // Where the runs go on until the rate is known, that is the result.
          if (typeof request.runs !== 'number') return;
          const { benchmark, rate } = run;
          const values = runConfiguration(run.configuration);
          terminal.result(`${benchmark}${values && ` ${values}`}: ${grouped(rate)}\n`);
        },
        decision: ({ benchmark, configuration, judgement }) => {
          const values = runConfiguration(configuration);
          terminal.result(`${benchmark}${values && ` ${values}`}: ${precisionText(judgement)}\n`);
        },
      };
    case 'csv': {
      terminal.result(`${RUN_CSV_HEADER}\n`);
      return {
        run: (run) => {
          const { benchmark: name, rate, time } = run;
          terminal.result(`${runCsvRow({ name, configuration: run.configuration, rate, time })}\n`);
        },
      };
    }
    case 'json':
      return {
        end: ({ session, runs, failedRuns, failedBenchmarks }) =>
          terminal.result(
            `${JSON.stringify({ session, runs, failedRuns, failedBenchmarks }, undefined, 2)}\n`,
          ),
      };
  }
}

function precisionText(judgement: Decision['judgement']): string {
  const runs = `${judgement.runs} run${judgement.runs === 1 ? '' : 's'}`;
  if (!('mean' in judgement) || judgement.mean === null) return `not known after ${runs}`;
  const { rate, low, high } = judgement.mean;
  const halfWidth = ((high / low) ** 0.5 - 1) * 100;
  const doubt = judgement.stopped === 'precision' ? '' : ', not as precise as wanted';
  return `${grouped(Math.round(rate))} ±${halfWidth.toFixed(1)} % (${runs}${doubt})`;
}

/** Thousands of the whole part set off by commas, every digit kept: `773,200.4995493788`. */
function grouped(rate: number): string {
  const [whole = '', fraction] = rate.toString().split('.');
  const groups = whole.replace(/(\d)(?=(?:\d{3})+$)/g, '$1,');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
