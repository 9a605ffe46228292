import { gcMetric } from './gc-profile.ts';

/** Memory outside of the JavaScript heap, such as that of buffers, does not count. */
export const alloc = gcMetric(
  // V8 allocates about 100 kB for the code of a benchmark, which is less than a byte for each of 100,000 operations.
  { name: 'alloc', title: 'bytes allocated per operation', unit: 'B', better: 'less', negligible: 1 },
  ({ allocatedBytes }) => allocatedBytes,
);
