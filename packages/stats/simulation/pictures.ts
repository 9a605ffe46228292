import { CONFIG, INK, MUTED, PALETTE, type renderSvg } from '@bench-cli/plots';
import {
  DEFAULT_ERROR_RATE,
  DEFAULT_MAX_RUNS,
  DEFAULT_SEQUENTIAL_MARGIN,
  estimatePairs,
  FIRST_LOOK,
  pairP,
  SequentialBoundary,
  SequentialFamily,
  type Verdict,
} from '@bench-cli/stats';
import type { CellResult } from './grid.ts';
import { measurePairs, normalNoise, type Truth } from './noise.ts';
import type { Random } from './random.ts';
import type { Rule } from './rule.ts';
import { FIXED_RUNS } from './rules/fixed.ts';

type Spec = Parameters<typeof renderSvg>[0];

const top = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  config: CONFIG,
  padding: 16,
};

/** The state of an example after one pair of runs. */
interface Look {
  readonly runs: number;
  /** In percent, like the ends of its interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  readonly nominalP: number;
}

/** A configuration on its way to a verdict. */
export interface Example {
  readonly title: string;
  readonly looks: readonly Look[];
  readonly verdict: Verdict;
}

/** Measures a configuration until its verdict. */
export function exampleOf(truth: Truth, random: Random): Example {
  const { old, new: new_ } = measurePairs(normalNoise, truth, random, DEFAULT_MAX_RUNS);
  const family = new SequentialFamily();
  const looks: Look[] = [];
  for (let run = 0; run < DEFAULT_MAX_RUNS && family.isOpen(''); run++) {
    family.add('', old[run] ?? Number.NaN, new_[run] ?? Number.NaN);
    family.judge();
    const { runs, ratio } = family.judgement('');
    const estimate = estimatePairs({ old: [...old.subarray(0, runs)], new: [...new_.subarray(0, runs)] });
    if (ratio === null || estimate === null) continue;
    const [difference, low, high] = [ratio.ratio, ratio.low, ratio.high].map((each) => (each - 1) * 100);
    if (difference === undefined || low === undefined || high === undefined) continue;
    looks.push({ runs, difference, low, high, nominalP: pairP(estimate) });
  }
  const { verdict } = family.judgement('');
  const difference = truth.effect === 0 ? 'equal' : `${truth.effect * 100} % faster`;
  const title = `${difference}, noise ${truth.deviation * 100} %`;
  return { title, looks, verdict };
}

const runsAxis = {
  field: 'runs',
  type: 'quantitative' as const,
  title: 'pairs of runs',
  scale: { domain: [0, DEFAULT_MAX_RUNS], nice: false },
  axis: { grid: false, tickCount: 6 },
};

/** The end of the vertical axis, in percent. */
const farthest = 8;

/** Limits the values to the picture, because not every program clips what is far outside. */
function withinPicture({ low, high, ...look }: Look): Look {
  return { ...look, low: Math.max(-farthest, low), high: Math.min(farthest, high) };
}

/** The interval of each example as it narrows, until it excludes 0 or lies within the margin. */
export function pathsPicture(examples: readonly Example[]): Spec {
  const margin = DEFAULT_SEQUENTIAL_MARGIN * 100;
  const y = (field: string) => ({
    field,
    type: 'quantitative' as const,
    title: 'difference, per cent',
    scale: { domain: [-farthest, farthest], nice: false },
    axis: { tickCount: 8 },
  });
  return {
    ...top,
    title: {
      text: 'Three configurations on the way to their verdicts',
      subtitle: 'line: estimate; blue: its interval, which holds at every look; grey: the margin',
      offset: 14,
    },
    spacing: 28,
    hconcat: examples.map(({ title, looks, verdict }, index) => {
      const last = looks.at(-1);
      const end = last === undefined ? [] : [{ ...last, text: `${verdict}, after ${last.runs} pairs` }];
      return {
        title: { text: title, fontSize: 12, offset: 6 },
        width: 230,
        height: 230,
        layer: [
          {
            data: { values: [{ low: -margin, high: margin }] },
            mark: { type: 'rect' as const, color: '#e6e8eb', opacity: 0.7 },
            encoding: { y: y('low'), y2: { field: 'high' } },
          },
          {
            data: { values: [{ zero: 0 }] },
            mark: { type: 'rule' as const, color: INK, strokeDash: [3, 3] },
            encoding: { y: y('zero') },
          },
          {
            data: { values: looks.map(withinPicture) },
            mark: { type: 'area' as const, color: PALETTE[4], opacity: 0.35, clip: true },
            encoding: { x: runsAxis, y: y('low'), y2: { field: 'high' } },
          },
          {
            data: { values: [...looks] },
            mark: { type: 'line' as const, color: PALETTE[0], strokeWidth: 1.8, clip: true },
            encoding: { x: runsAxis, y: { ...y('difference'), ...(index > 0 ? { title: null } : {}) } },
          },
          {
            data: { values: end },
            mark: { type: 'point' as const, filled: true, size: 60, color: PALETTE[0], opacity: 1 },
            encoding: { x: runsAxis, y: y('difference') },
          },
          {
            data: { values: end },
            mark: {
              type: 'text' as const,
              y: 14,
              x: 224,
              align: 'right' as const,
              fontWeight: 'bold' as const,
            },
            encoding: { text: { field: 'text' } },
          },
        ],
      };
    }),
  };
}

/** How small p must be after each number of pairs, and the p of each example. */
export function boundaryPicture(examples: readonly Example[]): Spec {
  const boundary = SequentialBoundary.for(DEFAULT_MAX_RUNS);
  const needed = Array.from({ length: DEFAULT_MAX_RUNS - FIRST_LOOK + 1 }, (_, index) => {
    const runs = FIRST_LOOK + index;
    return { runs, p: boundary.nominalP(DEFAULT_ERROR_RATE, runs) };
  });
  const least = 1e-4;
  const paths = examples.flatMap(({ looks, verdict }) =>
    looks.map(({ runs, nominalP }) => ({ runs, p: Math.max(least, nominalP), name: verdict })),
  );
  const ends = examples.flatMap(({ looks, verdict }) => {
    const last = looks.at(-1);
    return last === undefined ? [] : [{ runs: last.runs, p: Math.max(least, last.nominalP), name: verdict }];
  });
  const y = {
    field: 'p',
    type: 'quantitative' as const,
    title: 'p-value of the runs so far',
    scale: { type: 'log' as const, domain: [1, least], nice: false },
    axis: { values: [1, 0.5, 0.1, 0.05, 0.01, 0.001, 0.0001], format: '~g' },
  };
  const color = {
    field: 'name',
    type: 'nominal' as const,
    scale: { domain: examples.map(({ verdict }) => verdict), range: [PALETTE[0], PALETTE[2], PALETTE[1]] },
    legend: { title: 'it ends', orient: 'right' as const },
  };
  const labels = [
    { runs: 17, p: boundary.nominalP(DEFAULT_ERROR_RATE, 17), text: 'from here on up: a difference' },
    { runs: 17, p: DEFAULT_ERROR_RATE, text: 'from here on up, if there were but one look' },
  ];
  return {
    ...top,
    title: {
      text: 'How small p must be, and when',
      subtitle: 'the three configurations again; small is up',
      offset: 14,
    },
    width: 480,
    height: 280,
    layer: [
      {
        data: { values: [{ p: DEFAULT_ERROR_RATE }] },
        mark: { type: 'rule', color: MUTED, strokeDash: [4, 4] },
        encoding: { y },
      },
      {
        data: { values: needed },
        mark: { type: 'line', color: INK, strokeWidth: 2 },
        encoding: { x: runsAxis, y },
      },
      {
        data: { values: labels },
        mark: { type: 'text', align: 'left', dy: -9, fontStyle: 'italic' },
        encoding: { x: runsAxis, y, text: { field: 'text' } },
      },
      {
        data: { values: paths },
        mark: { type: 'line', strokeWidth: 1.6 },
        encoding: { x: runsAxis, y, color },
      },
      {
        data: { values: ends },
        mark: { type: 'point', filled: true, size: 60, opacity: 1 },
        encoding: { x: runsAxis, y, color },
      },
    ],
  };
}

/** Mean runs of each cell under one rule, compared with the fixed number. */
export function runsPicture(rule: Rule, results: readonly CellResult[]): Spec {
  const values = results.flatMap(({ cell, tallies }) => {
    const tally = tallies.get(rule);
    if (tally === undefined) return [];
    return [
      {
        shape: cell.noise.name,
        effect: `${cell.effect * 100} %`,
        noise: `${cell.deviation * 100} %`,
        runs: tally.runs.value,
      },
    ];
  });
  const effects = [...new Set(values.map(({ effect }) => effect))];
  const shapes = [...new Set(values.map(({ shape }) => shape))];
  const y = {
    type: 'quantitative' as const,
    scale: { domain: [0, 32], nice: false },
    axis: { tickCount: 6 },
  };
  return {
    ...top,
    title: {
      text: 'Runs of each subject until the verdict',
      subtitle: 'mean over the simulated comparisons; dashed: a fixed number of 30',
      offset: 14,
    },
    spacing: 24,
    columns: 2,
    concat: shapes.map((shape, index) => ({
      title: { text: `${shape} noise`, fontSize: 12, offset: 6 },
      width: 280,
      height: 190,
      layer: [
        {
          data: { values: [{ runs: FIXED_RUNS }] },
          mark: { type: 'rule' as const, color: INK, strokeDash: [4, 4] },
          encoding: { y: { ...y, field: 'runs' } },
        },
        {
          data: { values: values.filter((value) => value.shape === shape) },
          mark: { type: 'line' as const, point: true },
          encoding: {
            x: {
              field: 'effect',
              type: 'ordinal' as const,
              sort: effects,
              title: 'true difference',
              axis: { labelAngle: 0 },
            },
            y: { ...y, field: 'runs', title: index % 2 === 0 ? 'runs' : null },
            color: {
              field: 'noise',
              type: 'nominal' as const,
              sort: null,
              scale: { range: [PALETTE[0], PALETTE[2], PALETTE[1], PALETTE[5]] },
              title: 'noise of a run',
            },
          },
        },
      ],
    })),
  };
}

/** How often each rule finds a difference that does not exist: one dot per amount of each kind of noise. */
export function falseVerdictsPicture(rules: readonly Rule[], results: readonly CellResult[]): Spec {
  const nothing = results.filter(({ cell }) => cell.effect === 0);
  const values = nothing.flatMap(({ cell, comparisons, tallies }) =>
    rules.flatMap((rule) => {
      const verdicts = tallies.get(rule)?.verdicts;
      if (verdicts === undefined) return [];
      const found = ((verdicts.faster + verdicts.slower) / comparisons) * 100;
      return [{ shape: cell.noise.name, rule: rule.name, found }];
    }),
  );
  const shapes = [...new Set(values.map(({ shape }) => shape))];
  const names = rules.map(({ name }) => name);
  return {
    ...top,
    title: {
      text: 'Differences found where there is none',
      subtitle: 'a dot for each amount of noise: 0.5, 1, 2 and 4 % of the rate; dashed: the promised 5 %',
      offset: 14,
    },
    width: 520,
    height: shapes.length * 64,
    layer: [
      {
        data: { values: [{ found: DEFAULT_ERROR_RATE * 100 }] },
        mark: { type: 'rule', color: INK, strokeDash: [4, 4] },
        encoding: { x: { field: 'found', type: 'quantitative' } },
      },
      {
        data: { values },
        mark: { type: 'point', filled: true, size: 55, opacity: 0.85 },
        encoding: {
          x: {
            field: 'found',
            type: 'quantitative',
            title: 'comparisons of a program with itself that are called faster or slower, per cent',
          },
          y: {
            field: 'shape',
            type: 'nominal',
            sort: shapes,
            title: null,
            axis: { ticks: false, labelPadding: 10 },
          },
          yOffset: { field: 'rule', type: 'nominal', sort: names },
          color: {
            field: 'rule',
            type: 'nominal',
            sort: names,
            scale: { domain: names, range: [PALETTE[0], PALETTE[2], PALETTE[1], PALETTE[5]] },
            title: null,
          },
        },
      },
    ],
  };
}
