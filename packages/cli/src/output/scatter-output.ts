import { scatterCsvHeader, scatterCsvRow } from '@bench-cli/results';
import type { ResultOutput } from '../session/session-view.ts';
import type { Terminal } from '../terminal.ts';

/** The CSV of Node core's scatter.js: one column a parameter. */
export function scatterOutput(terminal: Terminal): ResultOutput {
  let header: string | undefined;
  return {
    run: (run) => {
      const { benchmark: name, rate, time } = run;
      const configuration = run.configuration;
      if (header === undefined) {
        header = scatterCsvHeader(configuration);
        terminal.result(`${header}\n`);
      }
      terminal.result(`${scatterCsvRow({ name, configuration, rate, time })}\n`);
    },
  };
}
