import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packageCommands } from '@bench-cli/subjects';
import { execa, execaSync } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bin, root } from '../../../test/support/command.ts';
import { benchmark, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { runAction, runJob } from './github-action.ts';

/** Repositories as their maintainers have them, in the states in which a branch is compared, and their jobs for pull requests. */

type Files = Readonly<Record<string, string>>;
const json = (fields: object) => `${JSON.stringify(fields)}\n`;
const code = (turns: number | string) =>
  `export const work = () => { let sum = 0; for (let n = 0; n < ${turns}; n++) sum += n; return sum; };\n`;
const measured = (from: string) =>
  benchmark('{ n: 1 }', 'await bench.measure(() => work());', { head: `import { work } from '${from}';` });
const esm = { type: 'module', version: '1.0.0' };
const parser = { name: 'parser', ...esm };
const exports = { './plain': './plain.js', '.': './dist/index.js' };
const copy = `node -e "fs.cpSync('src', 'dist', { recursive: true })"`;
const bundle = 'rolldown src/index.js --file dist/index.js';
const benchmarks = (directory: string): Files => ({
  [join(directory, 'plain.js')]: code(200),
  [join(directory, 'benchmarks/parse.js')]: measured('parser'),
  [join(directory, 'benchmarks/plain.js')]: measured('parser/plain'),
});

/** A parser that needs a core, and a package that nothing needs. */
const workspace = (extension: string, [core, build]: readonly string[], range: string, own = {}): Files => ({
  '.gitignore': 'node_modules\ndist\n*.tsbuildinfo\n.yarn\n.pnp.*\noutputs\nsummary\n',
  'package.json': json({ private: true, workspaces: ['packages/*'] }),
  'packages/core/package.json': json({
    ...{ name: 'core', ...esm, exports: core ? './dist/index.js' : './src/index.js' },
    ...(core ? { scripts: { build: core } } : {}),
  }),
  [`packages/core/src/index.${extension}`]: code(300),
  'packages/parser/package.json': json({
    ...{ ...parser, exports, scripts: { build }, dependencies: { core: range }, ...own },
  }),
  [`packages/parser/src/index.${extension}`]: "export { work } from 'core';\n",
  ...benchmarks('packages/parser'),
  'packages/other/package.json': json({ name: 'other', ...esm }),
  'packages/other/index.js': '',
});

/** One package, and a directory that nothing needs. */
const single = (build: string, index: string): Files => ({
  '.gitignore': 'node_modules\ndist\noutputs\nsummary\n',
  'package.json': json({ ...parser, exports: { ...exports, '.': './index.js' }, scripts: { build } }),
  'package-lock.json': json({ ...parser, lockfileVersion: 3, packages: { '': { name: 'parser' } } }),
  'index.js': index,
  ...benchmarks(''),
  'packages/other/index.js': '',
});

const project = {
  compilerOptions: { composite: true, rootDir: 'src', outDir: 'dist', module: 'nodenext', types: [] },
  include: ['src'],
};
/** A compiler to WebAssembly of which the source is a number, and the result a function that returns it. */
const assemble = `import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
const bytes = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 127, 3, 2, 1, 0, 7, 9, 1, 5, ...Buffer.from('turns'), 0, 0, 10, 6, 1, 4, 0, 65, Number(readFileSync('table.wat', 'utf8')), 11];
mkdirSync('dist', { recursive: true });
writeFileSync('dist/table.wasm', Uint8Array.from(bytes));
`;

const path = 'packages/parser';
const inWorkspace = { path, slower: code(900), built: 'packages/core/dist/index.js' };
const yarn = (nodeLinker: string) => ({
  ...inWorkspace,
  files: {
    ...workspace('js', [copy, copy], 'workspace:*', {
      devDependencies: { '@bench-cli/core': `link:${join(root, 'packages/core')}` },
    }),
    ...{ '.yarnrc.yml': `nodeLinker: ${nodeLinker}\nenableTelemetry: false\n`, 'yarn.lock': '' },
  },
  ...{ install: 'yarn install', lock: 'yarn.lock', source: 'packages/core/src/index.js' },
});
/** Each with the source that is changed, its text in a slower branch, and the built file that then differs. */
const fixtures = {
  pnpm: {
    ...inWorkspace,
    files: {
      ...workspace('ts', ['tsc -b', 'tsc -b'], 'workspace:*'),
      'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n",
      'packages/core/tsconfig.json': json(project),
      'packages/parser/tsconfig.json': json({ ...project, references: [{ path: '../core' }] }),
    },
    ...{ install: 'pnpm install', lock: 'pnpm-lock.yaml', source: 'packages/core/src/index.ts' },
  },
  npm: {
    ...inWorkspace,
    files: workspace('js', ['', bundle], '*'),
    ...{ install: 'npm install', lock: 'package-lock.json', source: 'packages/core/src/index.js' },
    built: 'packages/parser/dist/index.js',
  },
  'yarn, node_modules': yarn('node-modules'),
  "yarn, Plug'n'Play": yarn('pnp'),
  submodule: {
    files: single(`cd vendor/core && ${copy}`, "export { work } from './vendor/core/dist/index.js';\n"),
    ...{ path: '', install: 'submodule', lock: 'package-lock.json', source: 'vendor/core/src/index.js' },
    ...{ slower: code(900), built: 'vendor/core/dist/index.js' },
  },
  wasm: {
    files: {
      ...single('node assemble.js', `import { turns } from './dist/table.wasm';\n${code('turns() * 10')}`),
      ...{ 'assemble.js': assemble, 'table.wat': '30\n' },
    },
    ...{ path: '', install: 'npm install', lock: 'package-lock.json', source: 'table.wat' },
    ...{ slower: '60\n', built: 'dist/table.wasm' },
  },
};

/** What depends on the package manager or the build; the others depend on git, and are tried with and without a submodule. */
const buildStates = /^(?:uncommitted|unrelated package|stale build|removed benchmark)$/;
const isWhole = process.env['WHOLE'] !== undefined;
/** What users do in a branch from the tip of `main`, whether core then differs, which benchmarks there are, and where the branch is compared with what. */
const states = `uncommitted | slow; build | changed
committed | slow; build; commit | changed
rebased | slow; commit; go main; unrelated; commit; go change; git rebase -q main; build | changed
squashed | slow; commit; go main; git merge -q --squash change; update; commit; go change; build |
worktree | git worktree add -q ../worktree; cd ../worktree; prepare; slow; build | changed | | worktree
shallow, depth 2 | slow; commit; go main; git merge -q --no-ff -m merge change; copy; prepare; build | changed | | clone --old git:HEAD^
unrelated package | unrelated; commit |
new benchmark | cp "$BENCHMARKS/parse.js" "$BENCHMARKS/new.js"; commit | | new.js parse.js plain.js
removed benchmark | rm "$BENCHMARKS/parse.js"; commit | | plain.js
renamed benchmark | git mv "$BENCHMARKS/parse.js" "$BENCHMARKS/parsing.js"; commit | | parsing.js plain.js
dirty lockfile | echo >> "$LOCK" |
stale build | slow | stale`
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()));
const functions = `slow() { printf %s "$SLOWER" > "$SOURCE"; }
unrelated() { echo '// changed' >> packages/other/index.js; }
update() { git submodule --quiet update --init --force; }
build() { (cd "$OWN" && eval "$BUILD") > /dev/null; }
prepare() { (cd "$OWN" && eval "$PREPARE") > /dev/null 2>&1; }
copy() { git clone -q --depth 2 "file://$PWD" ../clone; cd ../clone; git remote set-url origin "$TREE"; }
go() { git checkout -qf "$1" && update; }
submodule() { git submodule --quiet add ../core vendor/core; }
commit() {
  if [ -e vendor ]; then (cd vendor/core && git commit -qam change && git push -q origin HEAD:refs/heads/$(git rev-parse HEAD) || true); fi
  git add . && git commit -qm change
}
`;
/** The changes of pull requests, and whether their jobs fail. */
const pullRequests = [
  ['docs', 'echo changed > README.md', false],
  ['an unrelated package', 'unrelated', false],
  ['a slow core', 'slow', true],
] as const;

