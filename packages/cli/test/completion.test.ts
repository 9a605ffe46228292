import { existsSync, readFileSync } from 'node:fs';
import { execa } from 'execa';
import { beforeAll, describe, expect, it } from 'vitest';
import { benchCli, bin } from '../../../test/support/command.ts';
import { usageError } from '../../../test/support/error-with.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { isTool, skipWithout } from '../../../test/support/tools.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

const suite = untilEnd(
  gitRepository({
    'bench-cli': `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`,
    'results.jsonl': '',
    'benchmarks/parse/a.ts': '',
    'benchmarks/parse/deep/b.ts': '',
    'benchmarks/parse/_part.ts': '',
    'benchmarks/url/it is.ts': '',
    'benchmarks/top.js': '',
    'other/group/a.ts': '',
  }),
);

beforeAll(() => {
  for (const ref of ['branch feature/x', 'branch $(touch_executed)', 'tag v1.0'])
    suite.git(...ref.split(' '));
});

describe('completion', () => {
  it.each([
    ['comp', 'compare|completion'],
    ['http', 'l', 'load'],
    ['compare', '--fail', '--fail-on'],
    ['compare', '--old', 'x', '--allow', '--allow-new-values|--allow-same|--allow-missing'],
    ['run', '--format', 'c', 'csv'],
    ['run', '', 'parse|url|top.js|all'],
    ['run', 'par', 'parse'],
    ['check', 'parse/d', 'parse/deep/b.ts'],
    ['compare', 'parse', '--suite', 'other', '', 'group|all'],
    ['compare', '--suite=other', 'g', 'group'],
    ['compare', '--old', '', 'git:|npm:|node@|bun@|deno@'],
    ['compare', '--old', 'git:', 'git:HEAD|git:feature/x|git:main|git:v1.0'],
    ['compare', '--old', 'git:ma', 'git:main'],
    ['compare', '--old=git:fe', '--old=git:feature/x'],
    ['run', '--subject', 'base=git:v', 'base=git:v1.0'],
    ['run', '--subject', 'node@22,git:m', 'node@22,git:main'],
    ['run', '--subject=new=node@22,git:m', '--subject=new=node@22,git:main'],
    ['run', '--subject', 'node@22,fl', 'node@22,flags='],
    ['run', '--subject', 'flags=--no-opt,b', 'flags=--no-opt,bun@'],
    ['run', '--subject', 'env=A=git:', ''],
    ['bisect', '--old', 'git:v1', 'git:v1.0'],
    ['run', '--format=j', '--format=json'],
    ['run', '--out=', ''],
    ['run', '--out', 'r', ''],
    ['run', '--no-such=j', ''],
    ['analyze', '', ''],
    ['run', './par', ''],
  ])('offers %j %j ...', async (...table) => {
    const words = ['complete', '--', ...table.slice(0, -1)];
    const { stdout, exitCode } = await benchCli(words, { cwd: suite.directory });
    // Without a value, a shell completes files.
    const values = stdout.split('\n').flatMap((line) => line.split('\t')[0] || []);
    expect([exitCode, values.join('|')]).toEqual([0, table.at(-1)]);
  });
});

/** A process in the directory of the suite, with the command on its PATH. */
const inSuite = () => ({
  env: { PATH: `${suite.directory}:${process.env['PATH']}` },
  cwd: suite.directory,
});

/** How a script of each shell loads the completion, completes words and prints that; and what completes the name of a file. */
const inShell = {
  bash: {
    begin: 'source <(bench-cli completion bash)',
    complete: (words: readonly string[]) => `
    COMP_WORDS=(bench-cli ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
    COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
    _bench_cli bench-cli "\${COMP_WORDS[COMP_CWORD]}"; printf '%s\n' "\${COMPREPLY[@]}"`,
    file: '',
  },
  zsh: {
    begin: `compdef() { :; }; compset() { :; }; _files() { print files; }
    _describe() { print -l -- "\${(@)\${(P@)2}%%:*}"; }
    source <(bench-cli completion zsh)`,
    complete: (words: readonly string[]) => `
    words=(bench-cli ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}
    PREFIX=\${words[CURRENT]}; _bench_cli`,
    file: 'files',
  },
  fish: {
    begin: 'bench-cli completion fish | source',
    complete: (words: readonly string[]) => `
    complete -C 'bench-cli ${words.join(' ')}' | string replace -r '\\t.*' ''; true`,
    file: 'results.jsonl',
  },
};

describe.each(Object.entries(inShell))('%s', (shell, { begin, complete, file }) => {
  if (isTool(shell)) skipWithout(shell);
  it('completes values and files, and executes nothing that is typed', async () => {
    const typed = ['$(touch executed)', '`touch executed`', '--format', 'js'];
    const script = [begin, complete(['run', ...typed]), 'echo then', complete(['analyze', 'res'])];
    const { stdout } = await execa(shell, ['-c', script.join('\n')], inSuite());
    expect(stdout.split('\n')).toEqual(['json', 'then', file]);
    expect(existsSync(suite.path('executed'))).toBe(false);
  });
});

/** Lines as typed, and as bash makes them of a tab: it divides words at colons and equals signs, and does not add a space after these. */
const lines: readonly (readonly [typed: string, completed: string])[] = [
  ['compare --old gi', 'compare --old git:'],
  ['compare --old "git:ma', 'compare --old "git:main" '],
  ['run --subject base=git:v', 'run --subject base=git:v1.0 '],
  ['analyze res', 'analyze results.jsonl '],
  ['run --out=res', 'run --out=results.jsonl '],
];

skipWithout('script', /an interactive bash/);
it.runIf(process.platform === 'linux')('completes lines of an interactive bash', async () => {
  const shown = suite.path('.git/shown');
  // Ctrl-T notes the line and empties it.
  const note = `printf '%s\\n' "$READLINE_LINE" >> '${shown}'; READLINE_LINE=`;
  suite.write({
    '.git/rc': `source <(bench-cli completion bash)\nshown() { ${note}; }\nbind -x '"\\C-t": shown'\n`,
  });
  await execa('script', ['-qec', 'bash --rcfile .git/rc -i', '/dev/null'], {
    ...inSuite(),
    input: `${lines.map(([typed]) => `bench-cli ${typed}\t\u0014`).join('')}exit\n`,
  });
  expect(readFileSync(shown, 'utf8').split('\n').slice(0, -1)).toEqual(
    lines.map(([, completed]) => `bench-cli ${completed}`),
  );
});

it('refuses an unknown shell', async () => {
  expect(await benchCli(['completion', 'csh'])).toEqual(usageError('USAGE', '"csh"', 'bash'));
});
