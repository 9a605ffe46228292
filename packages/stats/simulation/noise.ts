import { caseOfText } from '@bench-cli/results';
import { subjectOrders } from '@bench-cli/results/recording';
import type { Random } from './random.ts';

/** Figures of pairs of runs, such as rates (operations per second). The runs at one index were measured one right after the other. */
export interface Pairs {
  readonly old: Float64Array;
  readonly new: Float64Array;
}

/** How the runs of one program differ. */
export interface Noise {
  readonly name: string;
  /** Whether the guarantees of docs/adaptive-statistics.md cover it. */
  readonly isPromised: boolean;
  /** The standard deviation of a run, if it is always the same. */
  readonly deviation?: number;
  /** The step of the clock, as a fraction of the time of a run of the old subject. */
  readonly step?: number;
  /** Draws deviations of the logarithms of rates, whose standard deviation is about `deviation`. */
  readonly draw: (random: Random, pairs: number, deviation: number) => Pairs;
}

/** The true difference and spread of a case. */
export interface Truth {
  /** The change of the rate, a fraction. */
  readonly effect: number;
  /** Standard deviation of the rate of a run, as a fraction of the rate. */
  readonly deviation: number;
}

/** Measures a case. */
export function measurePairs(
  noise: Noise,
  { effect, deviation }: Truth,
  random: Random,
  pairs: number,
): Pairs {
  const drawn = noise.draw(random, pairs, deviation);
  const { step } = noise;
  const measured = (rate: number) => (step === undefined ? rate : 1 / (step * Math.round(1 / rate / step)));
  const rates = (logs: Float64Array, factor: number) => logs.map((log) => measured(factor * Math.exp(log)));
  return { old: rates(drawn.old, 1), new: rates(drawn.new, 1 + effect) };
}

/** Draws the deviation of one run. */
type DrawRun = (random: Random, deviation: number) => number;

/** Runs that do not depend on each other. The guarantees need one distribution for both subjects. */
function independent(name: string, drawOld: DrawRun, drawNew = drawOld): Noise {
  const drawRuns = (draw: DrawRun, random: Random, runs: number, deviation: number) =>
    Float64Array.from({ length: runs }, () => draw(random, deviation));
  return {
    name,
    isPromised: drawNew === drawOld,
    draw: (random, pairs, deviation) => ({
      old: drawRuns(drawOld, random, pairs, deviation),
      new: drawRuns(drawNew, random, pairs, deviation),
    }),
  };
}

const normal: DrawRun = (random, deviation) => deviation * random.normal();

const sigma = 0.8;
const lognormalMean = Math.exp(sigma ** 2 / 2);
const lognormalDeviation = lognormalMean * Math.sqrt(Math.exp(sigma ** 2) - 1);

/** Most runs are about equally fast, some are slow, and few are very slow. */
const skewed: DrawRun = (random, deviation) =>
  (deviation * (lognormalMean - Math.exp(sigma * random.normal()))) / lognormalDeviation;

/** Student's t with three degrees of freedom: outliers in both directions. */
const heavyTailed: DrawRun = (random, deviation) => {
  const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
  return (deviation * random.normal()) / Math.sqrt(squares);
};

const slowShare = 0.3;
const modeDeviation = 0.3;
const modeDistance = Math.sqrt((1 - modeDeviation ** 2) / (slowShare * (1 - slowShare)));

/** Three of ten runs have a slower process than the others. */
const bimodal: DrawRun = (random, deviation) => {
  const mode = random.uniform() < slowShare ? slowShare - 1 : slowShare;
  return deviation * (mode * modeDistance + modeDeviation * random.normal());
};

/**
 * Processes of a JIT: each draws one of several modes.
 *
 * @param gap how much slower each mode is than the one before, a fraction
 * @param shares of the runs, by mode
 * @param width the standard deviation of the runs of a mode
 */
