import {
  type Case,
  caseKey,
  caseName,
  functionKey,
  type Profiles,
  samplePairs,
  succeededRuns,
  type TracedFunction,
} from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import { settings } from '@bench-cli/results/settings';
import {
  expectedSessions,
  FIRST_LOOK,
  logRatios,
  meanOf,
  sumOf,
  varianceOf,
} from '@bench-cli/stats/internal';

export type FunctionNotice = ReturnType<typeof noticedFunctions>;
export type NoticedFunction = FunctionNotice['functions'][number];

/** The share of a case from which a function that is not exported is listed. */
const LEAST_SHARE = 0.01;

/** Of a function of which no case has a sample. */
const unnoticed = { from: Number.POSITIVE_INFINITY, by: null, share: 0 };

/** If no session notices functions, the largest share comes first. */
function byChange(a: Omit<typeof unnoticed, 'by'>, b: Omit<typeof unnoticed, 'by'>): number {
  return a.from === b.from ? b.share - a.share : a.from - b.from;
}

/**
 * The functions that are exported, and then others with at least 1 % of a case, in both parts the weakest
 * first. A case in which sessions find a change of d notices a function with the share p of its time from d /
 * p on.
 * @param recordings of the cases, from which their noise is known: of those with enough pairs, each counts
 * alike
 * @param budgetMs the time limit of a session, which all cases share alike. Default: none
 */
export function noticedFunctions(
  functions: readonly TracedFunction[],
  profiled: readonly { readonly case: Case; readonly profiles: readonly Profiles[] }[],
  recordings: readonly Recording[],
  budgetMs = Number.POSITIVE_INFINITY,
) {
  const noises = Map.groupBy(recordings.flatMap(noiseIn), ({ key }) => key);
  const known = profiled.flatMap(({ case: each, profiles: [profiles] }) => {
    const noise = noises.get(caseKey(each));
    if (!noise || !profiles) return [];
    const pairMs = meanOf(noise.map((ofOne) => ofOne.pairMs));
    return { name: caseName(each), shareOf: sharesIn(profiles), noise, pairMs };
  });
  const roundMs = sumOf(known, ({ pairMs }) => pairMs);
  const maxRuns = Math.min(settings.maxRuns.default, Math.floor(budgetMs / roundMs));
  const cases = known.map((each) => ({ ...each, ...expectedSessions(each.noise, maxRuns, known.length) }));
  const listed = functions.flatMap(({ name, exported, ...each }) => {
    const key = functionKey({ name, place: each.place });
    const noticing = cases.flatMap(({ name: by, shareOf, change }) => {
      const share = shareOf(key);
      return share === 0 ? [] : { from: change / share, by, share };
    });
    const isExported = exported !== undefined;
    const isListed = isExported || noticing.some(({ share }) => share >= LEAST_SHARE);
    const [first = unnoticed] = noticing.sort(byChange);
    return isListed ? { ...each, name: exported ?? name, isExported, ...first } : [];
  });
  return {
    functions: listed.sort(
      (a, b) => +b.isExported - +a.isExported || +a.isExecuted - +b.isExecuted || byChange(b, a),
    ),
    /** With the smallest change that sessions find, a fraction, and the seconds in one without a change. */
    cases: cases.map(({ name, shareOf, change, pairs, pairMs }) => {
      const isMeasuring = functions.some((each) => shareOf(functionKey(each)) > 0);
      const isCovered = isMeasuring && listed.every(({ by }) => by !== name);
      return { name, change, seconds: (pairs * pairMs) / 1000, isCovered };
    }),
    /** The largest number of pairs of a case in a session. */
    maxRuns,
    /** From which the noise is known. */
    recordings: [...new Set(known.flatMap(({ noise }) => noise.map(({ recording }) => recording)))],
  };
}

/** Returns a function that gives the share of a function, by its key, of the time of a case. */
function sharesIn({ runs }: Profiles): (key: string) => number {
  const totalNs = sumOf(runs, (run) => sumOf([...run.values()], (ns) => ns));
  // A profile can have no sample.
  return (key) => sumOf(runs, (run) => run.get(key) ?? 0) / totalNs || 0;
}

/** Of each case with enough pairs, how much they vary and how long they take. */
function noiseIn(recording: Recording) {
  const { session, runs } = recording;
  const subjects = session.request.subjects.map(({ name }) => name);
  const scheduled = succeededRuns(runs).map((run) => ({
    ...run,
    configuration: run.scheduled ?? run.configuration,
  }));
  return [...Map.groupBy(scheduled, caseKey)].flatMap(([key, ofCase]) => {
    const pairMs = 2 * meanOf(ofCase.map(({ durationMs }) => durationMs));
    return samplePairs(ofCase, subjects)
      .filter(({ old, new: other }) => Math.min(old.length, other.length) >= FIRST_LOOK)
      .map((pair) => {
        const logs = logRatios(pair);
        const deviation = Math.sqrt(varianceOf(logs));
        return { key, deviation, knownPairs: logs.length, pairMs, recording };
      });
  });
}
