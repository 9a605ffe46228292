import { afterAll, describe, expect, it } from 'vitest';
import { nodeCoreSuite } from '../../../../test/support/node-core-suite.ts';
import { linesOf, Suite } from '../../../../test/support/script-suite.ts';
import { eventsIn, runsOf } from '../../../../test/support/session-events.ts';

const moved = (main: string, configs = '{ n: 1 }', head = '') => `'use strict';
const common = require('@bench-cli/core/common');
${head}
const bench = common.createBenchmark(main, ${configs});
function main(conf) { ${main} }`;

const suite = new Suite();
afterAll(() => suite.remove());

describe('a benchmark of Node core with one line changed', () => {
  it('runs as a program without common.js', async () => {
    const source = moved('bench.start(); bench.end(conf.n);', '{ type: ["x", "y"], n: [5] }');
    const file = suite.write('g/a.cjs', source);
    const { code, stdout, stderr } = await suite.run(file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(linesOf(stdout)).toEqual([
      expect.stringMatching(/^g\/a\.cjs n=5 type="?x"?: \d/),
      expect.stringMatching(/^g\/a\.cjs n=5 type="?y"?: \d/),
    ]);
  });

  it('has all exports of common.js that benchmarks use', async () => {
    const main = `
const assert = require('node:assert');
for (const text of Object.values(common.searchParams)) new URLSearchParams(text);
for (const url of Object.values(common.urls)) new URL(url);
assert.deepStrictEqual(common.urlDataTypes, [...Object.keys(common.urls), 'wpt']);
assert.strictEqual(common.bakeUrlData('short').length, 200);
assert.strictEqual(common.bakeUrlData('short', 2)[799], common.urls.short);
assert.deepStrictEqual(common.bakeUrlData('dot', 0, true)[0], [common.urls.dot, 'about:blank']);
assert.ok(common.bakeUrlData('ws', 0, false, true)[0] instanceof URL);
assert.throws(() => common.bakeUrlData('nothing'), { code: 'ERR_BENCH_URL_DATA', message: /"nothing": .*long, short/ });
assert.throws(() => common.bakeUrlData('wpt'), { code: 'ERR_BENCH_URL_DATA', message: /test\\/fixtures\\/wpt/ });
assert.strictEqual(typeof common.binding('util'), 'object');
assert.strictEqual(common.buildType, 'Release');
assert.ok(common.PORT > 0);
bench.report(1, 1n);`;
    const { code, stderr } = await suite.run(suite.write('g/all.cjs', moved(main)));
    expect(stderr.replace(/\(node.*\n.*\n/, '')).toBe('');
    expect(code).toBe(0);
  });

  it('reads the Web Platform Tests of the checkout that contains it', async () => {
    const tests = [
      'a comment',
      { input: '../a', base: 'http://b/c/d' },
      { input: 'http://e/', base: null },
      { input: 'bad', base: 'x:', failure: true },
    ];
    suite.write('checkout/test/fixtures/wpt/url/resources/urltestdata.json', JSON.stringify(tests));
    const main = `console.error(JSON.stringify([common.bakeUrlData('wpt'), common.bakeUrlData('wpt', 0, true)])); bench.report(1, 1n);`;
    const { stderr } = await suite.run(suite.write('checkout/benchmark/g/a.cjs', moved(main)));
    expect(JSON.parse(stderr)).toEqual([
      ['http://b/c/d'],
      [
        ['../a', 'http://b/c/d'],
        ['http://e/', null],
      ],
    ]);
  });

  it('runs inside a suite of Node core', async () => {
    using inside = nodeCoreSuite({
      'g/a.js': moved('bench.report(1, 1n);', '{ arg: ["1"], n: [5] }'),
    });
    const events = await eventsIn(inside);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
    expect(runsOf(events)).toMatchObject([
      { benchmark: 'g/a.js', status: 'ok', configuration: { n: 5, arg: '1' } },
    ]);
  });
});
