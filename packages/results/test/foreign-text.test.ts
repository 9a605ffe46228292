import { describe, expect, it } from 'vitest';
import { shownIn } from '../src/index.ts';

const inputs = {
  'a colour': '\x1b[31mred',
  'a cleared screen': '\x1b[2J\x9b2J\x1b]0;owned\x07',
  'line breaks': 'a\nb\rc\r\nd\u2028e\u2029f\x85g',
  'a tab': 'a\tb',
  'reversed text': 'fast\u202eslow\u2066\u061c\u200f',
  'invisible text': 'a\u200bb\u2060c\ufeffd\u00ade\u3164f\u180eg\u{e0041}',
  'half a character': 'a\ud800b',
  'a backslash': 'a\\nb',
  markup: '<img src=x> "&" ]]> `a` ``|`` [b](c) @d',
  nothing: '',
  blanks: ' \u00a0 ',
  quotes: "'a'",
  'two words': 'a  b',
  'a workflow command': '%0A::error file=a,line=1::b',
  'letters of many scripts': 'é 漢字 עברית 👩‍👩‍👧 ❤\ufe0f a\u200cb',
};

const hidden =
  '\\u00ad\\u061c\\u180e\\u200b\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufeff\\u{e0000}-\\u{e007f}';
const inLine = new RegExp(`[\\p{Cc}${hidden}]`, 'u');
type Place = Parameters<typeof shownIn>[0];

/** What a place never has, and examples. */
const places: readonly (readonly [Place, RegExp, readonly (readonly [keyof typeof inputs, string])[]])[] = [
  [
    'lines',
    new RegExp(`(?![\\n\\t])${inLine.source}`, 'u'),
    [
      ['a colour', '\\x1b[31mred'],
      ['line breaks', 'a\nb\\rc\\r\nd\\u2028e\\u2029f\\x85g'],
      ['reversed text', 'fast\\u202eslow\\u2066\\u061c\\u200f'],
      ['invisible text', 'a\\u200bb\\u2060c\\ufeffd\\xade\\u3164f\\u180eg\\u{e0041}'],
    ],
  ],
  [
    'line',
    inLine,
    [
      ['line breaks', 'a\\nb\\rc\\r\\nd\\u2028e\\u2029f\\x85g'],
      ['a tab', 'a\\tb'],
    ],
  ],
  [
    'name',
    inLine,
    [
      ['a colour', '\\x1b[31mred'],
      ['a backslash', 'a\\\\nb'],
      ['a tab', 'a\\tb'],
      ['nothing', "''"],
      ['blanks', "' \\xa0 '"],
      ['quotes', "'\\'a\\''"],
    ],
  ],
  [
    'markdown',
    new RegExp(`${inLine.source}|(?<!\\\\)\\||^[^\`]|[^\`]$`, 'u'),
    [
      ['two words', '`a \u00a0b`'],
      ['markup', '``` <img src=x> "&" ]]> `a` ``\\|`` [b](c) @d ```'],
    ],
  ],
  ['xml', new RegExp(`${inLine.source}|[<>"\\p{Cs}]|&(?!#\\d+;)`, 'u'), [['half a character', 'a\\ud800b']]],
  [
    'annotation',
    new RegExp(`(?!\\t)${inLine.source}|%(?!25|0A)`, 'u'),
    [['a workflow command', '%250A::error file=a,line=1::b']],
  ],
  [
    'annotationProperty',
    new RegExp(`(?!\\t)${inLine.source}|[:,]|%(?!25|0A|3A|2C)`, 'u'),
    [['a workflow command', '%250A%3A%3Aerror file=a%2Cline=1%3A%3Ab']],
  ],
];

describe.each(places)('a foreign text as %s', (place, never, examples) => {
  it.each(Object.entries(inputs))('can contain %s', (_, text) => {
    expect(shownIn(place, text)).not.toMatch(never);
  });

  it.each(examples)('shows %s', (name, expected) => {
    expect(shownIn(place, inputs[name])).toBe(expected);
  });

  it('keeps letters', () => {
    expect(shownIn(place, inputs['letters of many scripts'])).toContain('漢字 עברית 👩‍👩‍👧 ❤\ufe0f');
  });
});
