import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { durationWord, percentWord, readDuration, readPercent, requireNode } from '../src/options.ts';

describe('a percentage', () => {
  it.each([
    ['2%', 0.02],
    ['2', 0.02],
    [' 0.5 % ', 0.005],
  ])('is read from "%s"', (text, fraction) => {
    expect(readPercent(text)).toBe(fraction);
    expect(readPercent(percentWord(fraction))).toBe(fraction);
  });

  it.each(['0', '-1', '', '%', 'two', '2s'])('is not read from "%s"', (text) => {
    expect(() => readPercent(text)).toThrow(expect.objectContaining({ code: 'commander.invalidArgument' }));
  });
});

describe('a duration', () => {
  it.each([
    ['90', 90_000],
    ['0.5', 500],
    ['90s', 90_000],
    ['20m', 1_200_000],
    [' 1.5 h ', 5_400_000],
  ])('is read from "%s"', (text, milliseconds) => {
    expect(readDuration(text)).toBe(milliseconds);
    expect(readDuration(durationWord(milliseconds))).toBe(milliseconds);
  });

  it.each(['0', '-1', '', 's', 'soon', '1d', '1m30s'])('is not read from "%s"', (text) => {
    expect(() => readDuration(text)).toThrow(expect.objectContaining({ code: 'commander.invalidArgument' }));
  });
});

describe('a command that requires Node.js 22.21', () => {
  const clients = () => new Command('clients').exitOverride().configureOutput({ outputError: () => {} });

  it.each(['22.21.0', '22.30.1', '23.0.0', '26.1.0'])('runs under %s', (version) => {
    expect(() => requireNode(clients(), '22.21', version)).not.toThrow();
  });

  it.each(['22.19.0', '22.20.9', '21.99.0'])('names both versions under %s', (version) => {
    expect(() => requireNode(clients(), '22.21', version)).toThrow(
      new RegExp(`clients .*22\\.21.* ${version}`),
    );
  });
});
