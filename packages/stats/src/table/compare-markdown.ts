import type { ComparisonList, NamedComparison } from '../comparison-list.ts';
import { fixedPoint } from './fixed-point.ts';

/** The comparisons as a table in GitHub's Markdown, with a line end. Accuracy is that at 5 % risk. */
export function renderCompareMarkdown(list: ComparisonList): string {
  const rows = list.comparisons.map((it) => [
    code(it.benchmark),
    code(it.configuration),
    it.improvement === null ? 'NA' : `${signedPercent(it.improvement)} %`,
    it.accuracy === null ? 'NA' : `±${fixedPoint(it.accuracy.p05 * 100, 2)} %`,
    it.test.kind === 'none' ? 'NA' : it.stars.replaceAll('*', '\\*'),
    verdict(it),
  ]);
  const header = ['Benchmark', 'Configuration', 'Improvement', 'Accuracy', 'Confidence', 'Verdict'];
  const alignment = ['---', '---', '---:', '---:', '---:', '---'];
  return [header, alignment, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function verdict({ verdict }: NamedComparison): string {
  return verdict === 'faster' || verdict === 'slower' ? `**${verdict}**` : verdict;
}

function signedPercent(fraction: number): string {
  const percent = fixedPoint(fraction * 100, 2);
  return fraction > 0 ? `+${percent}` : percent;
}

/** A code span that holds the text whatever it is; GitHub takes `|` for the end of a cell even there. */
function code(text: string): string {
  if (text === '') return '';
  const line = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  const runs = line.match(/`+/g) ?? [];
  const fence = '`'.repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  return runs.length > 0 ? `${fence} ${line} ${fence}` : `${fence}${line}${fence}`;
}