export function sharpModes(gap: number, shares: readonly number[], width: number): Noise {
  const step = Math.log1p(-gap);
  const mean = shares.reduce((sum, share, mode) => sum + share * mode * step, 0);
  const squares = shares.reduce((sum, share, mode) => sum + share * (mode * step - mean) ** 2, 0);
  const drawMode = (random: Random) => {
    let [mode, left] = [0, random.uniform()];
    for (; mode < shares.length - 1 && left >= (shares[mode] ?? 1); mode++) left -= shares[mode] ?? 1;
    return mode * step - mean;
  };
  const name = `modes ${gap * 100} % apart, ${shares.map((share) => Math.round(100 * share)).join('/')}, ±${width * 100} %`;
  return {
    ...independent(name, (random) => drawMode(random) + width * random.normal()),
    deviation: Math.sqrt(squares + width ** 2),
  };
}

const outlierShare = 0.02;
const outlier = -Math.log(5);

/** Few runs take five times as long. */
const withOutliers: DrawRun = (random, deviation) =>
  random.uniform() < outlierShare ? outlier : normal(random, deviation);

/** How far the machine drifts from pair to pair, in standard deviations of a run. Both runs of a pair have the same disturbance. */
function drifting(drift: number): Noise {
  return {
    name: `drift of ${drift} deviations a round`,
    isPromised: true,
    draw: (random, pairs, deviation) => {
      const drawn = { old: new Float64Array(pairs), new: new Float64Array(pairs) };
      let place = 0;
      for (let pair = 0; pair < pairs; pair++) {
        place += drift * random.normal();
        drawn.old[pair] = deviation * (place + random.normal());
        drawn.new[pair] = deviation * (place + random.normal());
      }
      return drawn;
    },
  };
}

const measuredCase = caseOfText('a', '');

/** Disturbances of the machine, which come and go whichever subject runs. */
function ofMachine(
  name: string,
  isPromised: boolean,
  drawRuns: (random: Random, runs: number, deviation: number) => Float64Array,
): Noise {
  return {
    name,
    isPromised,
    draw: (random, pairs, deviation) => {
      const runs = drawRuns(random, 2 * pairs, deviation);
      const orderIn = subjectOrders(['old', 'new'], Math.floor(random.uniform() * 2 ** 32), measuredCase);
      const order = Array.from({ length: pairs }, (_, round) => orderIn(round)).flat();
      const runsOf = (subject: string) => runs.filter((_, at) => order[at] === subject);
      return { old: runsOf('old'), new: runsOf('new') };
    },
  };
}

/** Each run is correlated with the run before it. */
export function autocorrelatedRuns(correlation: number) {
  const fresh = Math.sqrt(1 - correlation ** 2);
  return (random: Random, runs: number, deviation: number): Float64Array => {
    let place = random.normal();
    return Float64Array.from({ length: runs }, () => {
      place = correlation * place + fresh * random.normal();
      return deviation * place;
    });
  };
}

/** Load makes runs slower by 30 % and doubles their noise. */
const loaded: DrawRun = (random, deviation) => Math.log(0.7) + normal(random, 2 * deviation);

const loadBegins = ofMachine('load that begins', true, (random, runs, deviation) => {
  const from = Math.floor(random.uniform() * runs);
  return Float64Array.from({ length: runs }, (_, at) => (at < from ? normal : loaded)(random, deviation));
});

const loadComesAndGoes = ofMachine('load that comes and goes', true, (random, runs, deviation) => {
  let isLoaded = random.uniform() < 0.5;
  return Float64Array.from({ length: runs }, () => {
    if (random.uniform() < 1 / 8) isLoaded = !isLoaded;
    return (isLoaded ? loaded : normal)(random, deviation);
  });
});

/** The machine slows down every so many runs by 10 %. */
export function slowEvery(period: number) {
  return (random: Random, runs: number, deviation: number): Float64Array => {
    const phase = Math.floor(period * random.uniform());
    return Float64Array.from({ length: runs }, (_, at) => {
      return normal(random, deviation) + (at % period === phase ? Math.log(0.9) : 0);
    });
  };
}

/** Of the two runs of each round, one, drawn by a coin, is 10 % slower: two CPUs of different speed that are used alternately. */
const slowOfTwo = ofMachine('one of two runs slow, by a coin', true, (random, runs, deviation) => {
  let isSlow = false;
  return Float64Array.from({ length: runs }, (_, at) => {
    isSlow = at % 2 === 0 ? random.uniform() < 0.5 : !isSlow;
    return normal(random, deviation) + (isSlow ? Math.log(0.9) : 0);
  });
});

