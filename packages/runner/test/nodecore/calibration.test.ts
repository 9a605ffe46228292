import { type CalibrationOptions, calibrate, createRequest } from '@bench-cli/runner';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../../test/support/error-with.ts';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';
import { coefficientOfVariation, isSteady } from '../../src/session/steadiness.ts';

describe('whether rates are steady', () => {
  it('is decided by the standard deviation as a fraction of the mean', () => {
    // sd(c(90, 100, 110)) / mean(c(90, 100, 110)) in R
    expect(coefficientOfVariation([90, 100, 110])).toBeCloseTo(0.1, 12);
  });

  it('is decided early if it is clear, and by the estimate at the limit of runs', () => {
    expect(isSteady([100, 101], 0.05, 15)).toBeUndefined();
    expect(isSteady([100, 200, 50], 0.05, 15)).toBe(false);
    expect(isSteady([100, 100.5, 99.5], 0.05, 15)).toBe(true);
    expect(isSteady([97, 100, 103], 0.05, 15)).toBeUndefined();
    expect(isSteady([97, 100, 103], 0.05, 3)).toBe(true);
    expect(isSteady([94, 100, 106], 0.05, 3)).toBe(false);
  });
});

/** Benchmarks whose rates vary below a required n, in the same way each time. */
const head = `const fs = require('fs');
const vary = (need) => (conf) => {
  const path = __dirname + '/' + Object.values(conf).join('-');
  fs.appendFileSync(path, '.');
  const odd = fs.statSync(path).size % 2 === 0;
  bench.report(conf.n >= need(conf) ? 1000 : odd ? 1000 : 3000, BigInt(conf.n) * 100_000n);
};`;

async function calibrated(main: string, configs: string, options: CalibrationOptions = {}) {
  using suite = nodeCoreSuite({ 'g/a.js': script(configs, main, { head }) });
  const { request } = await createRequest(
    'run',
    { node: {} },
    { items: ['g'], runs: 1, cwd: suite.directory },
  );
  const events = await Array.fromAsync(calibrate(request, options));
  const trials = events.flatMap((event) => (event.type === 'trial' ? [event.trial] : []));
  const last = events.at(-1);
  if (last?.type !== 'calibrated') throw new Error('no result');
  return { trials, calibration: last.calibration };
}

describe('calibrating', () => {
  it('finds the smallest count of 1, 2 or 5 times a power of ten with which all configurations are steady', async () => {
    const main = 'vary(({ type }) => (type === "x" ? 40 : 900))(conf);';
    const { trials, calibration } = await calibrated(main, '{ type: ["x", "y"], n: [7, 8] }', {
      longestRunMs: 10_000,
    });
    const tried = trials.map(({ configuration, steady }) => [
      configuration['type'],
      configuration['n'],
      steady,
    ]);
    expect(tried).toEqual([
      ['x', 10, false],
      ['x', 100, true],
      ['x', 20, false],
      ['x', 50, true],
      ['y', 50, false],
      ['y', 500, false],
      ['y', 5000, true],
      ['y', 1000, true],
    ]);
    expect(calibration.count).toBe(1000);
    expect(calibration.trials.map(({ configuration }) => configuration)).toEqual([
      { n: 50, type: 'x' },
      { n: 1000, type: 'y' },
    ]);
  });

  it('stops when runs would take too long, and returns the last trial', async () => {
    const main = 'vary(() => 1e9)(conf);';
    const { calibration } = await calibrated(main, '{ n: 1 }', { longestRunMs: 900 });
    expect(calibration).toMatchObject({ count: undefined, trials: [{ count: 1000, steady: false }] });
  });

  it('continues after a count with which the benchmark fails', async () => {
    const main = 'if (conf.n < 100) throw new Error("too few"); bench.report(1, 1000n);';
    const { trials } = await calibrated(main, '{ n: 1 }');
    expect(trials[0]).toMatchObject({ count: 10, steady: false, failure: { kind: 'exit' } });
    expect(trials[1]).toMatchObject({ count: 100, steady: true, variation: 0, runs: 3 });
  });

  it('uses another parameter, and refuses an unknown one or one that is not a number', async () => {
    const { calibration } = await calibrated('bench.report(1, 1000n);', '{ iterations: 1, n: ["a"] }', {
      parameter: 'iterations',
    });
    expect(calibration.count).toBe(10);
    await expect(calibrated('', '{ size: 1 }')).rejects.toThrow(
      errorWith('UNKNOWN_PARAMETER', 'g/a.js', '"n"', 'size'),
    );
    await expect(calibrated('', '{ n: ["a"] }')).rejects.toThrow(
      errorWith('PARAMETER', '"n"', 'g/a.js', '"a"'),
    );
  });
});
