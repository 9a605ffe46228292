import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { bin } from '../../../test/support/command.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

const compareCsv = [
  '"binary","filename","configuration","rate","time"',
  ...['old', 'new'].flatMap((binary) => [1, 2, 3].map((rate) => `"${binary}","a.js","n=1",${rate},1`)),
  '',
].join('\n');

/** The parts of this project, and the libraries, whose files a command loads; not those of its child processes. */
async function loadedBy(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  times = 1,
): Promise<ReadonlySet<string>> {
  const observer = `
    const { registerHooks } = require('node:module');
    const { writeFileSync } = require('node:fs');
    const urls = [];
    registerHooks({ load(url, context, nextLoad) { urls.push(url); return nextLoad(url, context); } });
    process.on('exit', () => writeFileSync(__filename + '.log', urls.join('\\n')));`;
  using suite = temporarySuite({ ...files, 'observer.cjs': observer });
  const command = ['--require', suite.path('observer.cjs'), bin, ...args];
  const env = { BENCH_CLI_CACHE: suite.path('cache') };
  for (let time = 0; time < times; time++)
    await execa(process.execPath, command, { cwd: suite.directory, env });
  const urls = readFileSync(suite.path('observer.cjs.log'), 'utf8').split('\n');
  return new Set(
    urls.flatMap((url) => /(?:.*\/node_modules\/|\/packages\/)((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []),
  );
}

describe('a command loads no more than it needs:', () => {
  it('the help, nothing but what reads arguments', async () => {
    expect(await loadedBy({}, ['--help'])).toEqual(new Set(['cli']));
  });

  it('an analysis of CSV, only the statistics', async () => {
    const loaded = await loadedBy({ 'a.csv': compareCsv }, ['analyze', 'compare', 'a.csv']);
    expect(loaded).toEqual(new Set(['cli', 'stats', 'get-east-asian-width']));
  });

  it('a run of JavaScript, neither what strips TypeScript nor what starts other programs', async () => {
    const loaded = await loadedBy({ 'g/a.js': benchmark('{ n: 1 }') }, ['run', '--suite', '.', 'g']);
    expect(loaded).toContain('core');
    for (const name of ['amaro', 'execa', 'tar']) expect(loaded).not.toContain(name);
  });

  it('a run of TypeScript, what strips it only the first time', async () => {
    const files = { 'g/a.ts': benchmark('{ n: 1 }') };
    expect(await loadedBy(files, ['run', '--suite', '.', 'g'])).toContain('amaro');
    expect(await loadedBy(files, ['run', '--suite', '.', 'g'], 2)).not.toContain('amaro');
  });
});
