import {
  type CaseFailures,
  counted,
  type FailureCount,
  guarantees,
  type MissingResult,
  shortList,
  shownIn,
} from '@bench-cli/results';

/** The failed runs of subjects: `3 of 20 runs of new failed, and 0 of 20 of old`. */
export function failedRunsText(failures: readonly FailureCount[]): string {
  const bySubject = Map.groupBy(failures, ({ subject }) => subject);
  const counts = Array.from(bySubject, ([subject, all]) => {
    const sum = (count: (each: FailureCount) => number) =>
      all.reduce((total, each) => total + count(each), 0);
    return `${sum(({ failed }) => failed)} of ${sum(({ runs }) => runs)} of ${subject}`;
  });
  return `failed runs: ${counts.join(', ')}`;
}

/**
 * Sentences about missing results, which stand before the figures.
 * @param isLimited whether the sessions had a time limit, which explains cases without a failed run
 */
export function completenessLines(
  missing: readonly MissingResult[] = [],
  isLimited = false,
): readonly string[] {
  const missingOf = <Kind extends MissingResult['kind']>(kind: Kind) =>
    missing.filter((each): each is Extract<MissingResult, { kind: Kind }> => each.kind === kind);
  const shards = missingOf('no shard').map(({ shard: { index, count } }) => `${index}/${count}`);
  const benchmarks = [
    ...new Set(missingOf('failed benchmark').map(({ benchmark }) => shownIn('line', benchmark))),
  ];
  const failed = [...missingOf('failed runs'), ...missingOf('no run')].filter(({ failures }) =>
    failures.some((each) => each.failed > 0),
  );
  const others = failed.some(({ failures }) => failures.some((each) => each.failed < each.runs));
  const isLeftOut = ({ benchmark, failures }: CaseFailures) =>
    isLimited &&
    failures.every((each) => each.failed === 0) &&
    missingOf('failed benchmark').every((each) => each.benchmark !== benchmark);
  const leftOut = missingOf('no run').filter(isLeftOut).length;
  const unmeasured = missingOf('no run').length - leftOut;
  const lines = [
    missingOf('unfinished').length > 0 && 'The session is not finished.',
    ...missingOf('no guarantee').map(({ guarantee }) => `${sentence(guarantees[guarantee].lack)}.`),
    shards.length > 0 && `Missing shards: ${shards.join(', ')}.`,
    benchmarks.length > 0 && `Failed benchmarks: ${shortList(benchmarks)}.`,
    leftOut > 0 && `The time was up before ${counted(leftOut, 'configuration')} had a result (see --budget).`,
    unmeasured > 0 && `${counted(unmeasured, 'configuration')} without a result under some subjects.`,
    failed.length > 0 &&
      `${sentence(failedRunsText(failed.flatMap(({ failures }) => failures)))}, in ${counted(failed.length, 'configuration')}${others ? '; the rates are those of the others' : ''}.`,
  ];
  return lines.filter((line) => line !== false);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
