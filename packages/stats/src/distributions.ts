/**
 * The distributions that the tests need. The library has about 400 small files, which take a tenth of a second to load. The
 * build makes one file of them, which is loaded at the first test.
 */
export { default as inverseErfc } from '@stdlib/math-base-special-erfcinv';
export { default as normalCdf } from '@stdlib/stats-base-dists-normal-cdf';
export { default as tCdf } from '@stdlib/stats-base-dists-t-cdf';
export { default as tQuantile } from '@stdlib/stats-base-dists-t-quantile';
