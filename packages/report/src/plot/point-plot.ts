import { type PointSeries, seriesMarks, tickTexts, verticalGrid } from '../picture/mark.ts';
import type { Scale } from '../picture/scale.ts';
import { area, type Caption, pictureFile, textMark } from './picture.ts';

interface PointAxis {
  readonly title: string;
  readonly scale: Scale;
}

const [WIDTH, HEIGHT] = [640, 360];
const LEFT = 56;

export function pointPlot(
  caption: Caption,
  x: PointAxis,
  y: PointAxis,
  series: readonly PointSeries[],
): string {
  const marks = seriesMarks(x.scale, y.scale, series, HEIGHT);
  const axis = verticalGrid(x.scale, HEIGHT) + tickTexts(x.scale, HEIGHT + 16, WIDTH);
  const drawn = [
    textMark(y.title, [0, 20], WIDTH),
    area([LEFT, 32], [WIDTH, HEIGHT], axis + marks),
    textMark(x.title, [LEFT + WIDTH / 2, HEIGHT + 68], WIDTH, 'middle'),
  ];
  return pictureFile(caption, [LEFT + WIDTH, HEIGHT + 72], drawn.join(''));
}
