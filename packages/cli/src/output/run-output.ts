import { reportedConfiguration } from '@bench-cli/core/runner';
import { RUN_CSV_HEADER, runConfiguration, runCsvRow } from '@bench-cli/stats';
import type { ResultOutput } from '../session-view.ts';
import type { Terminal } from '../terminal.ts';
import type { RunFormat } from './formats.ts';

/** The forms in which `run` shows results. */
export function runOutput(format: RunFormat, terminal: Terminal): ResultOutput {
  switch (format) {
    case 'simple':
      return {
        benchmark: (name) => terminal.result(`\n${name}\n`),
        run: (run) => {
          const { benchmark, rate } = run;
          const values = runConfiguration(reportedConfiguration(run));
          terminal.result(`${benchmark}${values && ` ${values}`}: ${grouped(rate)}\n`);
        },
      };
    case 'csv': {
      terminal.result(`${RUN_CSV_HEADER}\n`);
      return {
        run: (run) => {
          const { benchmark: name, rate, time } = run;
          terminal.result(`${runCsvRow({ name, configuration: reportedConfiguration(run), rate, time })}\n`);
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

/** Thousands of the whole part set off by commas, every digit kept: `773,200.4995493788`. */
function grouped(rate: number): string {
  const [whole = '', fraction] = rate.toString().split('.');
  const groups = whole.replace(/(\d)(?=(?:\d{3})+$)/g, '$1,');
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
