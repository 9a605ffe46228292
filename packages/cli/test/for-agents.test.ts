import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { benchCli, root } from '../../../test/support/command.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { scriptedRates } from '../../../test/support/scripted-rates.ts';
import { benchmark } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

/** The page for agents: its commands, exit codes and fields, for a patch that makes the code faster. */
const page = readFileSync(join(root, 'docs/for-agents.md'), 'utf8');

/** The first command of the page. */
const compare = () => {
  const [, words = ''] = /^\$ bench-cli (.*) > patch\.json$/m.exec(page) ?? [];
  return benchCli(words.split(' '), { cwd: project.directory, scripted });
};

let runs = 0;
/** A run has the rate of the module that its benchmark imports. */
const scripted = scriptedRates(({ path }) => {
  const text = readFileSync(join(dirname(path), '../../rate.js'), 'utf8');
  return Number(/\d+/.exec(text)) + (runs++ % 7);
}, true);

const project = untilEnd(
  gitRepository({
    '.gitignore': 'node_modules\n',
    'rate.js': 'export const rate = 1000;\n',
    'benchmarks/text/join.js': benchmark('{ n: 1 }', 'bench.report(rate, 1n);', {
      head: "import { rate } from '../../rate.js';",
    }),
  }),
);

it('answers with the fields of the page', async () => {
  writeFileSync(project.path('rate.js'), 'export const rate = 1500;\n');
  const { exitCode, stdout, stderr } = await compare();
  expect(exitCode, stderr).toBe(0);
  const document = JSON.parse(stdout);
  const [comparison] = document.comparisons;
  expect(comparison).toMatchObject({ verdict: 'faster', benchmark: 'text/join.js' });
  expect(comparison.leastChange).toBeGreaterThan(0.4);
  const fields = [...page.matchAll(/^\| (`\w.*?) +\|/gm)].flatMap(([, cell = '']) =>
    Array.from(cell.matchAll(/`(?:comparisons\[\]\.)?(\w+)`/g), ([, field = '']) => field),
  );
  expect(fields.length).toBeGreaterThan(6);
  expect(Object.keys({ ...document, ...comparison })).toEqual(expect.arrayContaining(fields));
});
