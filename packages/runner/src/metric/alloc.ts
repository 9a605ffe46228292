import { gcMetric } from './gc-profile.ts';

/** Memory outside of the JavaScript heap, such as that of buffers, does not count. */
export const alloc = gcMetric(
  { name: 'alloc', title: 'bytes allocated per operation', unit: 'B' },
  ({ allocatedBytes }) => allocatedBytes,
);
