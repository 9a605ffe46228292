/** cronometro's histogram holds no longer sample, nanoseconds: one that is longer is the last of its block. */
export const LONGEST_SAMPLE_NS = 1e9;

/**
 * What is thrown after the last sample of a block, all of whose samples count. Otherwise cronometro would reckon its own
 * figures from a histogram of almost two million counters, which takes longer than the samples; ours are made of all
 * blocks together.
 */
export const END_OF_BLOCK = 'bench-cli: end of block';
