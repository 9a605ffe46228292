import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { benchCli, bin } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';

let suite: TemporarySuite;

beforeAll(() => {
  suite = temporarySuite({ 'results.jsonl': '' });
  writeFileSync(suite.path('bench-cli'), `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`);
  chmodSync(suite.path('bench-cli'), 0o755);
});

afterAll(() => suite[Symbol.dispose]());

describe('completion', () => {
  /** The values that a shell is offered, if it shall not complete files. */
  async function offered(...words: string[]) {
    const { stdout, exitCode } = await benchCli(['complete', '--', ...words]);
    expect(exitCode).toBe(0);
    return stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
  }

  it('offers commands, also those below a command', async () => {
    expect(await offered('comp')).toEqual(['compare', 'completion']);
    expect(await offered('http', '')).toEqual(expect.arrayContaining(['load', 'clients', 'server']));
  });

  it('offers all options of a command, and the values of an option', async () => {
    expect(await offered('compare', '--fail')).toEqual(['--fail-on']);
    expect(await offered('compare', '--old', 'x', '--allow')).toEqual([
      '--allow-new-values',
      '--allow-same',
      '--allow-missing',
    ]);
    expect(await offered('run', '--format', 'c')).toEqual(['csv']);
  });

  it('leaves files to the shell', async () => {
    expect(await offered('analyze', '')).toEqual([]);
    expect(await offered('run', '--out', 'r')).toEqual([]);
  });
});

/** Completes words in a shell with a script, and prints what it completes. */
const inShell: Readonly<Record<string, (words: readonly string[]) => string>> = {
  bash: (words) => `source <(bench-cli completion bash)
    COMP_WORDS=(bench-cli ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
    _bench_cli; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: (words) => `compdef() { :; }; _files() { print files; }
    _describe() { print -l -- "\${(@)\${(P@)2}%%:*}"; }
    source <(bench-cli completion zsh)
    words=(bench-cli ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _bench_cli`,
  fish: (words) => `bench-cli completion fish | source
    complete -C 'bench-cli ${words.join(' ')}' | string replace -r '\\t.*' ''; true`,
};

describe.each(Object.entries(inShell))('%s', (shell, textOf) => {
  const isInstalled = (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((path) => existsSync(`${path}/${shell}`));

  it.skipIf(!isInstalled)('completes commands and values, and executes nothing that is typed', async () => {
    const completed = async (...words: string[]) => {
      const { stdout } = await execa(shell, ['-c', textOf(words)], {
        env: { PATH: `${suite.directory}:${process.env['PATH']}` },
        cwd: suite.directory,
      });
      return stdout.split('\n');
    };
    expect(await completed('bis')).toEqual(['bisect']);
    expect(await completed('run', '--format', 'j')).toEqual(['json']);
    const files = { bash: [''], zsh: ['files'], fish: ['results.jsonl'] };
    expect(await completed('analyze', 'res')).toEqual(
      files[shell === 'zsh' || shell === 'fish' ? shell : 'bash'],
    );
    await completed('run', '$(touch executed)', '`touch executed`', '--for');
    expect(existsSync(suite.path('executed'))).toBe(false);
  });
});

it('refuses an unknown shell', async () => {
  expect(await benchCli(['completion', 'csh'])).toEqual(usageError('USAGE', '"csh"', 'bash'));
});