/** Package managers that Node.js does not have, and npm, which the fixtures stand in for. */
const wanted = ['exec', '--yes', '--package=pnpm@10', '--package=@yarnpkg/cli-dist@4', '--', 'sh', '-c'];
const { stdout: found } = execaSync('npm', [...wanted, 'command -v pnpm; command -v npm'], { reject: false });
const [pnpm = '', npm = 'npm'] = found.split('\n');

describe.each(Object.entries(fixtures).filter(([name]) => pnpm !== '' || !/^(?:pnpm|yarn)/.test(name)))(
  '%s',
  (name, { files, path: own, install, lock, source, slower, built }) => {
    let suite: TemporarySuite;
    let tree: string;
    let env: Record<string, string>;
    const sh = (script: string, cwd = tree) => execaSync('sh', ['-ec', functions + script], { cwd, env });
    const isYarn = name.startsWith('yarn');
    const start = isYarn ? ['yarn', 'bench-cli'] : ['npx', '--no', 'bench-cli'];

    beforeAll(() => {
      const called = `"${process.execPath}" "${bin}" "$@"`;
      suite = temporarySuite({
        gitconfig:
          '[user]\nname = t\nemail = t@example.com\n[protocol "file"]\nallow = always\n[init]\ndefaultBranch = main\n',
        // As installed commands: npx does not find that of Plug'n'Play.
        'bin/npx': `#!/bin/sh\n[ "$1 $2" = "--no bench-cli" ] && [ ! -e "$TREE/.pnp.cjs" ] || exit 9\nshift 2\nexec ${called}\n`,
        'bin/yarn': `#!/bin/sh\n[ "$1" = bench-cli ] || exec "${join(dirname(pnpm), 'yarn')}" "$@"\nshift\nexec "${join(dirname(pnpm), 'yarn')}" node "${bin}" "$@"\n`,
        'bin/npm': `#!/bin/sh\n[ "$1 $2" = "install -g" ] || exec "${npm}" "$@"\n`,
        ...{ 'core/package.json': json(esm), 'core/.gitignore': 'dist\n', 'core/src/index.js': code(300) },
        ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`tree/${file}`, text])),
        'temporary/_keep': '',
      });
      mkdirSync(suite.path('cache'), { mode: 0o700 });
      // Yarn would take the directory for the root of the workspace.
      writeFileSync(suite.path('yarn.lock'), '');
      tree = suite.path('tree');
      const tools = [
        suite.path('bin'),
        dirname(process.execPath),
        dirname(pnpm),
        `${root}/node_modules/.bin`,
      ];
      env = {
        ...{ PATH: [...tools, process.env['PATH']].join(':'), NO_COLOR: '1', CI: '', TREE: tree },
        ...{ BENCH_CLI_CACHE: suite.path('cache'), RUNNER_TEMP: suite.path('temporary'), SOURCE: source },
        ...{ GIT_CONFIG_GLOBAL: suite.path('gitconfig'), OWN: own || '.', SLOWER: slower, LOCK: lock },
        BENCHMARKS: join(own, 'benchmarks'),
      };
      sh('git init -q; git add .; git commit -qm core', suite.path('core'));
      sh(`git init -q; ${install}; mkdir -p .github`);
      const { build = '', prepare } = packageCommands(join(tree, own));
      Object.assign(env, { BUILD: build, PREPARE: prepare });
      sh(`build; git add .; git commit -qm first; cd "$OWN"; ${start.join(' ')} init workflow --write`);
      sh('git add .; git commit -qm benchmarks; git tag first');
    });
    afterAll(() => suite[Symbol.dispose]());
    const reset = () =>
      sh('git checkout -qf -B main first; git clean -fdq; update; build; git checkout -qB change');

    const hasAll = isWhole || ['npm', 'submodule'].includes(name);
    it.each(states.filter(([state = '']) => hasAll || buildStates.test(state)))(
      '%s',
      async (...[, script = '', effect, names = '', place = '']) => {
        reset();
        sh(script);
        const [at = '', ...words] = (place || 'tree').split(' ');
        const args = [...start.slice(1), 'compare', '--affected', '--dry-run', ...words];
        const { exitCode, stdout, stderr } = await execa(start[0] ?? '', args, {
          ...{ cwd: join(suite.path(at), own), env, reject: false },
        });
        const lines = (names || 'parse.js plain.js').split(' ').map((each) => {
          const isChanged = effect === 'changed' && each !== 'plain.js';
          return isChanged
            ? `run   ${each}: loads ${built}, which differs`
            : `skip  ${each}: loads the same code`;
        });
        // Without a source map, nothing says what a bundle contains.
        const bundled =
          name === 'npm' ? `\nchanged, and perhaps a part of a build that differs: ${source}` : '';
        const notices =
          {
            stale: expect.stringContaining(`is not built since ${source} changed`),
            changed: `--affected leaves out 1 of 2 benchmark files, which load the same code (plain.js)${bundled}`,
          }[effect ?? ''] ?? expect.not.stringContaining(source);
        expect([exitCode, stdout, stderr]).toEqual(
          effect === 'stale' ? [2, '', notices] : [0, lines.join('\n'), notices],
        );
      },
    );

    // The jobs measure: those of workspaces as they are written, and the steps of the action in others.
    const jobs = (['workflow', 'action'] as const).filter(
      (each) => isWhole || (each === 'action') === (own === ''),
    );
    it.each(hasAll ? jobs.flatMap((each) => pullRequests.map((change) => [each, ...change] as const)) : [])(
      '%s of a pull request: %s',
      async (written, _, script, isRed) => {
        reset();
        sh(`${script}; commit; go main; git merge -q --no-ff -m merge change; update`);
        const job = { directory: tree, env, contexts: { github: {}, runner: {} } };
        const inputs = {
          ...{ base: 'HEAD^', 'working-directory': own || '.', install: env['PREPARE'] ?? '' },
          ...{ 'fail-on': 'slower>=5%', comment: '', options: '--runs\n6' },
        };
        const workflow = join(
          tree,
          `.github/workflows/${own === '' ? 'benchmarks' : 'benchmarks-packages-parser'}.yml`,
        );
        const { failed, summary, output } = await (written === 'action'
          ? runAction(join(root, 'action/action.yml'), job, inputs)
          : runJob(workflow, 'compare', job));
        expect(summary, output).toMatch(isRed ? /slower/ : /Nothing that a benchmark loads has changed/);
        expect(failed !== undefined).toBe(isRed);
      },
    );
  },
);
