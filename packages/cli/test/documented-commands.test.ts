import { once } from 'node:events';
import { chmodSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, root } from '../../../test/support/command.ts';
import { gitRepository, type TemporaryRepository } from '../../../test/support/git-repository.ts';
import {
  anyRate,
  keepQuickRelease,
  rateAround,
  writeQuickRuntime,
} from '../../../test/support/quick-runtime.ts';
import { benchmark, privateCache } from '../../../test/support/suite.ts';
import { typeCommand } from '../../../test/support/typed-command.ts';

/**
 * The commands of all documents, in a project that has what they name. Times and ports are changed, and a comparison is executed only if
 * another command of the document reads its results: otherwise, it lists the files that it would measure. The releases of
 * runtimes answer at once.
 */

/** Why a command cannot be executed here. */
const elsewhere: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npx (-y pnpm|changeset)/, 'a script of this repository'],
  [/^unshare /, 'requires rights that not every machine gives'],
  [/npm:/, 'asks the registry of npm'],
  [/\.\.( |\/)/, 'leaves the project'],
  [/^PORT=3030 /, 'requires a second terminal: http.test.ts'],
  [/--find-rate/, 'takes a minute: load.test.ts'],
  [/--format hdr/, 'requires the results of a load: recorded.test.ts'],
  [/benchmarker=curl/, 'requires curl'],
  [/^node benchmarks\/\S+ benchmarker=/, 'requires @bench-cli/cli to be installed: packages.test.ts'],
];

/** What `check` and gates find, and `bisect` refuses: an answer, and no failure. */
const answers = /^bench-cli (check|bisect|run$|.*--fail-on)/;

/** Documents with tests of their own: about one patch, about shards, and about clients, which take 20 s for each command. */
const others = new Set(['docs/for-agents.md', 'docs/many-machines.md', 'docs/http-clients.md']);

const documents = globSync(['*.md', 'docs/*.md', 'packages/*/README.md'], { cwd: root })
  .filter((document) => !others.has(document))
  .sort();

/** It answers late, because a load would keep the CPUs busy otherwise. */
const server = createServer((_request, response) => setTimeout(() => response.end('ok'), 20));
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());

/** The command with shorter times, and the port of the server. */
function adapted(command: string): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return command
    .replace(/ 30s /, ' 0.3s ')
    .replace(/ 3s /, ' 0.1s ')
    .replace('127.0.0.1:3030', `127.0.0.1:${address.port}`);
}

/** The comparison as a dry run, unless another command reads what it writes, or it reads what another has written. */
function withoutRuns(command: string, commands: readonly string[]): string {
  if (!/^(npx )?bench-cli compare (?!.*--(resume|dry-run|help))/.test(command)) return command;
  const [, written] = /(?:--out|>) (\S+)/.exec(command) ?? [];
  const isRead = written !== undefined && commands.filter((each) => each.includes(written)).length > 1;
  return isRead ? command : command.replace(/bench-cli compare/, '$& --dry-run');
}

/** The commands of a document in the order of the text. A block with a condition is one script. */
function commandsOf(document: string): readonly string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return Array.from(text.matchAll(/^```(sh|console)\n([\s\S]*?)^```$/gm)).flatMap(
    ([, language, code = '']) => {
      if (/^if /m.test(code)) return [code];
      const lines = code.replaceAll(/ \\\n +/g, ' ').split('\n');
      const typed = language === 'sh' ? lines : lines.flatMap((line) => line.match(/(?<=^\$ ).*/) ?? []);
      return typed.map((line) => line.replace(/ +# .*$|^#.*$/, '').trim()).filter(Boolean);
    },
  );
}

const codeOf = (document: string, language: string) =>
  Array.from(
    readFileSync(join(root, 'docs', document), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm),
    ([, its, code]) => (its === language ? [code ?? ''] : []),
  ).flat();

/** The releases that the registry has, for each text after the `@`. */
const releases: Readonly<Record<string, readonly string[]>> = {
  '22': ['22.23.3'],
  '24': ['24.1.0'],
  '26': ['26.10.0'],
  '>22.0.0 <22.19.0': ['22.10.0'],
  '>22.0.0 <26.10.0': ['22.19.0', '24.1.0'],
  '1': ['1.3.1'],
  '>1.1.0 <1.3.1': ['1.2.0'],
};

const npm = `#!/bin/sh
case "$1 $2" in
${Object.entries(releases)
  .map(([range, versions]) => `view*@'${range}') echo '${JSON.stringify(versions)}' ;;`)
  .join('\n')}
view*) echo '[]' ;;
pack*) exit 1 ;;
esac
`;

