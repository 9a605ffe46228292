import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { defaultText, settingCommands, settingGroups } from '@bench-cli/results/settings';
import { execa } from 'execa';
import { describe, expect, it } from 'vitest';
import { benchCli, root } from './support/command.ts';
import { isPinning, pinAgain } from './support/pinned-text.ts';
import { temporarySuite } from './support/suite.ts';

/** All documents that users read: their links, the options of their commands, and the types of their examples. */
const documents = globSync(['*.md', 'llms.txt', 'docs/*.md', 'packages/*/README.md'], { cwd: root })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** The blocks of code of a document in some languages. */
function blocks(text: string, ...languages: readonly string[]): string[] {
  const found = text.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return Array.from(found).flatMap(([, language = '', code = '']) =>
    languages.includes(language) ? [code] : [],
  );
}

/** The anchors of the headings of a document, as GitHub makes them. */
function anchors(text: string): string[] {
  return Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

it.each(documents)('$path links to files and headings that exist', ({ path, text }) => {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, '');
  const links = Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? join(root, path) : resolve(root, dirname(path), file);
    if (globSync(target).length === 0) return true;
    return anchor !== undefined && !anchors(readFileSync(target, 'utf8')).includes(anchor);
  });
  expect(broken, 'no file or heading has these names').toEqual([]);
});

/** To look something up, or for statisticians and maintainers. */
const longPages = ['adaptive-statistics', 'architecture', 'commands', 'errors'].map(
  (name) => `docs/${name}.md`,
);

it.each(documents.filter(({ path }) => path.startsWith('docs/') && !longPages.includes(path)))(
  '$path has at most 1,500 words',
  ({ text }) => {
    expect(text.match(/\S+/g)?.length, 'shorten the page').toBeLessThanOrEqual(1500);
  },
);

/** Words in place of which docs/words.md has others; code also has configurations. */
const otherWords =
  /(?:\b(?:a|all|each|every|fewer|many|more|no|one|per|same|several|some|the|\d+)|\}) configurations?\b|, 'configuration'\)|stopped because|(?:comparisons|results|pairs) (?:are |were )?decided|due to chance|(?<!not )significantly/g;

it('documents and printed texts have the words of docs/words.md', () => {
  const isForUsers = ({ path }: { readonly path: string }) =>
    !/^(?:CONTRIBUTING|SECURITY|docs\/(?:adaptive-statistics|architecture|words)|packages\/results\/README)\.md$/.test(
      path,
    );
  const sources = globSync('packages/*/src/**/*.{ts,cts}', { cwd: root }).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text: text.replace(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '') };
  });
  const found = [...documents.filter(isForUsers), ...sources].flatMap(({ path, text }) =>
    Array.from(text.matchAll(otherWords), ([words]) => `${path}: ${words}`),
  );
  expect(found, 'use the words of docs/words.md').toEqual([]);
});

it.each(documents)('$path has code between fences, since indented code does not fit a phone', ({ text }) => {
  const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
  expect(prose.match(/(?<=\n\n) {4}\S.*/g), 'put the code between fences').toBeNull();
});

it.each(documents)(
  '$path has tables with as many cells in each row, since others are not shown as tables',
  ({ text }) => {
    const cellsOf = (row: string) => row.match(/(?<!\\)\|/g)?.length;
    const tables = text.match(/(?:^\|.*\n)+/gm) ?? [];
    expect(tables.filter((table) => new Set(table.trim().split('\n').map(cellsOf)).size > 1)).toEqual([]);
  },
);

it.each(documents.filter(({ path }) => path.startsWith('docs/') && path !== 'docs/architecture.md'))(
  '$path opens with the command, or the call, that it is about',
  ({ text }) => {
    const [opening = ''] = text.split('\n## ');
    const [first] = opening.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
    expect(first?.[1], 'begin with a block of sh, console or ts').toMatch(/^(?:sh|console|ts)$/);
    expect(first?.[2]).toMatch(/bench-cli|pnpm torture/);
  },
);

