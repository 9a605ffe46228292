import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, it } from 'vitest';
import { root } from './support/command.ts';
import { benchmark, temporarySuite } from './support/suite.ts';

/** Much slower without compiled code. */
const spinning =
  'let sum = 0; bench.start(); for (let i = 0; i < conf.n * 10; i++) sum += i % 7; bench.end(conf.n);';

it('the example of embed.md that ranks subjects runs as written', async () => {
  using suite = temporarySuite({ 'benchmarks/parse.js': benchmark('{ n: 1e5 }', spinning) });
  const text = readFileSync(join(root, 'docs/embed.md'), 'utf8');
  const blocks = Array.from(text.matchAll(/^```ts\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  const file = suite.path('rank.ts');
  writeFileSync(file, blocks.find((block) => block.includes('rankValues')) ?? '');
  for (const name of ['cli', 'stats'])
    symlinkSync(join(root, 'packages', name), suite.path(`node_modules/@bench-cli/${name}`));
  const { stdout } = await execa(process.execPath, [file], { cwd: suite.directory });
  expect(stdout).toMatch(/^fast slow \d[\d.]* true$/);
});
