import { Bench } from 'tinybench';
import { expect, it } from 'vitest';
import { ran } from '../../runner/test/declared/declared-session.ts';

it('a file of tinybench has its hooks called in the order of tinybench, once per phase or operation, and those of no other task', async () => {
  const calls: string[] = [];
  const note = (name: string) => (of: unknown, mode?: unknown) => {
    const call = `${name} ${mode ?? of}`;
    if (!name.endsWith('Each') || !calls.includes(call)) calls.push(call);
  };
  const hooksWith = (notes: typeof note) => ({
    ...{ beforeAll: notes('beforeAll'), beforeEach: notes('beforeEach') },
    ...{ afterEach: notes('afterEach'), afterAll: notes('afterAll') },
  });
  const times = { time: 1, warmupTime: 1, setup: note('setup'), teardown: note('teardown') };
  await new Bench(times).add('task', () => {}, hooksWith(note)).run();
  const { results } = await ran({
    'g/a.mjs': `import { Bench } from 'tinybench';
const calls = [];
const note = ${note};
const bench = new Bench({ setup: note('setup'), teardown: note('teardown') });
bench.add('other', () => {}, { beforeAll: note('wrong') });
bench.add('task', function () { if (this.name !== 'task') throw new Error('this is ' + this.name); }, (${hooksWith})(note));
await bench.run();
if (calls.length > 0) throw new Error(calls);`,
  });
  expect(results['g/a.mjs > task']).toBe(`Error: ${calls}`);
});