/** The commands of bench-cli in a document, without what precedes them: `compare --old a --new b`. */
function commandsOf(text: string): string[] {
  const joined = blocks(text, 'sh', 'console').join('\n').replaceAll('\\\n', ' ');
  return Array.from(joined.matchAll(/(?:^|[\s$])bench-cli +([a-z][^#>|&\n]+)/g), ([, command = '']) =>
    command.trim(),
  );
}

it("runs the README's example of a benchmark as written", async () => {
  const [, path = '', code = ''] =
    /```ts\n\/\/ (\S+)\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const [script = '', ...shown] =
    blocks(readFileSync(join(root, 'README.md'), 'utf8'), 'console')
      .join('')
      .split('\n\n')[0]
      ?.split('\n') ?? [];
  using suite = temporarySuite({ [path]: code });
  const [, ...words] = script.replace(/^\$ /, '').split(' ');
  const { stdout } = await execa(process.execPath, words, { cwd: suite.directory });
  const names = (lines: readonly string[]) => lines.map((line) => line.split(':')[0]);
  expect(names(stdout.split('\n'))).toEqual(names(shown));
});

/** The files of the examples, which name their paths in their first lines. */
const exampleFiles = documents.flatMap(({ path: document, text }) =>
  blocks(text, 'ts', 'js').flatMap((code) => {
    const path = /^\/\/ (\S+\.[mc]?[jt]s)\n/.exec(code)?.[1];
    return path === undefined ? [] : { document, path, code };
  }),
);
/** Several documents have the same file. */
const differentFiles = [...new Map(exampleFiles.map((file) => [file.code, file])).values()];

describe.each(['module', 'commonjs'])('in a package of the type %s', (type) => {
  // The type changes nothing for .mjs.
  const files = differentFiles.filter(({ path }) => type === 'module' || !path.endsWith('.mjs'));

  it.each(files)('the example $path of $document runs as written', async ({ path, code }) => {
    // The type decides how a file is loaded, which is planned, and not how it is measured.
    const isMeasured = type === 'module';
    // As the documents say, a file that uses import is named .mts there.
    const name = type === 'commonjs' ? path.replace(/\.ts$/, '.mts') : path;
    using suite = temporarySuite({ [name]: code });
    writeFileSync(suite.path('package.json'), JSON.stringify({ type }));
    const words = ['run', isMeasured ? '--shortest' : '--dry-run', name];
    const { exitCode, stderr, stdout } = await benchCli(words, { cwd: suite.directory });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain(name.split('/').at(-1));
    expect(stdout.includes('One run each')).toBe(isMeasured);
  });
});

const helps = new Map<string, Promise<string>>();

/** The help of a command, read once. */
function helpOf(words: readonly string[]): Promise<string> {
  const key = words.join(' ');
  const help = helps.get(key) ?? benchCli([...words, '--help', 'all']).then(({ stdout }) => stdout);
  helps.set(key, help);
  return help;
}

it.each(documents.filter(({ text }) => commandsOf(text).length > 0))(
  '$path names commands and options that exist',
  async ({ text }) => {
    for (const command of commandsOf(text)) {
      const [name = '', sub = '', ...rest] = command.match(/'[^']*'|\S+/g) ?? [];
      const isNested = name === 'http';
      const help = await helpOf(isNested ? [name, sub] : [name]);
      expect({ command, usage: help.split('\n')[0] }).toEqual({
        command,
        usage: expect.stringMatching(`^Usage: bench-cli ${isNested ? `${name} ${sub}` : name} `),
      });
      const options = [sub, ...rest].filter((word) => word.startsWith('--') && word !== '--');
      const unknown = options.filter((option) => !new RegExp(`${option.split('=')[0]}(?![\\w-])`).test(help));
      expect({ command, unknown }).toEqual({ command, unknown: [] });
    }
  },
);

/** Options of other programs that texts name. */
const otherPrograms: Readonly<Record<string, string>> = {
  'Node.js':
    '--expose --expose-gc --expose-internals --import --input-type --jitless --no-opt --require --title',
  "Node.js's bench": '--bench --experimental-bench --name-pattern --test',
  "Node core's scripts":
    '--analyze --max-regression --no-chart --category --node --node-arg --scale --cv-threshold --max-increases --start-n --increase',
  'npm, pnpm, npx and yarn': '--frozen-lockfile --from --immutable --json --no --save-dev',
  'cargo, docker, gh and git': '--edit-last --first-parent --init --locked --recursive --unshallow',
  hyperfine:
    '--min-runs --setup --cleanup --conclude --shell --reference --sort --time-unit --style --color --show-output ' +
    '--output --input --export-json --export-csv --export-markdown',
  perf: '--control',
  'other benchmark tools': '--adapter --compare --log-file',
  'the simulations and measurements of the repository': '--comparisons --ms --noise --part',
};

it('names only options that a command of bench-cli or another program has', () => {
  const known = new Set([
    ...['--help', '--version'],
    ...Object.values(settingGroups).flatMap((group) =>
      Object.values(group).map(({ flag }) => flag.split(' ')[0]),
    ),
    ...Object.values(otherPrograms).flatMap((options) => options.split(' ')),
  ]);
  const sources = globSync('packages/*/src/**/*.{ts,cts}', { cwd: root, exclude: ['**/*style.ts'] });
  const texts = [
    ...sources.map((path) => {
      // A word alone is an argument of a program that is started.
      const text = readFileSync(join(root, path), 'utf8').replace(
        /'--[\w-]+(?:=[^' ]*)?'|`--[\w-]+=\$\{[^}]*\}`/g,
        '',
      );
      return { path, text };
    }),
    // The commands of blocks are checked with the help of their command.
    ...documents
      .filter(({ path }) => path !== 'CONTRIBUTING.md')
      .map(({ path, text }) => ({ path, text: text.replace(/^```[\s\S]*?^```$/gm, '') })),
  ];
  const unknown = texts.flatMap(({ path, text }) =>
    (text.match(/(?<![\w-])--[a-z][\w-]*/gi) ?? [])
      .filter((option) => !known.has(option))
      .map((option) => `${path}: ${option}`),
  );
  const remedy =
    'name an option of docs/commands.md, or list that of another program in otherPrograms of this file';
  expect(unknown, remedy).toEqual([]);
});

it('docs/commands.md has all settings, as the list of settings has them', () => {
  const path = join(root, 'docs/commands.md');
  const text = readFileSync(path, 'utf8');
  const [before = ''] = text.split('\n## Benchmarks\n');
  const expected = `${before}${Object.keys(settingGroups).map(tableOf).join('')}`;
  if (isPinning) writeFileSync(path, expected);
  // The formatter aligns columns.
  const linesOf = (aligned: string) => aligned.replace(/ +|(?<=-)-+/g, ' ').split('\n');
  const [lines, wanted] = [linesOf(isPinning ? expected : text), linesOf(expected)];
  const at = wanted.findIndex((line, index) => line !== lines[index]);
  expect([lines[at], lines.length], pinAgain).toEqual([wanted[at], wanted.length]);
});

/** The settings of a group. */
function tableOf(group: string): string {
  const rows = Object.entries(settingGroups[group] ?? {}).map(([name, setting]) => {
    const { flag, help } = setting;
    const commands = settingCommands(setting);
    const byText = Map.groupBy(commands, (command) => defaultText(setting, command) ?? '');
    const isOne = byText.size === 1;
    const defaults = Array.from(byText, ([text, those]) =>
      isOne || text === '' ? text : `${those.join(', ')}: ${text}`,
    );
    const cells = [
      `\`${flag}\``,
      `\`${name}\``,
      commands.join(', '),
      help,
      defaults.filter(Boolean).join('; '),
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  const head = '| option | name | commands | what it does | default |\n| --- | --- | --- | --- | --- |\n';
  return `\n## ${group}\n\n${head}${rows.join('')}`;
}

it('all examples in TypeScript have correct types', async () => {
  const directory = join(root, 'node_modules/.cache/documents');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const names = documents.flatMap(({ path, text }) =>
    blocks(text, 'ts').map((code, at) => {
      const name = `${path.replaceAll(/[/.]/g, '-')}-${at + 1}.ts`;
      writeFileSync(join(directory, name), `${code}\nexport {};\n`);
      return name;
    }),
  );
  // What the documents call the user's own.
  writeFileSync(join(directory, 'own.d.ts'), "declare module 'my-client';\ndeclare module 'my-library';\n");
  writeFileSync(
    join(directory, 'curl.ts'),
    `import type { Benchmarker } from '@bench-cli/benchmarkers';
     export declare const curl: Benchmarker;
     export declare const certificate: { readonly key: string; readonly cert: string };`,
  );
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}');
  const options = { noEmit: true, noPropertyAccessFromIndexSignature: false };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ extends: '../../../tsconfig.base.json', compilerOptions: options, include: ['*.ts'] }),
  );
  expect(names.length).toBeGreaterThan(10);
  const local = { preferLocal: true, localDir: root, reject: false };
  const { stdout } = await execa('tsc', ['-p', directory], local);
  expect(stdout).toBe('');
});
