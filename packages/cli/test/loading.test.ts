import { readFileSync } from 'node:fs';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { bin } from '../../../test/support/command.ts';
import { compareCsv } from '../../../test/support/fixture.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';

/** The files that a command loads, from the directory of the packages; not those of its child processes. */
async function loadedBy(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<readonly string[]> {
  const observer = `
    const { registerHooks } = require('node:module');
    const { writeFileSync } = require('node:fs');
    const urls = [];
    registerHooks({ load(url, context, nextLoad) { urls.push(url); return nextLoad(url, context); } });
    process.on('exit', () => writeFileSync(__filename + '.log', urls.join('\\n')));`;
  using suite = temporarySuite({ ...files, 'observer.cjs': observer });
  const options = { cwd: suite.directory, env: { BENCH_CLI_CACHE: suite.path('cache') } };
  await execa(process.execPath, ['--require', suite.path('observer.cjs'), bin, ...args], options);
  const urls = readFileSync(suite.path('observer.cjs.log'), 'utf8').split('\n');
  return urls.flatMap((url) => /\/(?:packages|node_modules)\/(.*)$/.exec(url)?.[1] ?? []);
}

const later = 'import what a start does not need where it is used: await import()';
const packagesOf = (files: readonly string[]) => new Set(files.map((file) => file.split('/')[0]));

describe('a command loads no more than it needs:', () => {
  it('the help loads only the argument parser', async () => {
    const loaded = await loadedBy({}, ['--help']);
    expect(packagesOf(loaded), later).toEqual(new Set(['cli', 'results']));
    expect(loaded.filter((file) => /recording|schema|csv/.test(file))).toEqual([]);
  });

  it('an analysis of CSV loads no schemas, plots or pages', async () => {
    const loaded = await loadedBy({ 'a.csv': compareCsv }, ['analyze', 'a.csv']);
    expect(packagesOf(loaded), later).toEqual(new Set(['cli', 'results', 'stats', 'report']));
    expect(loaded.filter((file) => /(recording|schema|plot|page)\.js$/.test(file))).toEqual([]);
  });

  it('a run with a fixed number of runs in CSV loads no statistics, no load tools, and nothing that starts other programs', async () => {
    const loaded = await loadedBy({ 'g/a.js': benchmark('{ n: 1 }') }, [
      ...['run', '--format', 'csv', '--suite', '.', 'g'],
    ]);
    expect(packagesOf(loaded), later).toEqual(
      new Set(['agent', 'cli', 'results', 'runner', 'subjects', 'system']),
    );
    expect(
      loaded.filter((file) => /execa|runtime-release|npm-packages|benchmarkers\/lib\/index/.test(file)),
    ).toEqual([]);
  });
});
