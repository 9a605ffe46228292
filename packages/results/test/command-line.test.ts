import { describe, expect, it } from 'vitest';
import { recordedWords, repeatedWords, valuesIn } from '../src/recording/command-line.ts';

const split = (text: string) => text.split(' ');

describe('the recorded words of a command', () => {
  it.each([
    ['compare --old node,env=TOKEN=a,flags=--x', 'compare --old node,env=TOKEN,flags=--x'],
    ['compare --subject=a=node,env=A="x,y",env="B"=1 g', 'compare --subject a=node,env=A,env="B" g'],
    ['run --set env=A=1 g', 'run --set env=A=1 g'],
    ['http clients --host http://me:secret@host/ fetch', 'http clients --host http://***@host/ fetch'],
    ['http load --body secret http://a/', 'http load --body *** http://a/'],
    ['run --no-progress -- --old', 'run --no-progress --old'],
  ])('have no secret: %s', (typed, recorded) => {
    expect(recordedWords(split(typed))).toEqual(split(recorded));
  });

  it.each(['Authorization', 'proxy-authorization', 'COOKIE'])(
    'have only the name of the header %s',
    (name) => {
      const words = ['http', 'load', '--header', `${name}: secret`, 'http://a/'];
      expect(recordedWords(words)[3]).toBe(`${name}: ***`);
    },
  );
});

describe('the words that measure again', () => {
  const typed = split(
    'compare --old git:main --runs 6 --out r.jsonl --shard 1/2 --format json --no-progress --set n=1 --set CPUSET=0 g',
  );

  it('are those of the command without what only one call has', () => {
    expect(repeatedWords(typed)).toEqual(split('compare --old git:main --runs 6 --set n=1 --set CPUSET=0 g'));
  });

  it('have other values and operands', () => {
    const others = { runs: ['auto'], set: ['CPUSET=0', 'n=2'], filter: [] };
    expect(repeatedWords(typed, others, ['-x.js'])).toEqual(
      split('compare --old git:main --runs auto --set CPUSET=0 --set n=2 -- -x.js'),
    );
    expect(valuesIn(typed, 'set')).toEqual(['n=1', 'CPUSET=0']);
  });

  it('begin with both words of a command of http', () => {
    expect(repeatedWords(split('http clients --samples 3 fetch'), { samples: ['auto'] })).toEqual(
      split('http clients --samples auto fetch'),
    );
  });
});
