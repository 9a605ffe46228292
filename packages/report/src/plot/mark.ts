import { SUBJECT_COLOURS } from './theme.ts';

/** Colours a mark by its subject, with one legend for the picture. */
export const subjectColour = {
  field: 'lane',
  type: 'nominal',
  scale: { domain: Object.keys(SUBJECT_COLOURS), range: Object.values(SUBJECT_COLOURS) },
  legend: { title: null, orient: 'top', symbolType: 'square' },
} as const;
