import { ratioChange, renderSearch, summarizeSearch } from '@bench-cli/report';
import { counted, wrapped } from '@bench-cli/results';
import type { SessionRecord } from '@bench-cli/results/recording';
import { rateWords } from '@bench-cli/stats';
import type { SearchedVersion, SearchResult } from '@bench-cli/stats/internal';
import type { SearchFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import type { ResultOutput } from './session-view.ts';

/** The formats in which `bisect` prints its result. The steps are shown as they end. */
export function bisectOutput(format: SearchFormat, terminal: Terminal): ResultOutput {
  let result: SearchResult | undefined;
  return {
    step: ({ step }) => terminal.notice(stepText(step)),
    searched: (event) => {
      result = event.result;
    },
    showResult: ({ session }) => {
      if (result === undefined) return undefined;
      if (format === 'json') terminal.json(documentOf(result, session));
      else terminal.result(textOf(result, format, terminal));
      return result.found === undefined || result.found.first !== result.found.last || undefined;
    },
  };
}

function stepText({ version, runs, ratio, verdict, skipped }: SearchedVersion): string {
  const change = ratio === null ? '' : `${ratioChange(ratio.ratio)}, `;
  return `${version}: ${skipped === undefined ? verdict : 'skipped'} (${change}${counted(runs, 'run')})`;
}

function documentOf(result: SearchResult, session: SessionRecord) {
  const { ends, ...search } = result;
  const { samples: _, ...figures } = ends;
  const [summary = ''] = summarizeSearch(result);
  return { session, summary, ends: { ...figures, verdict: rateWords[ends.verdict] }, ...search };
}

function textOf(
  result: SearchResult,
  format: Exclude<SearchFormat, 'json'>,
  { resultIsTerminal, resultWidth }: Terminal,
): string {
  const [summary = '', ...notes] = summarizeSearch(result);
  const isWrapped = format === 'table' && resultIsTerminal;
  const lineOf = (text: string) => `${isWrapped ? wrapped(text, resultWidth) : text}\n`;
  return [lineOf(summary), renderSearch(result, format), notes.map(lineOf).join('')].join('\n');
}
