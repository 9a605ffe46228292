import { DEFAULT_ERROR_RATE } from '../src/sequential/sequential-family.ts';
import type { Estimate } from './estimate.ts';
import type { FamilyResult } from './family.ts';
import type { GateResult } from './gates.ts';
import type { PrecisionResult } from './precision.ts';
import type { SubjectsResult } from './subjects.ts';
import type { Summary } from './summary.ts';

/** A guarantee of docs/adaptive-runs.md for `--runs auto`, and what the simulation found. */
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
  return [
    {
      what: 'faster or slower without a difference, in any cell',
      found: summary.falseDifference,
      limit: DEFAULT_ERROR_RATE,
      unit: '%',
    },
    {
      what: 'no difference despite one of the margin or more, in any cell',
      found: summary.falseEquality,
      limit: DEFAULT_ERROR_RATE,
      unit: '%',
    },
    {
      what: 'reported intervals of any verdict that miss the true ratio, in any cell',
      found: summary.missedByAny,
      limit: DEFAULT_ERROR_RATE,
      unit: '%',
    },
    {
      what: 'intersected intervals that miss the true ratio, in any cell',
      found: summary.missed,
      limit: DEFAULT_ERROR_RATE,
      unit: '%',
    },
    {
      what: 'intervals of no difference that miss the true ratio, in any cell',
      found: summary.missedByEquivalence,
      limit: 2 * DEFAULT_ERROR_RATE,
      unit: '%',
    },
  ];
}

/** @param summary over all cells of noise of usual amounts */
export function claimOfPower({ loss }: Summary): Claim {
  return {
    what: 'effects of 3 % or more found less often than with 30 runs, in any cell',
    found: loss,
    limit: 0.03,
    unit: '%',
  };
}

/** @param summary over all cells of one noise of usual amounts */
export function claimOfRuns(noise: string, { runs }: Summary): Claim {
  return { what: `runs on average over all cells, ${noise} noise`, found: runs, limit: 12, unit: 'runs' };
}

/** The figures of families that are promised, for all rules or for adaptive runs alone. */
const promisedFigures = [
  { figure: 'falseDiscoveries', what: 'false discoveries', limit: DEFAULT_ERROR_RATE, isForAll: true },
  {
    figure: 'wrongBounds',
    what: 'bounds beyond the true difference',
    limit: DEFAULT_ERROR_RATE,
    isForAll: true,
  },
  {
    figure: 'falseEqualities',
    what: 'no difference despite one',
    limit: DEFAULT_ERROR_RATE,
    isForAll: false,
  },
  {
    figure: 'missed',
    what: 'intervals that miss the true ratio',
    limit: DEFAULT_ERROR_RATE,
    isForAll: false,
  },
  { figure: 'disagreeing', what: 'gate "slower" unlike the verdict', limit: 0, isForAll: true },
] as const;

/** Each promise with the family that is the farthest beyond it. @param results of noises with guarantees */
export function claimsOfFamilies(results: readonly FamilyResult[]): readonly Claim[] {
  return promisedFigures.flatMap(({ figure, what, limit, isForAll }) =>
    [...Map.groupBy(results, ({ rule }) => rule)].flatMap(([rule, ofRule]) => {
      const claims = ofRule.map(({ noise, cases, changed, figures }): Claim => {
        const where = `${cases} cases, ${changed * 100} % differ, ${noise.name}`;
        return { what: `${what}, ${rule} (${where})`, found: figures[figure], limit, unit: '%' };
      });
      return isForAll || rule === 'auto' ? farthest(claims) : [];
    }),
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
  const claim = { limit: DEFAULT_ERROR_RATE, unit: '%' } as const;
  return [
    { what: `false discoveries of four subjects, ${rule}, ${subjects}`, found: falseDiscoveries, ...claim },
    { what: `false letters of four subjects, ${rule}, ${subjects}`, found: falseDistinctions, ...claim },
  ];
}

/** @param results of noises with guarantees */
export function claimsOfGates(results: readonly GateResult[]): readonly Claim[] {
  return [...Map.groupBy(results, ({ method }) => method)].flatMap(([method, ofMethod]) =>
    farthest(
      ofMethod.map(({ noise, crossed }) => ({
        what: `crossed gates that all cases are at, ${method} (${noise.name})`,
        ...{ found: crossed, limit: DEFAULT_ERROR_RATE, unit: '%' },
      })),
    ),
  );
}

export function claimOfPrecision(noise: string, results: readonly PrecisionResult[]): Claim {
  const found = results.map(({ missed }) => missed).reduce((a, b) => (b.value > a.value ? b : a));
  return {
    what: `intervals of a rate that miss it, ${noise} noise`,
    found,
    limit: DEFAULT_ERROR_RATE,
    unit: '%',
  };
}
