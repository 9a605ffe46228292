import { expect, it } from 'vitest';
import { ran } from './declared-session.ts';
import { expectTypedFiles } from './typed-files.ts';

it('files of tinybench and vitest run under node@22, in all formats', () => expectTypedFiles('node@22'));

it.each(['node@18', 'node@20'])(
  'a file of tinybench runs under %s in JavaScript, with imports as bundlers allow',
  async (runtime) => {
    const body = "new Bench({ time: 5 }).add('task', () => ({ overriddenDuration: duration ?? 2 })).run();";
    const { results, notes } = await ran(
      {
        'g/a.mjs': `import { Bench } from 'tinybench';\nimport { duration } from '../src';\n${body}`,
        'g/b.cjs': `const { Bench } = require('tinybench');\nlet duration;\n${body}`,
        'src/index.js': "export * from './duration';",
        'src/duration.mjs': 'export const duration = 2;',
      },
      { runtime },
      { items: ['g'] },
    );
    expect(notes).toEqual([]);
    expect(results).toEqual({ 'g/a.mjs > task': 500, 'g/b.cjs > task': 500 });
  },
);
