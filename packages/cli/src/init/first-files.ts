import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { calledCommand } from '@bench-cli/results';
import { z } from '@bench-cli/results/schema';
import { parseJson } from '@bench-cli/system';
import type { FoundExport } from './export-process.ts';
import { gitlabFile, type Project } from './project.ts';

/** A file to write, by its path below the directory of the project. */
export interface FirstFile {
  readonly path: string;
  readonly text: string;
}

const word = z.string().regex(/^\w+$/);
/** The package can have printed it, too. */
const foundSchema = z.object({
  name: word,
  property: word.optional(),
  args: z.array(z.string()),
});

/** Long enough to load a package. */
const TIMEOUT_MS = 15_000;

/** Imports the package in a process that can neither write files nor start programs. */
function findExport({ directory, entry }: Project, env: NodeJS.ProcessEnv): FoundExport | undefined {
  const program = fileURLToPath(new URL('./export-process.js', import.meta.url));
  const url = new URL(entry, `${pathToFileURL(directory)}/`).href;
  const { stdout } = spawnSync(process.execPath, ['--permission', '--allow-fs-read=*', program, url], {
    cwd: directory,
    env: { ...env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  return foundSchema.safeParse(parseJson(last)).data;
}

/** A benchmark of an exported function; undefined if none takes simple arguments. */
export function firstBenchmark(project: Project, env: NodeJS.ProcessEnv): FirstFile | undefined {
  const found = findExport(project, env);
  if (found === undefined) return undefined;
  const { name, property, args } = found;
  const local = name === 'default' ? (property === undefined ? 'measured' : 'library') : name;
  const imported = name === 'default' ? local : `{ ${name} }`;
  const from = project.ownName ?? relative('benchmarks', project.entry).replaceAll('\\', '/');
  const names = args.map((_, at) => (args.length === 1 ? 'input' : `input${at + 1}`));
  const call = `${property === undefined ? local : `library.${property}`}(${names.join(', ')})`;
  const file = (property ?? local).replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return {
    path: `benchmarks/${file.replaceAll(/[^\w-]|^-/g, '')}.${project.extension}`,
    text: [
      "import { createBenchmark } from '@bench-cli/core';",
      `import ${imported} from ${literal(from)};`,
      '',
      'createBenchmark(async (_, bench) => {',
      ...args.map((code, at) => `  const ${names[at]} = ${code};`),
      `  await bench.measure(() => ${call});`,
      '}, {});',
      '',
    ].join('\n'),
  };
}

/** A text in the code of a file: names of files, branches and scripts can have quotes. */
function literal(text: string): string {
  return /^[^'\\\p{C}\p{Zl}\p{Zp}]*$/u.test(text) ? `'${text}'` : JSON.stringify(text);
}

/** The defaults by which `bench-cli compare` needs no options. */
export function firstConfig({ extension, commands, repository }: Project): FirstFile | undefined {
  const defaults = [
    ...(repository === undefined ? [] : [`    old: ${literal(`git:${repository.branch}`)},`]),
    ...(repository === undefined || commands.build === undefined
      ? []
      : [`    prepare: ${literal(commands.prepare)},`]),
  ];
  if (defaults.length === 0) return undefined;
  const isTypeScript = extension.endsWith('ts');
  const head = isTypeScript ? ["import type { Config } from '@bench-cli/cli/config';", ''] : [];
  return {
    path: `bench-cli.config.${extension}`,
    text: [
      ...head,
      'export default {',
      '  defaults: {',
      ...defaults,
      '  },',
      isTypeScript ? '} satisfies Config;' : '};',
      '',
    ].join('\n'),
  };
}

/**
 * A job for pull requests in the root of the repository: the first command of "Compare pull requests in CI"; undefined where its host is not
 * known. Each package has its own job.
 */
export function firstWorkflow({ commands, host, root, path, named }: Project): FirstFile | undefined {
  if (host === undefined) return undefined;
  const job = ['benchmarks', ...(path.match(/\w+/g) ?? [])].join('-');
  const fromHere = '../'.repeat(path === '' ? 0 : path.split('/').length);
  const { manager, prepare } = commands;
  const install = manager === 'npm' ? [] : [`npm install -g ${manager}`];
  const compare = (base: string, output: string) => {
    const words = ['--fail-on', 'slower>=5%', '--format', 'markdown', ...named];
    const line = `npx --no ${calledCommand(['compare', '--old', { placeholder: base }, ...words])} ${output}`;
    return /: | #/.test(line) ? JSON.stringify(line) : line;
  };
  if (host === 'gitlab') {
    const base = `\${CI_MERGE_REQUEST_TARGET_BRANCH_SHA:-$CI_MERGE_REQUEST_DIFF_BASE_SHA}`;
    const file = join(root, gitlabFile);
    const included = `.gitlab/${job}.yml`;
    const ours = path === '' ? /bench-cli/ : new RegExp(`${job}[:.]`);
    const hasOthers = existsSync(file) && !ours.test(readFileSync(file, 'utf8'));
    const enter = path === '' ? [] : [JSON.stringify(`cd '${path.replaceAll("'", "'\\''")}'`)];
    return {
      path: `${fromHere}${hasOthers ? included : gitlabFile}`,
      text: `${hasOthers ? `# Write "include: /${included}" into ${gitlabFile}.\n` : ''}${job}:
  image: node:26
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  timeout: 1h
  variables:
    # The base is in the history: the tip of the target branch in a pipeline for merged results, else where the branch has left it.
    GIT_DEPTH: 0
  script:
${[...enter, ...install, prepare, compare(`"git:${base}"`, '> "$CI_PROJECT_DIR/report.md"')].map((line) => `    - ${line}\n`).join('')}  after_script:
    - cat report.md
  artifacts:
    when: always
    paths: [report.md]
`,
    };
  }
  return {
    path: `${fromHere}.github/workflows/${job}.yml`,
    text: `name: Benchmarks${path && ` of ${path.replaceAll(/[^\w./@-]/g, '-')}`}

on: pull_request

permissions:
  contents: read

jobs:
  compare:
    runs-on: ubuntu-24.04
    timeout-minutes: 60
${path && `    defaults:\n      run:\n        working-directory: ${JSON.stringify(path)}\n`}    steps:
      - uses: actions/checkout@v5
        with:
          # The merge of the pull request, and its first parent, which is the base.
          fetch-depth: 2
      - uses: actions/setup-node@v5
        with:
          node-version: 26
${[...install, prepare, compare("'git:HEAD^'", '>> "$GITHUB_STEP_SUMMARY"')].map((line) => `      - run: ${line}\n`).join('')}`,
  };
}
