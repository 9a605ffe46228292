import { COMPARE_CSV_HEADER, compareCsvRow, comparedRun } from '@bench-cli/results';
import { comparedResults, judgeResults } from '../input/compared-results.ts';
import type { ResultOutput } from '../session/session-view.ts';
import type { Terminal } from '../terminal.ts';
import { showComparisons } from './comparison-view.ts';
import type { CompareFormat } from './formats.ts';

/** The forms in which `compare` shows results; CSV, that of Node core's compare.js, comes run by run. */
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
    end: ({ session, runs, size }) => {
      if (runs.length === 0) return;
      const results = comparedResults([{ session, runs, size }]);
      showComparisons(judgeResults(results), results.names, { format }, terminal);
    },
  };
}
