import { readFile, writeFile } from 'node:fs/promises';
import type { Example, PictureData } from '../../stats/simulation/picture-data.ts';
import { line, pixelsOf, seriesMarks, tickTexts } from '../src/picture/mark.ts';
import { ratioScale, scaleBetween } from '../src/picture/scale.ts';
import { area, pictureFile, textMark } from '../src/plot/picture.ts';
import { pointPlot } from '../src/plot/point-plot.ts';

/** Draws the pictures about adaptive runs in docs/ from the file that `pnpm bench:verdicts --pictures <file>` writes. */
const [file = ''] = process.argv.slice(2);
const data: PictureData = JSON.parse(await readFile(file, 'utf8'));

const runsAxis = {
  title: 'pairs of runs',
  scale: scaleBetween(0, data.maxRuns, [0, 10, 20, 30], { edge: 0 }),
};

/** The narrowing interval of each example, until it excludes 1 or lies within the margin. */
function pathsPicture({ examples, margin }: PictureData): string {
  const [width, height, gap] = [250, 240, 70];
  const looks = examples.flatMap((example) => example.looks);
  const y = ratioScale(
    looks.map(({ ratio: value, ...ends }) => ({ ...ends, value })),
    8,
  );
  const panels = examples.map((example, at) => {
    const points = example.looks.map(({ runs: x, ratio: value, low, high }) => ({
      x,
      y: { low, value, high },
    }));
    const marks = seriesMarks(runsAxis.scale, y, [{ subject: 1, path: [], points }], height);
    const limits = [1 - margin, 1 + margin].map((ratio) => {
      const up = pixelsOf(y.place(ratio), height);
      return line('mean', [0, up], [100, up]);
    });
    const left = 56 + at * (width + gap);
    return [
      textMark(titleOf(example), [left, 12], width + gap, 'title'),
      textMark(`${example.verdict}, after ${points.at(-1)?.x} pairs`, [left, 30], width + gap),
      area([left, 48], [width, height], [marks, ...limits, tickTexts(runsAxis.scale, height + 16)].join('')),
    ].join('');
  });
  const lines = [
    'Three comparisons on their way to a verdict',
    'the difference after each pair of runs, with its interval, which is valid at every look; dashed: the margin',
  ];
  const size = [56 + examples.length * (width + gap) - gap, height + 84] as const;
  const axis = textMark(runsAxis.title, [size[0] / 2, size[1] - 4], width, 'middle');
  return pictureFile({ lines, legend: [] }, size, panels.join('') + axis);
}

function titleOf({ effect, deviation }: Example): string {
  return `${effect === 0 ? 'equal' : `${effect * 100} % faster`}, noise ${deviation * 100} %`;
}

/** The p-value that is needed after a number of pairs, and the p-values of the examples. Small ones are at the top. */
function boundaryPicture({ boundary, errorRate, examples, maxRuns }: PictureData): string {
  const least = 1e-4;
  const paths = examples.map(({ looks }) =>
    looks.map(({ runs, nominalP }) => [runs, 1 / Math.max(least, nominalP)] as const),
  );
  const limit = boundary.map(({ runs, p }) => [runs, 1 / p] as const);
  const single = [0, maxRuns].map((runs) => [runs, 1 / errorRate] as const);
  const series = [...paths, limit, single].map((path, subject) => ({
    ...{ subject, path },
    points: path.slice(-1).map(([x, value]) => ({ x, y: { low: value, value, high: value } })),
  }));
  const ticks = [1, 0.5, 0.1, 0.05, 0.01, 0.001, least].map((p) => 1 / p);
  const y = scaleBetween(1, 1 / least, ticks, {
    isLogarithmic: true,
    textOf: (value) => `${1 / value}`,
    edge: 0,
  });
  const ends = examples.map(({ verdict }) => `ends as ${verdict}`);
  return pointPlot(
    {
      lines: [
        'The p-value that shows a difference',
        'the same three comparisons; small values are at the top',
      ],
      legend: [...ends, 'above: a difference', 'above: a difference, with a single look'],
    },
    runsAxis,
    { title: 'p-value of the runs so far', scale: y },
    series,
  );
}

for (const [name, picture] of Object.entries({
  paths: pathsPicture(data),
  boundary: boundaryPicture(data),
})) {
  await writeFile(new URL(`../../../docs/pictures/verdicts-${name}.svg`, import.meta.url), picture);
}
