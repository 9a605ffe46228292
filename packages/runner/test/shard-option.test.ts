import { expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { readShard } from '../src/shard/shard-option.ts';

it('counts shards from 1', () => {
  expect(readShard('3/8')).toEqual({ index: 3, count: 8 });
  expect(readShard('1/1')).toEqual({ index: 1, count: 1 });
});

it.each(['', '3', '8/', '/8', '3/8/1', '-1/8', '3.5/8', 'x/8', 'auto', '1/9999999', '0/8', '9/8', '0/0'])(
  'refuses --shard "%s"',
  (text) => {
    expect(() => readShard(text)).toThrow(errorWith('SHARD', `--shard ${text} `));
  },
);
