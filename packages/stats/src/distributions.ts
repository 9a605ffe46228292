/** The build bundles these 400 small files of the library, whose loading takes a tenth of a second. */
export { default as inverseErfc } from '@stdlib/math-base-special-erfcinv';
export { default as normalCdf } from '@stdlib/stats-base-dists-normal-cdf';
export { default as tCdf } from '@stdlib/stats-base-dists-t-cdf';
export { default as tQuantile } from '@stdlib/stats-base-dists-t-quantile';
