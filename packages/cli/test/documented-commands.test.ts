import { copyFileSync, existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { split } from 'shlex';
import { beforeAll, expect, it } from 'vitest';
import { benchCli, examplesIn, root } from '../../../test/support/command.ts';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { keepRelease, writeRuntime } from '../../../test/support/kept-release.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';
import { untilEnd } from '../../../test/support/until-end.ts';

/**
 * The commands of all documents and helps, in a project that has what they name. A session lists its files, and an analysis reads what was
 * recorded. Other tests execute sessions, and check that the options of all documented commands exist.
 */
const documented = /(?:^|\s)(?:npx )?bench-cli (?:run|compare|analyze|history) .*/;

/** Why a command cannot be executed here. */
const elsewhere: readonly (readonly [command: RegExp, reason: string])[] = [
  [/npm:/, 'asks the registry of npm'],
  [/\.\.( |\/)|node_modules/, 'leaves the project'],
  [/--affected/, 'starts every benchmark: affected.test.ts'],
  [/--resume/, 'requires files that have not changed: interruption.test.ts'],
  [/clients\.jsonl/, 'requires the results of loads: recorded.test.ts'],
  [/--xaxis package/, 'requires the rates of packages: recorded.test.ts has those of another parameter'],
  [/shard-[\d*]\.jsonl /, 'requires parts that belong together: many-machines.test.ts'],
];

const documents = globSync(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: root });

/** The words of a line with a command that is executed here. */
function wordsOf(line: string): readonly string[] | undefined {
  const [command] = documented.exec(line.replaceAll(/"\$\(.*?\)"/g, 'commit')) ?? [];
  if (command === undefined || elsewhere.some(([pattern]) => pattern.test(command))) return undefined;
  const words = split(command.replace(/^.*?bench-cli /, '').replace('bench/*', 'bench/sort'));
  const end = words.findIndex((word) => /^(?:>|\||&&|\|\|)$/.test(word));
  return words.slice(0, end === -1 ? undefined : end);
}