const main = `const { createServer } = await import('node:http');
const server = createServer((_request, response) => setTimeout(() => response.end('ok'), 20)).listen(0);
await new Promise((resolve) => server.once('listening', resolve));
await bench.http({ port: server.address().port, connections: 2, duration: 0.3, benchmarker: 'autocannon' });
server.close();`;

/** So that no command takes long. */
const config = "export default { defaults: { runs: 2, maxRuns: 6, budgetMs: '3s', loadMs: '0.3s' } };";

/**
 * What the documents name, in a package of a type. Files in TypeScript have the type of their package.
 * @param commands of a document: few of them need a benchmark with many configurations
 */
function filesOf(type: 'module' | 'commonjs', commands: string): Readonly<Record<string, string>> {
  const inType = (source: string) =>
    type === 'module' ? source : source.replace(/import (\{.*?\}) from ('.*?')/g, 'const $1 = require($2)');
  const own = (parameters: string, main?: string) => inType(benchmark(parameters, main));
  // Each case takes 10 s.
  const mitata =
    codeOf('coming-from-mitata.md', 'js')[0]?.replace("'code unit', ", '').replace(', 1000', '') ?? '';
  const tinybench = codeOf('coming-from-tinybench.md', 'js')[0]?.replace('time: 100', 'time: 20') ?? '';
  const [vitest = ''] = codeOf('coming-from-vitest.md', 'js');
  const [nodeBench = ''] = codeOf('node-bench.md', 'js');
  const program = `#!/bin/sh\nexec "${process.execPath}" "${bin}" "$@"\n`;
  return {
    'package.json': JSON.stringify({ type, scripts: { build: 'true' } }),
    'package-lock.json': '{}',
    'cli.js': '',
    'bin/cli.js': '',
    'history.jsonl': '',
    'requests.json': '[{ "path": "/items", "weight": 9 }, { "path": "/", "method": "POST", "body": "a" }]',
    'item.json': '{}',
    'bench-cli.config.mts': config,
    'benchmarks/buffers/tostring.ts': own('{ n: 1, len: [64, 128], encoding: ["utf8"] }'),
    'benchmarks/string_decoder/string-decoder.ts': own(
      /chunkLen/.test(commands)
        ? '{ encoding: ["ascii", "utf8"], inLen: [32], chunkLen: [16, 1024] }'
        : '{ encoding: ["ascii", "utf8"] }',
    ),
    'benchmarks/url/url-parse.ts': own('{ type: ["short", "long"], len: [1024] }'),
    'benchmarks/es/json.ts': own('{ n: [1000] }'),
    'benchmarks/streams/pipe.ts': own('{ n: 1 }'),
    'benchmarks/parse.ts': own('{ n: 1 }'),
    'benchmarks/parse/parse.ts': own('{ n: 1 }'),
    'benchmarks/parsing/parse.ts': own('{ n: 1 }'),
    'benchmarks/arrays/sort.ts': own('{ n: 1 }'),
    'benchmarks/assert/equal.ts': own('{ n: 1 }'),
    'benchmarks/path/join.ts': own('{ n: 1 }'),
    'benchmarks/util/format.ts': own('{ n: 1 }'),
    'benchmarks/text/join.mjs': nodeBench,
    'benchmarks/text/join.js': own('{ n: 1 }'),
    'benchmarks/g/sqrt.ts': own('{ n: [2e6] }', 'bench.start(); bench.end(conf.n);'),
    'benchmarks/http/simple.ts': own('{ n: 1 }', main),
    'benchmarks/https/simple.ts': own('{ n: 1 }'),
    'benchmarks/http2/simple.ts': own('{ n: 1 }'),
    'bench/sort.mjs': tinybench,
    'bench/sort.bench.js': inType(vitest),
    'sort.mjs': mitata,
    'bin/bench-cli': program,
    'bin/npx': '#!/bin/sh\nexec "$@"\n',
    // It installs nothing.
    'bin/npm': npm,
  };
}

