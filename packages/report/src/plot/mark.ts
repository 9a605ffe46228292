import { INK, SUBJECT_COLOURS } from './theme.ts';

/** Colours a mark by its subject, with one legend for the picture. @param subjects names, the baseline first */
export function subjectColour(subjects: readonly string[]) {
  const range = subjects.map((_, at) => SUBJECT_COLOURS[at % SUBJECT_COLOURS.length]);
  return {
    field: 'lane',
    type: 'nominal',
    scale: { domain: [...subjects], range },
    legend: { title: null, orient: 'top', symbolType: 'square' },
  } as const;
}

export function percentChannel(title: string, domain: number[]) {
  return (field: string) => ({
    field,
    type: 'quantitative' as const,
    scale: { domain, nice: true },
    axis: { title, tickCount: 6, labelExpr: "datum.label + ' %'" },
  });
}

/**
 * Marks the intervals from the field `low` to the field `high`.
 *
 * @param x the channel of a field
 * @param size the height of the ends
 */
export function intervalMarks<Channel>(x: (field: string) => Channel, size: number) {
  const rule = { mark: { type: 'rule', color: INK, strokeWidth: 1.2 } } as const;
  const tick = { type: 'tick', color: INK, size } as const;
  return [
    { ...rule, encoding: { x: x('low'), x2: { field: 'high' } } },
    { mark: tick, encoding: { x: x('low') } },
    { mark: tick, encoding: { x: x('high') } },
  ];
}