/** The lines of the documents and helps. */
const texts = documents.map((document) => {
  const text = readFileSync(join(root, document), 'utf8').replaceAll(/ \\\n +/g, ' ');
  const blocks = Array.from(text.matchAll(/^```(?:sh|console)\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  return [
    document,
    blocks
      .join('')
      .replaceAll(/ +# .*$/gm, '')
      .split('\n'),
  ] as const;
});
for (const command of ['run', 'compare', 'scatter', 'analyze']) {
  const { stdout } = await benchCli([command, '--help']);
  texts.push([`the help of ${command}`, examplesIn(stdout)]);
}

/** A command without the files, groups, commits and numbers that it names. The project has all that documents name. */
function formOf(words: readonly string[]): string {
  const isForm = (word: string, at: number) =>
    at === 0 || /^-| /.test(word) || words[at - 1]?.startsWith('-') === true;
  return words
    .filter(isForm)
    .join('\0')
    .replaceAll(/(?<=git:)\w[\w.]*|\.\/[\w/-]+|[\w$-]+(?=\.(?:jsonl|csv)|$)|\d+(?:\.\d+)*/gm, '');
}

/** Each form of a command once, with a text that has it. */
const commands = new Map(
  texts.flatMap(([text, lines]) =>
    lines.flatMap((line) => {
      const words = wordsOf(line);
      return words === undefined ? [] : [[formOf(words), [text, words]] as const];
    }),
  ),
);

/** The releases that the registry has, for each text after the `@`. */
const releases = { '22': '22.23.3', '24': '24.1.0', '26': '26.10.0', '1': '1.3.1' };
const npm = `#!/bin/sh
case "$*" in
${Object.entries(releases)
  .map(([range, version]) => `view*@'${range} version') echo '["${version}"]' ;;`)
  .join('\n')}
esac
`;

const csv = ['old', 'new'].flatMap((binary) =>
  [1, 2, 3].map((rate) => `"${binary}","a.js","inLen=32 chunkLen=64 encoding='ascii'",${rate},1\n`),
);
const compared = `"binary","filename","configuration","rate","time"\n${csv.join('')}`;
const scattered =
  '"filename","chunkLen","inLen","encoding","rate","time"\n"a.js",16,32,"ascii",9,1\n"a.js",64,32,"ascii",8,1\n';

const sources = [
  ...'arrays/sort assert/equal buffers/tostring es/json http/simple http2/simple https/simple'.split(' '),
  ...['parse', 'parse/parse', 'parsing/parse', 'path/join', 'streams/pipe', 'string_decoder/string-decoder'],
  ...['text/join', 'url/url-parse', 'util/format'],
].map((name) => [`benchmarks/${name}.ts`, benchmark('{ n: 1, len: [64, 1024], type: "short" }')] as const);

/** Plans each text of a file once. */
const scripted = anyRates();

/** A file of the suite shows as much as all. */
const oneFile = ['--filter', 'url-parse'];

/** Whether no word is a file, a group or a whole command. */
function selectsAll(words: readonly string[]): boolean {
  const isItem = (word: string) =>
    word.includes(' ') || ['', 'benchmarks'].some((base) => existsSync(project.path(join(base, word))));
  const given = words.slice(1).filter((_, at) => !words[at]?.startsWith('-'));
  return !words.includes('--filter') && !given.some(isItem);
}

const project = untilEnd(
  gitRepository({
    '.gitignore': 'node_modules\ncache\n*.jsonl\n*.csv\n',
    'package.json': JSON.stringify({ type: 'module', scripts: { build: 'true' } }),
    'package-lock.json': '{}',
    'src/index.js': 'export {};\n',
    'cli.js': '',
    'bin/cli.js': '',
    'bin/npm': npm,
    'bench/sort.mjs': '',
    'bench/sort.bench.js': '',
    'sort.mjs': '',
    'benchmarks/text/join.js': '',
    'benchmarks/equal.js': '',
    ...Object.fromEntries(sources),
  }),
);

beforeAll(() => {
  project.git('tag', 'v1.0');
  project.commit({ 'src/index.js': 'export default 1;\n', 'out/Release/node': '' }, 'work');
  for (const name of ['compare-pr', 'result', 'linux', 'mac']) project.write({ [`${name}.csv`]: compared });
  project.write({ 'scatter.csv': scattered, 'history.jsonl': '' });
  const inputs = join(import.meta.dirname, 'pinned/inputs');
  for (const name of ['results', 'slow', 'equal'])
    copyFileSync(join(inputs, 'fixed.jsonl'), project.path(`${name}.jsonl`));
  for (const path of 'a b node node-main node-pr node-old node-new bin/node out/Release/node'.split(' '))
    writeRuntime(project.path(path), process.versions.node);
  writeRuntime(project.path('bin/bun'), '1.3.1', 'bun');
  const cache = privateCache(project);
  for (const version of ['22.23.3', '24.1.0', '26.10.0']) keepRelease(cache, version);
  keepRelease(cache, '1.3.1', 'bun');
});

it.each([...commands.values()])('%s: %j', async (_, words) => {
  const isSession = /^(?:run|compare)$/.test(words[0] ?? '') && !words.includes('--help');
  const isCompared = isSession && words[0] === 'compare';
  const checked = [
    ...words,
    ...(isSession ? ['--dry-run'] : []),
    ...(isSession && selectsAll(words) ? oneFile : []),
    // All commits have the same files.
    ...(isCompared && !words.includes('--affected') ? ['--allow-same'] : []),
  ];
  const { stderr, exitCode } = await benchCli(checked, {
    cwd: project.directory,
    scripted,
    env: { BENCH_CLI_CACHE: project.path('cache'), PATH: `${project.path('bin')}:${process.env['PATH']}` },
  });
  // A gate can find a difference, and not every runtime here can plan files of other tools. An invalid command exits with 2.
  expect(exitCode, stderr).toBeLessThanOrEqual(words.includes('--fail-on') || isSession ? 1 : 0);
});
