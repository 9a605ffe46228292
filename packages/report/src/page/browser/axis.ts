import { roundRateText } from '../../figure-text.ts';

export type Axis = ReturnType<typeof axisOf>;

/** A place in per cent of the width as an attribute. */
export const percentage = (place: number) => `${Number(place.toFixed(2))}%`;

/** An axis of about `parts` parts between round ticks, which includes both ends. */
export function axisOf(min: number, max: number, parts = 4) {
  const span = max - min || Math.abs(max) || 1;
  const rough = span / parts;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(min / step);
  const last = Math.max(first + 1, Math.ceil(max / step));
  // As many digits as make the texts of ticks differ.
  const digits = Math.max(
    1,
    Math.min(15, Math.ceil(Math.log10(Math.max(Math.abs(first), Math.abs(last)) + 1)) + 1),
  );
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => ({
    value: (first + at) * step,
    text: roundRateText((first + at) * step, digits),
  }));
  /** The place of a rate, in per cent of the axis, so that pictures fit any width. */
  const place = (rate: number) => ((rate / step - first) / (last - first)) * 100;
  return { ticks, place };
}
