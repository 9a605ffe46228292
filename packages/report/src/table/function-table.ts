import { counted, wrapped } from '@bench-cli/results';
import { sumOf } from '@bench-cli/stats/internal';
import { ratioChange, shortPercent } from '../figure-text.ts';
import type { FunctionNotice, NoticedFunction } from '../noticed-functions.ts';
import { columnsOf, LEAST_NAME, markdownTable, prose, textTable } from './table.ts';

const PROPOSED = 3;

const { figure, names, words } = columnsOf<NoticedFunction>();

export const functionColumns = [
  names('function', ({ name }) => name || '(anonymous)', { least: LEAST_NAME }),
  names('where', ({ place }) => place),
  words('noticed from', ({ from }) => (Number.isFinite(from) ? ratioChange(1 + from) : 'never')),
  names('by', ({ by, isExecuted }) => by ?? (isExecuted ? 'no measured time' : 'no benchmark runs it')),
  figure('share', ({ share }) => (share === 0 ? '' : shortPercent(share))),
];

/** The table of functions, and what follows from it. @param width columns of the terminal */
export function renderFunctions(notice: FunctionNotice, format: 'text' | 'markdown', width: number): string {
  if (notice.functions.length === 0) return `${wrapped(functionSentences(notice).join('\n'), width)}\n`;
  const table = { rows: notice.functions, columns: functionColumns };
  const sentences = functionSentences(notice);
  if (format === 'text') return `${textTable(table, { width })}\n${wrapped(sentences.join('\n'), width)}\n`;
  const { header, lines } = markdownTable(table);
  return [header, ...lines, ...sentences.map((each) => `\n${prose(each)}\n`)].join('');
}

export function functionSentences({ functions, cases, maxRuns }: FunctionNotice): readonly string[] {
  if (functions.length === 0)
    return [
      'No function of this project takes 1 % of the time of a case, so there is none to notice. Do the benchmarks measure installed packages?',
    ];
  const noticed = functions.filter(({ from }) => Number.isFinite(from));
  const helping = functions
    .filter(({ isExported, isExecuted }) => isExported && !isExecuted)
    .sort((a, b) => b.length - a.length)
    .map(({ name, place }) => `${name} (${place})`);
  const covered = cases.filter(({ isCovered }) => isCovered);
  const names = covered.map(({ name, seconds }) => `${name} (${seconds.toFixed(1)} s)`);
  const saved = sumOf(covered, ({ seconds }) => seconds).toFixed(1);
  const pairs = `at most ${counted(maxRuns, 'pair')} of runs`;
  const sentences = [
    cases.length === 0 || cases.some(({ change }) => Number.isFinite(change))
      ? `Sessions of compare with ${pairs} notice ${noticed.length} of ${counted(functions.length, 'function')}: 80 % of them find the change in the table.`
      : `Sessions of compare with ${pairs} find no change, however large: they need a longer --budget.`,
    helping.length > 0 && `Benchmarks of these would help most: ${helping.slice(0, PROPOSED).join(', ')}.`,
    names.length > 0 &&
      `Covered by others: ${names.join(', ')}. A session without them takes ${saved} s less.`,
  ];
  return sentences.filter((each) => each !== false);
}
