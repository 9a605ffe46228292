import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { configurationText, parseConfiguration } from '../src/configuration.ts';
import { type CaseGroup, casesWhere, groupCases, parseCondition } from '../src/select.ts';

const cases = [
  { benchmark: 'a.js', configuration: { len: 16, encoding: 'ascii' } },
  { benchmark: 'a.js', configuration: { len: 1024, encoding: 'ascii' } },
  { benchmark: 'a.js', configuration: { len: 4096, encoding: 'utf8' } },
  { benchmark: 'b.js', configuration: { mode: 1 } },
];
type Item = (typeof cases)[number];

describe('a configuration in a CSV', () => {
  it.each([
    ["n=1000 type='fast'", { n: 1000, type: 'fast' }],
    ['n=1000 type="a b=c"', { n: 1000, type: 'a b=c' }],
    [String.raw`s='it\'s' t="\n\x41" u='C:\\d'`, { s: "it's", t: '\nA', u: 'C:\\d' }],
    ["v='12' w=1e3 x=fast y=", { v: '12', w: 1000, x: 'fast', y: '' }],
    ["a=true b=false c='true'", { a: true, b: false, c: 'true' }],
    ['', {}],
  ])('is read: %s', (text, expected) => {
    expect(parseConfiguration(text)).toEqual(expected);
  });

  it('is read as it was printed', () => {
    const configuration = {
      n: 1e21,
      text: `it's "a" \`b\`\n\t\\ =`,
      empty: '',
      ten: '10',
      yes: true,
      no: 'false',
    };
    expect(parseConfiguration(configurationText(configuration))).toEqual(configuration);
  });
});

describe('conditions', () => {
  const kept = (...conditions: string[]) => casesWhere(cases, conditions.map(parseCondition));

  it.each([
    [['encoding=ascii'], [0, 1]],
    [["encoding='utf8'"], [2]],
    [['encoding!=ascii'], [2]],
    [['len>=1024'], [1, 2]],
    [['len>1024'], [2]],
    [['len <= 1024'], [0, 1]],
    [['len<1024'], [0]],
    [['len=1.024e3'], [1]],
    [['len>=1024', 'encoding=ascii'], [1]],
    [['benchmark=b.js'], [3]],
    [[], [0, 1, 2, 3]],
  ])('%s keep the cases %s', (conditions, expected) => {
    expect(kept(...conditions)).toEqual(expected.map((at) => cases[at]));
  });

  it('match booleans by their text', () => {
    const strict = [true, false].map((value) => ({ benchmark: 'a.js', configuration: { strict: value } }));
    expect(casesWhere(strict, [parseCondition('strict=true')])).toEqual([strict[0]]);
    expect(casesWhere(strict, [parseCondition('strict!=true')])).toEqual([strict[1]]);
    const groups = groupCases(strict, ['strict']).map(({ values }) => values);
    expect(groups).toEqual([{ strict: 'false' }, { strict: 'true' }]);
  });

  it.each(['encoding', '=ascii', 'len>=many', 'len~1'])('refuse the invalid text %s', (text) => {
    expect(() => parseCondition(text)).toThrow(errorWith('CONDITION', `"${text}"`));
  });

  it('refuse an unknown parameter and list the known ones', () => {
    expect(() => kept('size=1')).toThrow(
      errorWith('UNKNOWN_PARAMETER', '"size"', 'benchmark, len, encoding, mode'),
    );
  });

  it('are named when they match no case', () => {
    expect(() => kept('len>1e9', 'encoding=ascii')).toThrow(
      errorWith('NO_MATCH', 'len>1e9 and encoding=ascii'),
    );
  });
});

describe('groups of cases', () => {
  const outline = (groups: readonly CaseGroup<Item>[]) =>
    groups.map(({ values, members }) => [values, members.map((it) => cases.indexOf(it))]);

  it('are ordered by value, numbers as numbers', () => {
    expect(outline(groupCases(cases.slice(0, 3), ['len']))).toEqual([
      [{ len: '16' }, [0]],
      [{ len: '1024' }, [1]],
      [{ len: '4096' }, [2]],
    ]);
  });

  it('are made of several parameters, and have "-" for a missing one', () => {
    expect(outline(groupCases(cases, ['benchmark', 'encoding']))).toEqual([
      [{ benchmark: 'a.js', encoding: 'ascii' }, [0, 1]],
      [{ benchmark: 'a.js', encoding: 'utf8' }, [2]],
      [{ benchmark: 'b.js', encoding: '-' }, [3]],
    ]);
  });
});
