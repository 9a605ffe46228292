import { gcMetric } from './gc-profile.ts';

/** Memory outside of the JavaScript heap, such as that of buffers, and code do not count. */
export const alloc = gcMetric(
  // V8 itself allocates up to 200 kB beside a benchmark, which is at most a byte for each of 200,000 operations.
  { name: 'alloc', title: 'bytes allocated per operation', unit: 'B', better: 'less', negligible: 1 },
  ({ allocatedBytes }) => allocatedBytes,
);
