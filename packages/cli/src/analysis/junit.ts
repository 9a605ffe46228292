import { comparisonName } from '@bench-cli/report';
import type { ComparisonList, GateOutcome } from '@bench-cli/stats';
import { nameOf, unjudgedText, withInterval } from './gate.ts';

/** The outcome of gates as JUnit's XML, which CI services show: failed tests are what crossed, errors are what cannot be judged. */
export function junitXml({ crossed, unjudged }: GateOutcome, list: ComparisonList): string {
  const judged = new Set<unknown>([...crossed, ...unjudged].map((of) => 'comparison' in of && of.comparison));
  const tests = [
    ...crossed.map((of) => test(nameOf(of), 'failure', withInterval(of))),
    ...unjudged.map((item) => test(unjudgedText(item, list), 'error', 'cannot be judged')),
    ...list.comparisons.filter((each) => !judged.has(each)).map((each) => test(comparisonName(each, list))),
  ];
  const counts = `tests="${tests.length}" failures="${crossed.length}" errors="${unjudged.length}"`;
  return `<testsuites>\n<testsuite name="bench-cli" ${counts}>\n${tests.join('\n')}\n</testsuite>\n</testsuites>\n`;
}

function test(name: string, problem?: string, message = ''): string {
  const inside = problem === undefined ? '' : `<${problem} message="${escaped(message)}"/>`;
  return `<testcase classname="bench-cli" name="${escaped(name)}">${inside}</testcase>`;
}

/** XML has no control characters and no half surrogate pairs. */
function escaped(text: string): string {
  const valid = text.toWellFormed().replaceAll(/[\p{Cc}\ufffe\uffff]/gu, '\ufffd');
  return valid.replaceAll(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