const twoSlowTwoFast = ofMachine('two runs slow, two fast', true, (random, runs, deviation) => {
  const phase = Math.floor(4 * random.uniform());
  return Float64Array.from(
    { length: runs },
    (_, at) => normal(random, deviation) + ((at + phase) % 4 < 2 ? Math.log(0.9) : 0),
  );
});

/** Runs that are slow where the run before them is fast. */
export const alternating: readonly Noise[] = [
  slowOfTwo,
  twoSlowTwoFast,
  ofMachine('autocorrelation -0.5', true, autocorrelatedRuns(-0.5)),
];

export const normalNoise: Noise = independent('normal', normal);
/** Runs of 20 ticks of a clock. */
export const coarseNoise: Noise = { ...independent('a clock of 20 ticks a run', normal), step: 0.05 };
export const bimodalNoise: Noise = independent('bimodal', bimodal);

/** The usual shapes of the noise of a run. */
export const shapes: readonly Noise[] = [
  normalNoise,
  independent('skewed', skewed),
  independent('heavy-tailed', heavyTailed),
  bimodalNoise,
];

export const halves: readonly number[] = [0.5, 0.5];
export const thirds: readonly number[] = [1 / 3, 1 / 3, 1 / 3];

/** Two and three modes, each much narrower than their distance. */
export const twoModes: Noise = sharpModes(0.1, halves, 0.005);
export const threeModes: Noise = sharpModes(0.1, thirds, 0.005);

const withShares = (shares: readonly number[], gaps = [0.03, 0.1, 0.3]): readonly Noise[] =>
  gaps.flatMap((gap) => [0.005, 0.01].map((width) => sharpModes(gap, shares, width)));

/** Modes that many processes draw. */
export const modes: readonly Noise[] = [
  twoModes,
  sharpModes(0.1, halves, 0.01),
  ...withShares(halves, [0.03, 0.3]),
  ...withShares([0.7, 0.3]),
  threeModes,
];

/** A mode that one of ten processes draws. */
export const rareModes: readonly Noise[] = withShares([0.9, 0.1]);

/** Noise that lasts for more than a run, and that of the two subjects in turn. */
export const lasting: readonly Noise[] = [
  drifting(0.5),
  drifting(5),
  loadBegins,
  loadComesAndGoes,
  ofMachine('every 2nd run slow', true, slowEvery(2)),
  ofMachine('every 4th run slow', true, slowEvery(4)),
  ofMachine('autocorrelation 0.3', false, autocorrelatedRuns(0.3)),
  ofMachine('autocorrelation 0.6', false, autocorrelatedRuns(0.6)),
  {
    name: 'autocorrelation 0.3 of each subject',
    isPromised: false,
    draw: (random, pairs, deviation) => ({
      old: autocorrelatedRuns(0.3)(random, pairs, deviation),
      new: autocorrelatedRuns(0.3)(random, pairs, deviation),
    }),
  },
];

/** A slow mode that a share of the runs of one subject have, with equal geometric means. */
const slowModeOfNew = (slowerBy: number, share: number) =>
  independent(
    `a slow mode of new, ${slowerBy * 100} %, ${share * 100} % of runs`,
    normal,
    (random, deviation) => {
      const isSlow = random.uniform() < share;
      return normal(random, deviation) + ((isSlow ? 1 : 0) - share) * Math.log1p(-slowerBy);
    },
  );

/** Noise that differs between the subjects. */
export const lopsided: readonly Noise[] = [
  slowModeOfNew(0.1, 0.5),
  slowModeOfNew(0.1, 0.3),
  slowModeOfNew(0.15, 0.2),
  independent('skewed against each other', skewed, (random, deviation) => -skewed(random, deviation)),
  independent('outliers of both', withOutliers),
  ...[2, 3, 5].map((times) =>
    independent(`new side spreads ${times} times`, normal, (random, deviation) =>
      normal(random, times * deviation),
    ),
  ),
  independent('outliers of new, equal typical runs', normal, withOutliers),
  independent(
    'outliers of new, equal means',
    normal,
    (random, deviation) => withOutliers(random, deviation) - outlierShare * outlier,
  ),
];
