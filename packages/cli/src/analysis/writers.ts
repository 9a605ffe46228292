import {
  bencherJson,
  exportedRates,
  exportedRows,
  githubActionBenchmarkJson,
  originText,
  type RateGroup,
  ratesDocument,
  renderBarTable,
  renderRunMarkdown,
  type TextView,
} from '@bench-cli/report';
import {
  caseKey,
  compareCsvLines,
  RUN_CSV_HEADER,
  runCsvRow,
  succeededRuns,
  UsageError,
} from '@bench-cli/results';
import type { Recording, SucceededRun } from '@bench-cli/results/recording';
import type { Gate, GateOutcome, JudgedResults } from '@bench-cli/stats';
import type { AnalysisFormat } from '../options.ts';
import { showLegend, showMetrics, showTables } from '../session/rate-tables.ts';
import type { Terminal } from '../terminal.ts';
import { type ChosenView, showComparisons, showDocument, showWarnings } from './comparison-output.ts';
import { junitXml } from './gate-output.ts';

export interface ShownComparison extends ChosenView {
  readonly judged: JudgedResults;
  readonly gates: readonly Gate[];
  readonly allowMissing: boolean;
  readonly outcome: GateOutcome | undefined;
}

export interface ShownRates {
  readonly groups: readonly RateGroup[];
  readonly legend: string;
  /** Empty for a CSV. */
  readonly recordings: readonly Recording[];
}

type Write<Shown> = (shown: Shown, terminal: Terminal) => void | Promise<void>;

/** What a format writes of each kind of results that it is for. */
export interface Writer {
  readonly comparison?: Write<ShownComparison>;
  readonly rates?: Write<ShownRates>;
}

export const writers: { readonly [Format in AnalysisFormat]: Writer } = {
  rates: { comparison: comparisonIn('rates'), rates: showRates },
  table: { comparison: comparisonIn('table'), rates: showRates },
  json: {
    comparison: ({ judged }, terminal) => showDocument(judged, terminal),
    rates: ({ groups, recordings }, terminal) => terminal.json(ratesDocument(groups, recordings)),
  },
  markdown: {
    comparison: comparisonIn('markdown'),
    rates: ({ groups, legend, recordings }, terminal) =>
      terminal.data(renderRunMarkdown(groups, [legend, originText(recordings)])),
  },
  bars: {
    comparison: ({ judged }, terminal) => {
      showWarnings(judged, terminal);
      terminal.result(renderBarTable(judged.list));
    },
  },
  csv: {
    comparison: ({ judged: { recordings, names: byName } }, terminal) => {
      const [command] = recordings[0]?.session.request.commandLine ?? [];
      const names = [...byName.keys()];
      // HTTP clients are neither old nor new.
      const { header, row } = compareCsvLines(names, names.length > 2 || command === 'http');
      terminal.data(csvOf(header, inOrder(runsOf(recordings), names).map(row)));
    },
    rates: ({ recordings }, terminal) =>
      terminal.data(csvOf(RUN_CSV_HEADER, runsOf(recordings).map(runCsvRow))),
  },
  bencher: exported(bencherJson),
  'github-action-benchmark': exported(githubActionBenchmarkJson),
  junit: {
    comparison: ({ judged, outcome }, terminal) => {
      if (outcome === undefined) {
        const problem = '--format junit requires --fail-on: add a threshold';
        throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem);
      }
      terminal.data(junitXml(outcome, judged));
    },
  },
  'github-annotations': {
    comparison: async ({ judged, gates, allowMissing, outcome }, terminal) => {
      const { githubAnnotations } = await import('./annotation.ts');
      const thresholds = gates.map(({ text }) => text).join(' or ');
      // The paths of errors are below the root of the checkout, also if a package is measured.
      const root = terminal.io.env['GITHUB_WORKSPACE'] || terminal.io.cwd;
      terminal.annotations(githubAnnotations(judged, outcome, thresholds, allowMissing, root));
    },
  },
};

function comparisonIn(format: TextView['format']): Write<ShownComparison> {
  return ({ judged, ...view }, terminal) => showComparisons(judged, { ...view, format }, terminal);
}

function exported(write: typeof bencherJson): Writer {
  return {
    comparison: ({ judged }, terminal) => terminal.data(write(exportedRates(judged.list))),
    rates: ({ groups }, terminal) => terminal.data(write(exportedRows(groups))),
  };
}

async function showRates({ groups, legend, recordings }: ShownRates, terminal: Terminal): Promise<void> {
  await showTables(groups, terminal);
  showLegend(legend, terminal);
  await showMetrics(recordings, terminal);
}

/** @throws UsageError for a CSV */
function runsOf(recordings: readonly Recording[]): readonly SucceededRun[] {
  if (recordings.length > 0) return recordings.flatMap(({ runs }) => succeededRuns(runs));
  const problem = '--format csv shows the runs of results files, and this is a CSV: leave --format out';
  throw new UsageError('ERR_BENCH_COMMAND', problem);
}

/** The order in which the subjects ran was drawn, so that it says nothing to `head` and `diff`. */
function inOrder(runs: readonly SucceededRun[], subjects: readonly string[]): readonly SucceededRun[] {
  return [...Map.groupBy(runs, caseKey).values()].flatMap((ofCase) =>
    subjects.flatMap((name) => ofCase.filter(({ subject }) => subject === name)),
  );
}

function csvOf(header: string, rows: readonly string[]): string {
  if (rows.length === 0) throw nothingToShow();
  return [header, ...rows, ''].join('\n');
}

export function nothingToShow(): UsageError {
  return new UsageError('ERR_BENCH_NO_RUN', 'there is nothing to show: no run succeeded');
}
