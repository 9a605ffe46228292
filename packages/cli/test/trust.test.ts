import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { benchCli, sameSubjects } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

const config = 'project/bench-cli.config.mjs';
const runs = 'export default { defaults: { runs: 1 } };';

let suite: TemporarySuite;
beforeEach(() => {
  suite = temporarySuite({ 'project/g/a.js': benchmark('{ n: 1 }') });
});
afterEach(() => suite[Symbol.dispose]());

const cli = (...args: readonly string[]) =>
  benchCli(args, { cwd: suite.path('project'), scripted: anyRates() });
const run = (...args: readonly string[]) => cli('run', ...args, 'g');

function write(name: string, text: string, mode = 0o644): string {
  const path = suite.path(name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('a config file', () => {
  const required =
    'import { createRequire } from "node:module"; createRequire(import.meta.url)("./help.cjs");';

  it.each<[what: string, plant: () => string]>([
    ['of mode 666', () => write(config, runs, 0o666)],
    ['above, of mode 666', () => write('bench-cli.config.mjs', runs, 0o666)],
    [
      'that is a link to one of mode 666',
      () => {
        symlinkSync('../other.mjs', suite.path(config));
        return write('other.mjs', runs, 0o666);
      },
    ],
    [
      'that imports one of mode 666',
      () => {
        write(config, `import './help.mjs'; ${runs}`);
        return write('project/help.mjs', '', 0o666);
      },
    ],
    [
      'that requires one of mode 666',
      () => {
        write(config, `${required} ${runs}`);
        return write('project/help.cjs', '', 0o666);
      },
    ],
    [
      'that imports a link that others can replace',
      () => {
        write(config, `import './lib/help.mjs'; ${runs}`);
        const directory = suite.path('project/lib');
        mkdirSync(directory);
        chmodSync(directory, 0o777);
        symlinkSync(write('help.mjs', ''), join(directory, 'help.mjs'));
        return directory;
      },
    ],
  ])('%s is not executed', async (_, plant) => {
    const path = plant();
    expect(await run()).toEqual(usageError('UNTRUSTED', basename(path), 'chmod go-w', '--trust'));
  });

  it('that others can change is executed with --trust, and so are its imports', async () => {
    write(config, `import './help.mjs'; ${runs}`, 0o666);
    write('project/help.mjs', '', 0o666);
    expect(await run('--trust')).toMatchObject({ exitCode: 0 });
  });

  it('is not executed by commands that only read files', async () => {
    await cli('compare', ...sameSubjects, '--out', 'a.jsonl', '--runs', '2', 'g');
    const mark = suite.path('executed');
    write(config, `import { writeFileSync } from 'node:fs'; writeFileSync('${mark}', ''); ${runs}`);
    for (const args of [['analyze'], ['explain'], ['history', '--commit', 'a', '--file', 'history.jsonl']])
      expect(await cli(...args, 'a.jsonl')).toMatchObject({ exitCode: 0 });
    expect(existsSync(mark)).toBe(false);
  });
});

it.each([
  ['results', 'a.jsonl', ['run', '--resume', 'a.jsonl']],
  ['a history', 'history.jsonl', ['history', '--file', 'history.jsonl']],
])('a file that others can change is used only with --trust: %s', async (_, name, command) => {
  await run('--out', 'a.jsonl');
  await cli('history', '--file', 'history.jsonl', '--commit', 'a', 'a.jsonl');
  chmodSync(suite.path(`project/${name}`), 0o666);
  expect(await cli(...command)).toEqual(usageError('UNTRUSTED', name, 'mode 666', '--trust'));
  expect((await cli(...command, '--trust')).stderr).not.toContain('UNTRUSTED');
});

describe('a results file', () => {
  it('can begin with a byte order mark, and so can a history', async () => {
    await run('--out', 'a.jsonl');
    const mark = (name: string) =>
      write(`project/${name}`, `\ufeff${readFileSync(suite.path(`project/${name}`), 'utf8')}`);
    mark('a.jsonl');
    const history = ['history', '--file', 'history.jsonl'];
    for (const args of [['analyze'], [...history, '--commit', 'a'], ['run', '--resume']])
      expect(await cli(...args, 'a.jsonl')).toMatchObject({ exitCode: 0 });
    mark('history.jsonl');
    expect(await cli(...history)).toMatchObject({ exitCode: 0 });
  });

  it('makes directories, and says so', async () => {
    expect((await run('--out', 'new/a.jsonl')).stderr).toContain('--out creates the directory new');
    expect((await run('--out', 'new/b.jsonl')).stderr).not.toContain('new');
    const joined = await cli('analyze', 'new/a.jsonl', '--out', 'other/all.jsonl');
    expect(joined.stderr).toContain('--out creates the directory other');
  });

  it('is no directory', async () => {
    expect(await cli('history', '--file', '.')).toEqual(
      usageError('FILE_NOT_FOUND', 'project is a directory'),
    );
  });
});
