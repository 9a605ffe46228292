import type { StatusCounts } from '@bench-cli/core';

export type StatusClass = keyof StatusCounts;

/** The answers with each class of status. */
export function byStatusClass(count: (name: StatusClass) => number): Record<StatusClass, number> {
  return {
    '1xx': count('1xx'),
    '2xx': count('2xx'),
    '3xx': count('3xx'),
    '4xx': count('4xx'),
    '5xx': count('5xx'),
  };
}
