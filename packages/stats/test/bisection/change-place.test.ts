import { describe, expect, it } from 'vitest';
import { ChangePlace } from '../../src/bisection/change-place.ts';

/** Log ratios by version. */
type Measured = Readonly<Record<number, readonly number[]>>;

function changePlace(size: number, measured: Measured): ChangePlace {
  const point = new ChangePlace(size);
  for (const [version, logRatios] of Object.entries(measured)) {
    for (const logRatio of logRatios) point.add(Number(version), logRatio);
  }
  return point;
}

/** The same probabilities by numerical integration over the level and the logarithm of the noise. */
function integrated(size: number, measured: Measured): number[] {
  const weights = Array.from({ length: size }, (_, first) => {
    let weight = 0;
    for (let logNoise = -7; logNoise < 3; logNoise += 0.1) {
      const noise = Math.exp(logNoise);
      for (let level = -4; level < 4; level += 0.01) {
        let likelihood = 1;
        for (const [version, logRatios] of Object.entries(measured)) {
          const mean = Number(version) < first ? 0 : level;
          for (const each of logRatios) likelihood *= Math.exp(-(((each - mean) / noise) ** 2) / 2) / noise;
        }
        weight += likelihood;
      }
    }
    return weight;
  });
  const sum = weights.reduce((total, each) => total + each, 0);
  return weights.map((each) => each / sum);
}

describe('the probabilities of the first version after a change', () => {
  const measured = { 0: [0.05, -0.08, 0.02], 1: [0.19, 0.02], 2: [0.12], 3: [0.21, 0.17, 0.26, 0.14] };

  it('are those of numerical integration over the unknown level and noise', () => {
    const expected = integrated(4, measured);
    const found = changePlace(4, measured).probabilities();
    for (const [version, probability] of found.entries())
      expect(probability).toBeCloseTo(expected[version] ?? Number.NaN, 4);
    expect(Math.max(...found)).toBeLessThan(0.9);
  });

  it('do not depend on the direction of the change, or on the order of the runs', () => {
    const found = changePlace(4, measured).probabilities();
    const opposite = Object.entries(measured)
      .toReversed()
      .map(([version, ratios]) => [version, ratios.map((ratio) => -ratio).toReversed()]);
    const again = changePlace(4, Object.fromEntries(opposite)).probabilities();
    for (const [version, probability] of found.entries()) expect(again[version]).toBeCloseTo(probability, 12);
  });

  it('are equal for versions that no run separates', () => {
    const [a = 0, b = 0, c = 0] = changePlace(3, { 2: [0.1, 0.12] }).probabilities();
    expect([a, b, c]).toEqual([1 / 3, 1 / 3, 1 / 3].map((each) => expect.closeTo(each, 12)));
  });

  it('are certain without noise', () => {
    const [never, surely] = [0, 1].map((probability) => expect.closeTo(probability, 9));
    const place = changePlace(3, { 0: [0, 0], 1: [0.1, 0.1], 2: [0.1, 0.1] });
    expect(place.probabilities()).toEqual([never, surely, never]);
  });
});

describe('the ratio of a version', () => {
  it("has Student's interval, to whose noise all versions contribute", () => {
    const point = changePlace(3, { 0: [-0.1, 0.1], 2: [0.5, 0.7, 0.6] });
    // R: s <- sqrt((0.02 + 0.02) / 3); exp(0.6 + c(-1, 0, 1) * qt(0.975, 3) * s / sqrt(3))
    expect(point.ratio(2, 0.05)).toEqual({
      low: expect.closeTo(1.47378940877, 9),
      ratio: expect.closeTo(1.82211880039, 9),
      high: expect.closeTo(2.25277566998, 9),
    });
  });

  it('is unknown without runs, or before the noise is known', () => {
    expect(changePlace(2, { 1: [0.5, 0.6] }).ratio(0, 0.05)).toBeNull();
    expect(changePlace(2, { 1: [0.5] }).ratio(1, 0.05)).toBeNull();
  });
});
