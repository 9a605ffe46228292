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

/**
 * Standard errors by which a figure may exceed its limit, because a simulation is a sample. If a figure were exactly at its
 * limit in each of 18 cells, one of them would exceed the allowance with a probability of 2 %.
 */
export const SLACK = 3;

export function isKept({ found, limit }: Claim): boolean {
  return found.value <= limit + SLACK * found.standardError;
}

/** @param summary over all cells of exchangeable noise */
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

/** @param summary over all cells of exchangeable noise of usual amounts */
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

export function claimOfFamily(family: string, { falseDiscoveries }: FamilyResult): Claim {
  return {
    what: `false discoveries, ${family}`,
    found: falseDiscoveries,
    limit: DEFAULT_ERROR_RATE,
    unit: '%',
  };
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

export function claimOfGate({ method, correction, noise, crossed }: GateResult): Claim {
  return {
    what: `crossed gates that all cases are at, ${method}, ${correction}, ${noise.name} noise`,
    found: crossed,
    limit: DEFAULT_ERROR_RATE,
    unit: '%',
  };
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
