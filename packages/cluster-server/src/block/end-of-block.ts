/** cronometro's histogram holds no longer sample, nanoseconds. */
export const LONGEST_SAMPLE_NS = 1e9;

/** What ends a block early whose last sample was longer; its samples are as good as any. */
export const LONG_SAMPLE = 'bench-cli: long sample';
