import { describe, expect, it } from 'vitest';
import { phaseOf, secondsOf } from '../src/protocol.ts';

describe('secondsOf', () => {
  it.each([
    [0n, '0.000000000'],
    [1n, '0.000000001'],
    [999_999_999n, '0.999999999'],
    [1_000_000_000n, '1.000000000'],
    [1_000_000_001n, '1.000000001'],
    [12_345_678_901n, '12.345678901'],
    [90_071_992_547_409_930_000_000_001n, '90071992547409930.000000001'],
  ])('tells %d ns as %s s: nothing is rounded', (elapsedNs, seconds) => {
    expect(secondsOf(elapsedNs)).toBe(seconds);
  });
});

describe('phaseOf', () => {
  it('is a program that was started by itself where nothing is said', () => {
    expect(phaseOf({})).toBe('standalone');
  });

  it.each(['', '1', 'main'])(
    'is one run when NODE_RUN_BENCHMARK_FN is set, as by Node core: to %j',
    (value) => {
      expect(phaseOf({ NODE_RUN_BENCHMARK_FN: value })).toBe('run');
    },
  );

  it.each(['plan', 'setup', 'teardown'] as const)('is what BENCH_CLI_PHASE says: %s', (phase) => {
    expect(phaseOf({ BENCH_CLI_PHASE: phase })).toBe(phase);
  });

  it('is a run when both are set', () => {
    expect(phaseOf({ BENCH_CLI_PHASE: 'plan', NODE_RUN_BENCHMARK_FN: '' })).toBe('run');
  });

  it('is no phase that this version does not know', () => {
    expect(phaseOf({ BENCH_CLI_PHASE: 'celebrate' })).toBe('standalone');
  });
});
