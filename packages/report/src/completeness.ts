import {
  type CaseFailures,
  caseName,
  counted,
  type FailureCount,
  guarantees,
  type MissingResult,
  type SubjectNames,
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

type WithoutRun = Extract<MissingResult, { kind: 'no run' }>;

/** Sentences about cases of which all runs of a subject failed. They stand before all others. */
export function failedLines(
  missing: readonly MissingResult[] = [],
  subjectNames: SubjectNames,
): readonly string[] {
  const failed = missing.flatMap((each) =>
    each.kind === 'no run' ? failedSubjects(each).map((subject) => ({ subject, name: caseName(each) })) : [],
  );
  return [...Map.groupBy(failed, ({ subject }) => subject)].map(([subject, cases]) => {
    const names = shortList(cases.map(({ name }) => name));
    return `All runs of ${subjectNames.get(subject) ?? subject} failed in ${counted(cases.length, 'case')}: ${names}.`;
  });
}

/** Why a case has no run: `all runs of new failed`. */
export function withoutRunText(missing: WithoutRun): string {
  const failed = failedSubjects(missing).join(' and ');
  return failed === ''
    ? `did not run under ${missing.subjects.join(' and ')}`
    : `all runs of ${failed} failed`;
}

function failedSubjects({ subjects, failures }: WithoutRun): readonly string[] {
  return subjects.filter((name) => failures.some((each) => each.subject === name && each.failed > 0));
}

/** @param isLimited whether sessions had a time limit, which explains ended cases without a failed run */
export function completenessLines(
  missing: readonly MissingResult[] = [],
  isLimited = false,
): readonly string[] {
  const missingOf = <Kind extends MissingResult['kind']>(kind: Kind) =>
    missing.filter((each): each is Extract<MissingResult, { kind: Kind }> => each.kind === kind);
  const shards = missingOf('no shard').map(({ shard: { index, count } }) => `${index}/${count}`);
  const benchmarks = missingOf('failed benchmark').map(({ benchmark }) => shownIn('name', benchmark));
  const failed = missingOf('failed runs');
  const isLeftOut = ({ benchmark, failures }: CaseFailures) =>
    isLimited &&
    missingOf('unfinished').length === 0 &&
    failures.every((each) => each.failed === 0) &&
    missingOf('failed benchmark').every((each) => each.benchmark !== benchmark);
  const unmeasured = missingOf('no run').filter((each) => failedSubjects(each).length === 0);
  const leftOut = unmeasured.filter(isLeftOut).length;
  const others = unmeasured.length - leftOut;
  const lines = [
    missingOf('unfinished').length > 0 && 'The session is not finished.',
    ...missingOf('no guarantee').map(({ guarantee }) => `${sentence(guarantees[guarantee].lack)}.`),
    shards.length > 0 && `Missing shards: ${shards.join(', ')}.`,
    benchmarks.length > 0 && `Failed benchmarks: ${shortList([...new Set(benchmarks)])}.`,
    leftOut > 0 && `The time was up before ${counted(leftOut, 'case')} had a result (see --budget).`,
    others > 0 && `${counted(others, 'case')} did not run under some subjects.`,
    failed.length > 0 &&
      `${sentence(failedRunsText(failed.flatMap(({ failures }) => failures)))}, in ${counted(failed.length, 'case')}; the rates are those of the others.`,
  ];
  return lines.filter((line) => line !== false);
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
