/**
 * The level for the next of a series of tests of any length, by whether each one so far was a discovery. If each test has a chance of at
 * most its level to be a discovery where nothing differs, then of all discoveries up to any time, at most the share `errorRate` is expected
 * to be false. What is tested next can depend on the outcomes so far.
 *
 * Method: LORD++. Half of the error rate is spent over the whole series, and each discovery gives the error rate back once (the first
 * one gives back the other half). It assumes tests of independent runs; without that, the share of false discoveries is still limited in
 * the mean over all series (mFDR) as long as each level holds given the outcomes before.
 * Source: A. Ramdas, F. Yang, M. J. Wainwright and M. I. Jordan, "Online control of the false discovery rate with decaying memory", Advances
 * in Neural Information Processing Systems 30 (2017); the shares are those of A. Javanmard and A. Montanari, "Online rules for control of
 * false discovery rate and false discovery exceedance", Annals of Statistics 46 (2018).
 */
export function onlineLevel(outcomes: readonly boolean[], errorRate: number): number {
  const next = outcomes.length + 1;
  const [first, ...later] = outcomes.flatMap((isDiscovery, at) => (isDiscovery ? [at + 1] : []));
  const ofFirst = first === undefined ? 0 : (errorRate / 2) * shareOf(next - first);
  return later.reduce(
    (sum, time) => sum + errorRate * shareOf(next - time),
    (errorRate / 2) * shareOf(next) + ofFirst,
  );
}

/** The share that is spent after a number of tests. The shares of all numbers sum up to 1. */
function shareOf(tests: number): number {
  return (0.0772 * Math.log(Math.max(tests, 2))) / (tests * Math.exp(Math.sqrt(Math.log(tests))));
}
