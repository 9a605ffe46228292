import { gcMetric } from './gc-profile.ts';

/** Concurrent work of the garbage collector counts for `cpu`. */
export const gc = gcMetric(
  {
    name: 'gc',
    title: 'pauses for garbage collection per operation',
    unit: 'ns',
    better: 'less',
    negligible: 1,
  },
  ({ pauseNs }) => pauseNs,
);

export const collections = gcMetric(
  {
    name: 'collections',
    title: 'garbage collections per million operations',
    unit: '',
    better: 'less',
    negligible: 1,
  },
  ({ collections: count }) => count * 1e6,
);