/** A project for the commands of a document. It has only the groups that these name, because some measure all. */
async function projectFor(commands: string, type: 'module' | 'commonjs'): Promise<TemporaryRepository> {
  const files = Object.entries(filesOf(type, commands)).filter(([path]) => {
    const [, group = 'string_decoder'] = /^benchmarks\/(\w+)/.exec(path) ?? [];
    return group === 'string_decoder' || new RegExp(`\\b${group}\\b`).test(commands);
  });
  const ignored = ['node_modules', 'cache', 'bin/*', '!bin/cli.js', '*.jsonl', '*.csv', '*.html', '*.json'];
  const project = gitRepository({ '.gitignore': ignored.join('\n'), ...Object.fromEntries(files) });
  project.git('tag', 'v1.0');
  project.commit({ 'src/index.js': '', 'out/Release/node': '' }, 'work');
  for (const name of ['bench-cli', 'npx', 'npm']) chmodSync(project.path(`bin/${name}`), 0o755);
  for (const path of [
    'a',
    'b',
    'node',
    'node-main',
    'node-pr',
    'node-old',
    'node-new',
    'bin/node',
    'out/Release/node',
  ])
    writeQuickRuntime(project.path(path), { rate: `# ${path}\n${anyRate}` });
  writeQuickRuntime(project.path('bin/bun'), { rate: anyRate, name: 'bun' });
  const slower = rateAround(900);
  const cache = privateCache(project);
  for (const version of ['22.0.0', '22.10.0', '22.23.3', '24.1.0']) keepQuickRelease(cache, version, anyRate);
  for (const version of ['22.19.0', '26.10.0']) keepQuickRelease(cache, version, slower);
  for (const version of ['1.1.0', '1.2.0']) keepQuickRelease(cache, version, anyRate, 'bun');
  keepQuickRelease(cache, '1.3.1', slower, 'bun');
  return project;
}

/** The files that a document reads and whose making it does not show. */
async function measured(commands: string, done: (command: string) => Promise<unknown>): Promise<void> {
  const compare = 'bench-cli compare --old ./a --new ./b';
  const made = (name: string) => new RegExp(`(--out|>) ${name}`).test(commands);
  for (const name of ['compare-pr.csv', 'result.csv', 'linux.csv', 'mac.csv']) {
    if (commands.includes(name) && !made(name)) await done(`${compare} --runs 2 all > ${name}`);
  }
  for (const name of ['linux.jsonl', 'mac.jsonl', 'windows.jsonl']) {
    if (commands.includes(name)) await done(`${compare} --runs 2 all --out ${name}`);
  }
  if (commands.includes('results.jsonl') && !made('results.jsonl'))
    await done(`${compare} --runs auto string_decoder --out results.jsonl`);
  if (commands.includes('scatter.csv') && !made('scatter.csv'))
    await done('bench-cli scatter --runs 2 string_decoder/string-decoder.ts > scatter.csv');
}

const cases = documents
  .map((document) => ({ document, commands: commandsOf(document) }))
  .filter(({ commands }) => commands.length > 0);

/** The others start only runtimes that load nothing, list files, or show what was recorded, which is the same in both types. */
const loadsFiles = /^node |^(?:npx )?bench-cli (?:run|scatter) (?!--subject)/;

/** The files of these are the same in both types, or are loaded too long for it. */
const typeless = new Set([
  'docs/coming-from-mitata.md',
  'docs/coming-from-tinybench.md',
  'docs/http-benchmarks.md',
]);

const inPackages = {
  module: cases,
  commonjs: cases
    .filter(({ document }) => !typeless.has(document))
    .map(({ document, commands }) => ({
      document,
      commands: commands.filter((each) => loadsFiles.test(each)),
    }))
    .filter(({ commands }) => commands.length > 0),
};

describe.each(['module', 'commonjs'] as const)(
  'in a package of the type %s',
  { timeout: 300_000 },
  (type) => {
    it.each(inPackages[type])('$document', async ({ commands }) => {
      using project = await projectFor(commands.join('\n'), type);
      const done = (command: string) =>
        typeCommand(command, {
          cwd: project.directory,
          programs: project.path('bin'),
          env: { BENCH_CLI_CACHE: project.path('cache') },
        });
      await measured(commands.join('\n'), done);
      const failed: unknown[] = [];
      // Comparisons that differ only in what they do with their results are the same dry run.
      const executed = new Map(commands.map((each) => [withoutRuns(adapted(each), commands), each]));
      for (const [command, written] of executed) {
        if (elsewhere.some(([command]) => command.test(written))) continue;
        const { exitCode, stderr } = await done(command);
        const isAnswer = answers.test(written.replace(/^npx /, '')) && exitCode !== undefined && exitCode < 3;
        if (exitCode !== 0 && !isAnswer) failed.push({ written, exitCode, stderr: stderr.slice(0, 300) });
      }
      expect(failed).toEqual([]);
    });
  },
);
