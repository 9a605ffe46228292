import { describe, expect, it } from 'vitest';
import {
  type Declared,
  declaredInNode,
  declaredInStandIn,
  fixture,
  ranInNode,
  ranInStandIn,
} from './contract.ts';

const files = ['exports.mjs', 'hooks.mjs', 'common.cjs', 'typed.mts', 'selection.mjs', 'mistakes.mjs'];

/** The declarations of a file, for which the module of Node.js can select each by its name. */
async function unique(file: string): Promise<readonly Declared[]> {
  const declared = await declaredInNode(file);
  const names = declared.map(({ namePath }) => namePath.join(' '));
  return declared.filter(
    ({ skip }, at) =>
      skip === undefined && names.indexOf(names[at] ?? '') === names.lastIndexOf(names[at] ?? ''),
  );
}

/** What each of these declarations did in both modules. */
async function ranInBoth(name: string, samples: number) {
  const file = fixture(name);
  const inBoth = async (declaration: Declared) =>
    [
      declaration,
      await ranInNode(file, declaration.namePath.join(' '), samples),
      await ranInStandIn(file, declaration, samples),
    ] as const;
  return await Promise.all((await unique(file)).map(inBoth));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('the stand-in for node:bench, compared with the module of Node.js', () => {
  it.each(files)('plans %s in the same way', async (name) => {
    expect(await declaredInStandIn(fixture(name))).toEqual(await declaredInNode(fixture(name)));
  });

  it.each([
    ['hooks.mjs', 3],
    ['selection.mjs', 1],
  ])(
    'calls the hooks and functions of %s in the same order, and measures the same, with %i samples',
    async (name, samples) => {
      for (const [declaration, expected, { rates, ...ran }] of await ranInBoth(name, samples)) {
        expect({ declaration, ...ran }).toEqual({ declaration, calls: expected.calls, error: undefined });
        expect(rates).toEqual([expect.closeTo(mean(expected.rates), 6)]);
      }
    },
  );

  it('ends a benchmark in the same way when it is done', async () => {
    const file = fixture('common.cjs');
    const done = (await unique(file)).find(({ namePath }) => namePath[0] === 'done');
    if (done === undefined) throw new Error('it is not declared');
    const expected = await ranInNode(file, 'done', 5);
    expect(expected.rates).toHaveLength(2);
    expect((await ranInStandIn(file, done, 5)).calls).toEqual(expected.calls);
  });

  it('separates benchmarks that differ only in params', async () => {
    const file = fixture('common.cjs');
    const declared = (await declaredInStandIn(file)).filter(({ namePath }) => namePath[0] === 'copy');
    expect(declared).toHaveLength(4);
    for (const declaration of declared) {
      const { copy, n } = declaration.params;
      const { calls, rates } = await ranInStandIn(file, declaration, 1);
      expect(calls.slice(1)).toEqual([
        `copy ${n} ${copy}`,
        `${n} 1000000 ${Number(n) * 1000} {"seen":[${n}]}`,
      ]);
      expect(rates).toEqual([Number(n) * 1000]);
    }
  });

  it('fails where the module of Node.js fails, after the same calls, with the error that was thrown', async () => {
    for (const [{ namePath: name }, expected, ran] of await ranInBoth('mistakes.mjs', 1)) {
      expect({ name, calls: ran.calls }).toEqual({ name, calls: expected.calls });
      // The wording of errors of the module itself differs.
      const isThrown = /thrown by|thrown before|rejected by|: late$|only text/.test(expected.error ?? '');
      const comparable = (text = 'none') => (isThrown ? text : text.split(':', 1)[0]);
      expect({ name, error: comparable(ran.error) }).toEqual({ name, error: comparable(expected.error) });
    }
  });

  it.each(['exports.mjs', 'exports.cjs'])('serves every export to %s', async (name) => {
    const [expected] = await unique(fixture(name));
    if (expected === undefined) throw new Error('it declares nothing');
    const ran = await ranInStandIn(fixture(name), expected, 1);
    expect(ran.calls).toEqual((await ranInNode(fixture(name), expected.namePath.join(' '), 1)).calls);
    expect(ran.calls.length).toBeGreaterThan(10);
  });

  it('accepts and refuses the same declarations', async () => {
    const file = fixture('declarations.mjs');
    const [declaration] = await declaredInStandIn(file);
    if (declaration === undefined) throw new Error('it declares nothing');
    const expected = await ranInNode(file, 'b', 1);
    expect((await ranInStandIn(file, declaration, 1)).calls).toEqual(expected.calls);
    expect(await declaredInStandIn(file)).toEqual(await declaredInNode(file));
  });
});
