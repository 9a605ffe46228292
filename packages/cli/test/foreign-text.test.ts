import { readFileSync, writeFileSync } from 'node:fs';
import { settings } from '@bench-cli/results/settings';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { recordedInputs } from '../../../test/support/recorded-inputs.ts';
import { rechained } from '../../../test/support/recording.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const evil = '\x1b[31m\nFORGED\r\x9b2J\u202e\u2028::error::x<img src=x>|`&\u200b';

const suite = untilEnd(recordedInputs());

beforeAll(() => {
  const inJson = JSON.stringify(evil).slice(1, -1);
  const names = ['parse.js', 'broken.js', 'resolve.js', "it's", '--no-opt', '22.23.3', 'code 1', 'Error: no'];
  let text = readFileSync(suite.path('fixed.jsonl'), 'utf8');
  for (const name of names) text = text.replaceAll(name, `${name}${inJson}`);
  writeFileSync(suite.path('hostile.jsonl'), rechained(text));
});

const analyze = (...args: readonly string[]) =>
  benchCli(['analyze', 'hostile.jsonl', ...args], { cwd: suite.directory });
const gated = ['--fail-on', 'slower>=1%'];

/** They have names as they are. */
const formatsOfData = ['json', 'csv', 'bencher', 'github-action-benchmark', 'hdr'];

/** Control characters, line ends except `\n`, invisible and reversed text, and lines that only a name has. */
const unsafe = /(?!\n)[\p{Cc}\u200b\u2028-\u202e]|^FORGED/mu;

describe('names, messages and versions that somebody else has written', () => {
  it.each(settings.format.kind.analyze.choices?.filter((format) => !formatsOfData.includes(format)) ?? [])(
    'are shown as text by --format %s',
    async (format) => {
      const { stdout, stderr } = await analyze('--format', format, ...(format === 'bars' ? [] : gated));
      expect(stdout).toMatch(/FORGED/);
      expect(stdout).not.toMatch(unsafe);
      expect(stderr).not.toMatch(unsafe);
    },
  );

  it('are data in --format json', async () => {
    const { stdout, stderr } = await analyze('--format', 'json', ...gated);
    expect(JSON.parse(stdout).comparisons[0].benchmark).toBe(`strings/parse.js${evil}`);
    expect(stderr).not.toMatch(unsafe);
  });

  it.each(['page.html', 'plot.svg'])('are shown as text in %s', async (file) => {
    await analyze(file.endsWith('svg') ? '--plot' : '--html', file);
    const text = readFileSync(suite.path(file), 'utf8');
    expect(text).toMatch(/FORGED/);
    expect(text).not.toMatch(/(?![\n\t])[\p{Cc}\u200b\u202e]|<img src=x/u);
  });

  it.each(['simple', 'table'])('are shown as text while measured, by run --format %s', async (format) => {
    const name = `g/a\n${evil.replaceAll('/', '')}.js`;
    using run = temporarySuite({
      [name]: benchmark('{ n: 1 }'),
      'g/b.js': benchmark('{ n: 1 }', `\nthrow new Error(${JSON.stringify(evil)});`),
    });
    const { stdout, stderr } = await benchCli(['run', '.', '--format', format], { cwd: run.directory });
    expect(stdout).toMatch(/FORGED/);
    expect(stderr).toMatch(/FORGED/);
    expect(stdout).not.toMatch(unsafe);
    expect(stderr).not.toMatch(unsafe);
  });
});
