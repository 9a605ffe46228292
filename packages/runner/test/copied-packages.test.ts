import { expect, it } from 'vitest';
import { copiedPackages } from '../src/task/affected-cases.ts';

const [file, util] = ['node_modules/@scope/rou3/dist/index.mjs', 'node_modules/util/index.js'];

it.each([
  ['another version beside the compared one', ['a,c', 'b,c'], ['@scope/rou3']],
  ['the new version beside itself', ['a,b', 'b,b'], ['@scope/rou3']],
  ['one copy that differs', ['a', 'b'], []],
  ['two copies that differ', ['a,c', 'b,d'], []],
  ['two copies that are the same', ['a,c', 'a,c'], []],
])('names a package of which all subjects load a copy that is the same: %s', (_, digests, expected) => {
  const content = (digest: string) =>
    new Map([
      [file, digest],
      [util, 'u'],
    ]);
  const [old = '', new_ = ''] = digests;
  const contents = new Map([
    ['old', content(old)],
    ['new', content(new_)],
  ]);
  expect(copiedPackages(contents)).toEqual(expected);
});
