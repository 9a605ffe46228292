import { describe, expect, it } from 'vitest';
import {
  duration,
  durationOrNone,
  type Kind,
  names,
  percentage,
  perSecond,
  shard,
  texts,
} from '../src/settings/kind.ts';
import {
  allSettings,
  type BenchmarkKind,
  type CodeOrigin,
  type CommandName,
  checkApplicable,
  defaultOf,
  idleSettings,
  kindOf,
  settingCommands,
  settingsOf,
} from '../src/settings/settings.ts';

/** What is read of what is written of a text. */
function reread<Value>(kind: Kind<Value>, text: string): readonly Value[] {
  return kind.write(kind.read(text)).map((written) => kind.read(written));
}

describe('a kind of values', () => {
  it.each<[text: string, kind: Kind<unknown>, value: unknown]>([
    ['2%', percentage, 0.02],
    [' 0.5 % ', percentage, 0.005],
    ['1500ms', duration, 1500],
    ['90s', duration, 90_000],
    ['20m', duration, 1_200_000],
    [' 1.5 h ', duration, 5_400_000],
    ['0', durationOrNone, 0],
    ['a, b', names, ['a', 'b']],
    ['3/8', shard, { index: 3, count: 8 }],
    ['1/1', shard, { index: 1, count: 1 }],
    ['10000/10000', shard, { index: 10_000, count: 10_000 }],
  ])('reads "%s", and what it writes', (text, kind, value) => {
    expect(kind.read(text)).toEqual(value);
    expect(kind.isValid(value)).toBe(true);
    expect(reread(kind, text)).toEqual([value]);
  });

  it.each([
    ...['0', '-1', '', '%', 'two', '2s', '2'].map((text) => [text, percentage] as const),
    ...['0', '-1', '', 's', 'soon', '90', '1d', '1m30s', '600h'].map((text) => [text, duration] as const),
    ...['', '3', '8/', '/8', '3/8/1', '-1/8', '3.5/8', 'x/8', '1/10001', '0/8', '9/8', '0/0', 'auto'].map(
      (text) => [text, shard] as const,
    ),
    ...['__proto__', '__proto__=1'].map((text) => [text, texts] as const),
  ])('does not read "%s"', (text, kind) => {
    expect(() => kind.read(text)).toThrow(RangeError);
  });

  it.each([0, 1e-3, 1e7, 2e7])(
    'allows %d requests per second in a program if the command line does',
    (rate) => {
      const read = () => perSecond.read(String(rate));
      if (perSecond.isValid(rate)) expect(read()).toBe(rate);
      else expect(read).toThrow(RangeError);
    },
  );

  it('has only names, as a text or as a list', () => {
    expect(() => names.read('a,,b')).toThrow(RangeError);
    expect([['a', 'b'], [1], 'a'].map(names.isValid)).toEqual([true, false, false]);
  });
});

const commands: readonly CommandName[] = ['run', 'compare', 'scatter', 'analyze', 'bisect', 'http clients'];

describe('the list of settings', () => {
  it.each(commands)('has each option of %s once', (command) => {
    const flags = settingsOf(command).map(([, { flag }]) => flag.split(' ')[0]);
    expect(flags).toEqual([...new Set(flags)]);
  });

  it('shows or hides a setting in a help, not both', () => {
    for (const commands of Object.values(allSettings).map(settingCommands))
      expect(commands, 'name a command once, with or without parentheses').toEqual([...new Set(commands)]);
  });

  it.each(commands)('has only valid defaults for %s', (command) => {
    for (const [name, setting] of settingsOf(command)) {
      const value = defaultOf(setting, command);
      if (value === undefined) continue;
      expect([name, kindOf(setting, command).isValid(value)]).toEqual([name, true]);
      expect(kindOf(setting, command).read(kindOf(setting, command).write(value).join())).toBe(value);
    }
  });

  it.each([
    ['false', { ignoreFailure: false, allowNewValues: false, allowMissing: false }],
    ['an empty list', { tags: [], metrics: [], failOn: [] }],
  ])('may be given without effect as %s', (_, given) => {
    expect(() => checkApplicable('scatter', given)).not.toThrow();
    const measured = { kinds: new Set<BenchmarkKind>(['createBenchmark']), origins: new Set<CodeOrigin>() };
    expect(idleSettings(given, measured)).toEqual([]);
  });
});
