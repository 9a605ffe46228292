import { UsageError } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { type CalibrationOptions, calibrate, createRequest } from '../../dist/index.js';
import { coefficientOfVariation, isSteady } from '../../src/session/steadiness.ts';
import { nodeCoreSuite, script } from '../../../../test/support/node-core-suite.ts';

describe('whether rates are steady', () => {
  it('is told by the standard deviation as a fraction of the mean', () => {
    // sd(c(90, 100, 110)) / mean(c(90, 100, 110)) in R
    expect(coefficientOfVariation([90, 100, 110])).toBeCloseTo(0.1, 12);
  });

  it('is known early where it is clear, and by the estimate where no more runs are wanted', () => {
    expect(isSteady([100, 101], 0.05, 15)).toBeUndefined();
    expect(isSteady([100, 200, 50], 0.05, 15)).toBe(false);
    expect(isSteady([100, 100.5, 99.5], 0.05, 15)).toBe(true);
    expect(isSteady([97, 100, 103], 0.05, 15)).toBeUndefined();
    expect(isSteady([97, 100, 103], 0.05, 3)).toBe(true);
    expect(isSteady([94, 100, 106], 0.05, 3)).toBe(false);
  });
});

/** A benchmark whose rates vary by the more the smaller n is, in the same way each time. */
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
  it('finds the smallest of 1, 2 and 5 times a power of ten with which all configurations are steady', async () => {
    const main = 'vary(({ type }) => (type === "x" ? 40 : 900))(conf);';
    const { trials, calibration } = await calibrated(main, '{ type: ["x", "y"], n: [7, 8] }');
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

  it('gives up where a run would take too long, and says what it saw last', async () => {
    const main = 'vary(() => 1e9)(conf);';
    const { calibration } = await calibrated(main, '{ n: 1 }', { longestRunMs: 900 });
    expect(calibration).toMatchObject({ count: undefined, trials: [{ count: 1000, steady: false }] });
  });

  it('goes on after a count for which the benchmark fails', async () => {
    const main = 'if (conf.n < 100) throw new Error("too few"); bench.report(1, 1000n);';
    const { trials } = await calibrated(main, '{ n: 1 }');
    expect(trials[0]).toMatchObject({ count: 10, steady: false, failure: { kind: 'exit' } });
    expect(trials[1]).toMatchObject({ count: 100, steady: true, variation: 0, runs: 3 });
  });

  it('counts by another parameter, and refuses one that is not there or no number', async () => {
    const { calibration } = await calibrated('bench.report(1, 1000n);', '{ iterations: 1, n: ["a"] }', {
      parameter: 'iterations',
    });
    expect(calibration.count).toBe(10);
    await expect(calibrated('', '{ size: 1 }')).rejects.toThrow(
      new UsageError('g/a.js has no parameter "n" to calibrate; name another with --parameter: size'),
    );
    await expect(calibrated('', '{ n: ["a"] }')).rejects.toThrow('the parameter "n" of g/a.js is no number');
  });
});
