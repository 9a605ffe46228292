import { caseName } from './case.ts';
import { succeededRuns } from './compared/compared-results.ts';
import { shownIn } from './foreign-text.ts';
import type { Recording } from './recording/read.ts';
import { counted, shortList } from './short-text.ts';

/** The beginning of the output of the first run of each case under each subject, unless empty. */
export function printedOutput(recordings: readonly Pick<Recording, 'runs'>[]) {
  return recordings.flatMap(({ runs }) =>
    succeededRuns(runs).flatMap(({ benchmark, configuration, subject, printed }) =>
      printed === undefined ? [] : { benchmark, configuration, subject, ...printed },
    ),
  );
}

/** Further lines and texts are only counted. */
const [MOST_LINES, MOST_TEXTS] = [5, 5];

/**
 * Warnings about standard error of first runs, one for each text. A deprecation or a warning can mean that a
 * benchmark measures other code than its name says.
 */
export function printedWarnings(
  recordings: readonly Pick<Recording, 'runs' | 'session'>[],
): readonly string[] {
  const isComparing = recordings.some(({ session }) => session.request.subjects.length > 1);
  const warned = printedOutput(recordings).filter(({ warnings }) => warnings !== '');
  const texts = [...Map.groupBy(warned, ({ warnings }) => warnings.replaceAll(PROCESS, '(node)'))];
  const rest = texts.slice(MOST_TEXTS).flatMap(([, runs]) => runs);
  return [
    ...texts.slice(0, MOST_TEXTS).map(([text, runs]) => {
      const names = runs.map((run) => `${caseName(run)}${isComparing ? ` (${run.subject})` : ''}`);
      const lines = text.split('\n').map((line) => `    | ${shownIn('line', line)}`);
      const more =
        lines.length > MOST_LINES ? [`    and ${counted(lines.length - MOST_LINES, 'more line')}`] : [];
      const heading = `${counted(runs.length, 'first run')} printed to standard error (${shortList(names)}):`;
      return [heading, ...lines.slice(0, MOST_LINES), ...more].join('\n');
    }),
    ...(rest.length > 0
      ? [`${counted(rest.length, 'first run')} printed other texts to standard error; --format json has all`]
      : []),
  ];
}

/** The process id in a warning of Node.js, which differs from run to run. */
const PROCESS = /\(node:\d+\)/g;
