import { fixture } from '../../../test/support/fixture.ts';

/** R's figures for one configuration of a compare CSV; those of the test are absent if there are too few runs. */
export interface CompareFigures {
  readonly name: string;
  readonly nOld: number;
  readonly nNew: number;
  readonly meanOld: number;
  readonly meanNew: number;
  readonly improvementPercent: number;
  readonly varianceOld?: number;
  readonly varianceNew?: number;
  readonly t?: number;
  readonly df?: number;
  readonly p?: number;
  readonly accuracy05?: number;
  readonly accuracy01?: number;
  readonly accuracy001?: number;
  readonly mannWhitneyP?: number;
}

export interface ScatterFigures {
  readonly chunkLen: number;
  readonly encoding: string;
  readonly n: number;
  readonly rate: number;
  readonly confidenceInterval: number;
}

/** R's figures for a scatter CSV by chunkLen and encoding. */
export interface ScatterDetail {
  readonly name: string;
  /** The share of the variance that inLen explains. */
  readonly share: number | null;
  readonly cells: readonly {
    readonly chunkLen: number;
    readonly encoding: string;
    readonly median: number;
    readonly low: number;
    readonly high: number;
    readonly isSkewed: boolean;
  }[];
  readonly steps: readonly {
    readonly encoding: string;
    readonly from: number;
    readonly to: number;
    readonly ratio: number;
    readonly exponent: number;
    readonly p: number;
    readonly delta: number;
  }[];
}

/** R's figures for samples that are difficult for the tests; null if a figure does not exist. */
export interface DetailFigures {
  readonly samples: readonly {
    readonly name: string;
    readonly old: readonly number[];
    readonly new: readonly number[];
    readonly w: number;
    readonly p: number;
    readonly low: number | null;
    readonly high: number | null;
    /** Twice the one-sided p of a ratio of 1.01 and 1.05, and with swapped subjects of 0.99 and 0.8. */
    readonly beyond: readonly (number | null)[];
    readonly kendallOld: readonly (number | null)[];
    readonly quantilesOld: readonly number[];
  }[];
  readonly families: readonly {
    readonly p: readonly number[];
    readonly adjusted: readonly number[];
  }[];
}

export function detailFigures(): DetailFigures {
  return JSON.parse(fixture('detail.json'));
}

export function compareFigures(name: string): readonly CompareFigures[] {
  return JSON.parse(fixture(name));
}

export function scatterDetails(): readonly ScatterDetail[] {
  return JSON.parse(fixture('scatter-detail.json'));
}

export function scatterFigures(name: string): readonly ScatterFigures[] {
  return JSON.parse(fixture(name));
}

/** The distance of a figure from R's figure, relative to R's. */
export function relativeError(actual: number | null | undefined, expected: number | undefined): number {
  if (actual === null || actual === undefined || expected === undefined) return Number.POSITIVE_INFINITY;
  return actual === expected ? 0 : Math.abs(actual - expected) / Math.abs(expected);
}
