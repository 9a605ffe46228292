import { readFile, writeFile } from 'node:fs/promises';
import type { Example, PictureData } from '../../stats/simulation/picture-data.ts';
import { Picture, renderSvg } from '../src/plot/picture.ts';
import { CONFIG, INK, MUTED, PALETTE } from '../src/plot/theme.ts';

/** Draws the pictures about adaptive runs in docs/ from the file that `pnpm bench:verdicts --pictures <file>` writes. */
const [file = ''] = process.argv.slice(2);
const data: PictureData = JSON.parse(await readFile(file, 'utf8'));

const top = {
  $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
  config: CONFIG,
  padding: 16,
};

const runsAxis = {
  field: 'runs',
  type: 'quantitative' as const,
  title: 'pairs of runs',
  scale: { domain: [0, data.maxRuns], nice: false },
  axis: { grid: false, tickCount: 6 },
};

/** The end of the vertical axis, in per cent. */
const farthest = 8;

/** The differences in per cent. The interval ends at the axis, because not every viewer clips it. */
function inPercent({ looks }: Example) {
  return looks.map(({ runs, ratio, low, high }) => ({
    runs,
    difference: (ratio - 1) * 100,
    low: Math.max(-farthest, (low - 1) * 100),
    high: Math.min(farthest, (high - 1) * 100),
  }));
}

/** The narrowing interval of each example, until it excludes 0 or lies within the margin. */
function pathsPicture({ examples, ...settings }: PictureData): Picture {
  const margin = settings.margin * 100;
  const y = (field: string) => ({
    field,
    type: 'quantitative' as const,
    title: 'difference, per cent',
    scale: { domain: [-farthest, farthest], nice: false },
    axis: { tickCount: 8 },
  });
  return new Picture({
    ...top,
    title: {
      text: 'Three comparisons on their way to a verdict',
      subtitle: 'line: estimate; blue: its interval, which is valid at every look; grey: the margin',
      offset: 14,
    },
    spacing: 28,
    hconcat: examples.map((example, index) => {
      const { effect, deviation, verdict } = example;
      const looks = inPercent(example);
      const last = looks.at(-1);
      const title = `${effect === 0 ? 'equal' : `${effect * 100} % faster`}, noise ${deviation * 100} %`;
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
            data: { values: looks },
            mark: { type: 'area' as const, color: PALETTE[4], opacity: 0.35, clip: true },
            encoding: { x: runsAxis, y: y('low'), y2: { field: 'high' } },
          },
          {
            data: { values: looks },
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
  });
}

/** The p-value that is needed after a number of pairs, and the p-values of the examples. */
function boundaryPicture({ boundary, errorRate, examples }: PictureData): Picture {
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
    { ...boundary.find(({ runs }) => runs === 17), text: 'above: a difference' },
    { runs: 17, p: errorRate, text: 'above: a difference, with a single look' },
  ];
  return new Picture({
    ...top,
    title: {
      text: 'The p-value that shows a difference',
      subtitle: 'the same three comparisons; small values are at the top',
      offset: 14,
    },
    width: 480,
    height: 280,
    layer: [
      {
        data: { values: [{ p: errorRate }] },
        mark: { type: 'rule', color: MUTED, strokeDash: [4, 4] },
        encoding: { y },
      },
      {
        data: { values: [...boundary] },
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
  });
}

/** Mean runs of each cell, and the fixed number. */
function runsPicture({ runs, fixedRuns }: PictureData): Picture {
  const values = runs.map(({ effect, deviation, ...cell }) => ({
    ...cell,
    effect: `${effect * 100} %`,
    noise: `${deviation * 100} %`,
  }));
  const effects = [...new Set(values.map(({ effect }) => effect))];
  const shapes = [...new Set(values.map(({ shape }) => shape))];
  const y = {
    type: 'quantitative' as const,
    scale: { domain: [0, 32], nice: false },
    axis: { tickCount: 6 },
  };
  return new Picture({
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
          data: { values: [{ runs: fixedRuns }] },
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
  });
}

/** How often each rule finds a difference without one: a dot for each amount of each noise. */
function falseVerdictsPicture({ falseVerdicts, errorRate }: PictureData): Picture {
  const values = falseVerdicts.map(({ found, ...value }) => ({ ...value, found: found * 100 }));
  const shapes = [...new Set(values.map(({ shape }) => shape))];
  const names = [...new Set(values.map(({ rule }) => rule))];
  return new Picture({
    ...top,
    title: {
      text: 'Differences found without a true difference',
      subtitle:
        'a dot for each amount of noise: 0.5, 1, 2 and 4 % of the rate, or that of the modes; dashed: the guaranteed 5 %',
      offset: 14,
    },
    width: 520,
    height: shapes.length * 64,
    layer: [
      {
        data: { values: [{ found: errorRate * 100 }] },
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
            axis: { ticks: false, labelPadding: 10, labelLimit: 300 },
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
  });
}

for (const [name, picture] of Object.entries({
  paths: pathsPicture(data),
  boundary: boundaryPicture(data),
  runs: runsPicture(data),
  'false-verdicts': falseVerdictsPicture(data),
})) {
  const target = new URL(`../../../docs/pictures/verdicts-${name}.svg`, import.meta.url);
  await writeFile(target, `${await renderSvg(picture)}\n`);
}
