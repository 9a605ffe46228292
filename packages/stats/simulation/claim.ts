import { ERROR_RATE } from '../src/judgement.ts';
import type { Estimate } from './estimate.ts';
import type { FamilyResult } from './family.ts';
import type { GateResult } from './gates.ts';
import type { PilotResult } from './pilots.ts';
import type { PrecisionResult } from './precision.ts';
import type { RankingResult } from './rankings.ts';
import type { SubjectsResult } from './subjects.ts';
import type { Summary } from './summary.ts';

/** A guarantee of docs/adaptive-statistics.md for `--runs auto`, and what the simulation found. */
export interface Claim {
  readonly what: string;
  readonly found: Estimate;
  readonly limit: number;
  readonly unit: '%' | 'runs';
}

/** Standard errors by which a figure may exceed its limit, because a simulation is a sample. */
export const SLACK = 3;

export function isKept(claim: Claim): boolean {
  return surplus(claim) <= 0;
}

/** @param summary over all cells of noise with guarantees */
export function claimsOfErrors(summary: Summary): readonly Claim[] {
  const { falseDifference, falseEquality, missedByAny, missed, missedByEquivalence } = summary;
  return [
    share('faster or slower without a difference, in any cell', falseDifference),
    share('no difference despite one of the margin or more, in any cell', falseEquality),
    share('reported intervals of any verdict that miss the true ratio, in any cell', missedByAny),
    share('intersected intervals that miss the true ratio, in any cell', missed),
    {
      ...share('intervals of no difference that miss the true ratio, in any cell', missedByEquivalence),
      limit: 2 * ERROR_RATE,
    },
  ];
}

function share(what: string, found: Estimate): Claim {
  return { what, found, limit: ERROR_RATE, unit: '%' };
}

/** @param summary over all cells of noise of usual amounts */
export function claimOfPower({ loss }: Summary): Claim {
  return {
    what: 'effects of 3 % or more found less often than with 30 runs, in any cell',
    found: loss,
    limit: 0.1,
    unit: '%',
  };
}

/** @param summary over all cells of one noise of usual amounts */
export function claimOfRuns(noise: string, { runs }: Summary): Claim {
  return { what: `runs on average over all cells, ${noise} noise`, found: runs, limit: 15, unit: 'runs' };
}

/** The promised figures of families. */
const promises = [
  ['falseDiscoveries', 'false discoveries'],
  ['wrongBounds', 'bounds beyond the true difference'],
] as const;

/** Those of adaptive runs alone. */
const adaptivePromises = [
  ['falseEqualities', 'no difference despite one'],
  ['missed', 'intervals that miss the true ratio'],
] as const;

/** Each promise with the family that is the farthest beyond it. @param results of noises with guarantees */
export function claimsOfFamilies(results: readonly FamilyResult[]): readonly Claim[] {
  const whereOf = ({ rule, cases, changed, noise }: FamilyResult) =>
    `${rule} (${cases} cases, ${changed * 100} % differ, ${noise.name})`;
  return [...Map.groupBy(results, ({ rule }) => rule)].flatMap(([rule, ofRule]) => [
    ...[...promises, ...(rule === 'auto' ? adaptivePromises : [])].flatMap(([figure, what]) =>
      farthest(ofRule.map((result) => share(`${what}, ${whereOf(result)}`, result.figures[figure]))),
    ),
    ...farthest(
      ofRule.map((result) => ({
        ...share(`gates "slower" unlike the verdict, ${whereOf(result)}`, result.figures.disagreeing),
        limit: 0,
      })),
    ),
  ]);
}

/** The ranking of fixed and of adaptive runs that is the farthest beyond it. */
export function claimsOfRankings(results: readonly RankingResult[]): readonly Claim[] {
  return [...Map.groupBy(results, ({ runs }) => runs === 'auto').values()].flatMap((ofMethod) =>
    farthest(
      ofMethod.map(({ values, cases, runs, disturbances, wrong }) =>
        share(
          `a certain difference of equal values, ${values} × ${cases} × ${runs}, ${disturbances.name}`,
          wrong,
        ),
      ),
    ),
  );
}

/** @param results without a change of the ratio */
export function claimsOfPilots(results: readonly PilotResult[]): readonly Claim[] {
  return farthest(
    results.map(({ noise, givenUp }) => ({
      what: `plans given up without a change of the ratio, ${noise}`,
      found: givenUp,
      limit: 0.03,
      unit: '%',
    })),
  );
}

/** The claim that is the farthest beyond its limit. */
function farthest(claims: readonly Claim[]): readonly Claim[] {
  const known = claims.filter(({ found }) => !Number.isNaN(found.standardError));
  return known.toSorted((a, b) => surplus(b) - surplus(a)).slice(0, 1);
}

function surplus({ found, limit }: Claim): number {
  return found.value - limit - SLACK * found.standardError;
}

/** The pairs with the baseline and the other pairs are two families. */
export function claimsOfSubjects(
  subjects: string,
  { rule, falseDiscoveries, falseDistinctions }: SubjectsResult,
): readonly Claim[] {
  return [
    share(`false discoveries of four subjects, ${rule}, ${subjects}`, falseDiscoveries),
    share(`false letters of four subjects, ${rule}, ${subjects}`, falseDistinctions),
  ];
}

/** @param results of noises with guarantees */
export function claimsOfGates(results: readonly GateResult[]): readonly Claim[] {
  return Array.from(Map.groupBy(results, ({ method }) => method).values()).flatMap((ofMethod) =>
    farthest(
      ofMethod.map(({ method, noise, crossed }) =>
        share(`crossed gates that all cases are at, ${method} (${noise.name})`, crossed),
      ),
    ),
  );
}

/** @param results of one noise */
export function claimsOfPrecision(noise: string, results: readonly PrecisionResult[]): readonly Claim[] {
  return farthest(results.map(({ missed }) => share(`intervals of a rate that miss it, ${noise}`, missed)));
}
