import { parseArgs } from 'node:util';
import { onlineLevel } from '../src/online-level.ts';
import { DEFAULT_ERROR_RATE } from '../src/sequential/sequential-family.ts';
import { judgeAdaptively, measureCases } from './command.ts';
import { meanOf } from './estimate.ts';
import { alternating, type Noise, shapes } from './noise.ts';
import { between, type Random, randomStreams } from './random.ts';
import { withError } from './text.ts';

/**
 * Simulates series of candidate patches, each with four benchmarks, as `compare --ledger` measures them and as `compare` does, and prints
 * the table of docs/for-agents.md. The exit code is 1 if more candidates called better are not than the error rate allows.
 * `--noise` is a part of the name of the noise of runs (default: normal).
 */
const { values: options } = parseArgs({
  options: { series: { type: 'string', default: '10' }, noise: { type: 'string', default: 'normal' } },
});
const noise = [...shapes, ...alternating].find(({ name }) => name.includes(options.noise));
if (noise === undefined) throw new Error(`unknown noise ${options.noise}`);
const CANDIDATES = 500;
const BENCHMARKS = 4;

/** Whether a candidate is called better: a benchmark is faster, and none is slower. */
function isCalledBetter(noise: Noise, isBetter: boolean, errorRate: number, random: Random): boolean {
  // Better candidates are 1 to 6 % faster in one benchmark. Runs vary by 0.5 to 2 %.
  const truths = Array.from({ length: BENCHMARKS }, (_, at) => ({
    effect: isBetter && at === 0 ? between(random, 0.01, 0.06) : 0,
    deviation: between(random, 0.005, 0.02),
  }));
  const { comparisons } = judgeAdaptively(measureCases(noise, truths, random), [], errorRate);
  const has = (verdict: string) => comparisons.some((each) => each.verdict === verdict);
  return has('higher') && !has('lower');
}

function seriesOf(
  noise: Noise,
  share: number,
  levelOf: (outcomes: readonly boolean[]) => number,
  random: Random,
) {
  const outcomes: boolean[] = [];
  let [better, found, wrong] = [0, 0, 0];
  for (let at = 0; at < CANDIDATES; at++) {
    const isBetter = random.uniform() < share;
    const isCalled = isCalledBetter(noise, isBetter, levelOf(outcomes), random);
    outcomes.push(isCalled);
    if (isBetter) better++;
    if (isCalled && isBetter) found++;
    if (isCalled && !isBetter) wrong++;
  }
  return { wrong, falseShare: wrong / Math.max(1, wrong + found), power: found / better };
}

const rules = {
  'each by itself': () => DEFAULT_ERROR_RATE,
  'with a ledger': (outcomes: readonly boolean[]) => onlineLevel(outcomes, DEFAULT_ERROR_RATE),
};
const streams = randomStreams(20_261_123);
console.log(
  '| better | rule | falsely called better, of 500 | of those called better, false (%) | of the better ones, found (%) |',
);
console.log('| ---: | --- | ---: | ---: | ---: |');
for (const share of [0, 0.1, 0.5]) {
  for (const [rule, levelOf] of Object.entries(rules)) {
    const all = Array.from({ length: Number(options.series) }, () =>
      seriesOf(noise, share, levelOf, streams.next().value),
    );
    const wrong = meanOf(all.map((each) => each.wrong));
    const falseShare = meanOf(all.map((each) => each.falseShare));
    const power = share === 0 ? '' : withError(meanOf(all.map((each) => each.power)));
    const cells = [`${share * 100} %`, rule, wrong.value.toFixed(1), withError(falseShare), power];
    console.log(`| ${cells.join(' | ')} |`);
    if (rule === 'with a ledger' && falseShare.value - 3 * falseShare.standardError > DEFAULT_ERROR_RATE)
      process.exitCode = 1;
  }
}
