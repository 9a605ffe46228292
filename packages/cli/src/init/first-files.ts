import { existsSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { calledCommand } from '@bench-cli/results';
import { type ExportedFunction, exportedFunctions, type Parameter } from './exported-functions.ts';
import { gitlabFile, type Project } from './project.ts';

/** A file to write, by its path below the directory of the project. */
export interface FirstFile {
  readonly path: string;
  readonly text: string;
}

/** Code of arguments, each with the types and the names of parameters for which it is written. */
const values: readonly (readonly [code: string, types: RegExp, names: RegExp])[] = [
  ["'The first of many titles'", /^string$/, /str|te?xt|title|name|input|word/i],
  ['\'{"id":1,"tags":["a","b"]}\'', /^string$/, /json|source|src|code/i],
  ["['pear', 'apple', 'plum']", /^(?:readonly )?string\[\]$|Array<string>$/, /words|names|keys|strings/i],
  ['[3, 1, 2]', /\[\]$|^(?:Readonly)?Array\b|^Iterable\b/i, /list|items|values|array|numbers/i],
  ['1000', /^number$/, /^(?:n|x|a|b|count|size|length|num\w*|max|min)$/i],
  ["{ id: 1, tags: ['a', 'b'] }", /^(?:object$|Record\b|\{)/i, /obj|data|options|config/i],
  ['(value) => value', /=>|^Function$/, /fn|func|callback|compare|predicate/i],
  ['true', /^boolean$/, /^(?:is|has|with)[A-Z]/],
];

/** A guess for a parameter; undefined if neither its type nor its name says anything. */
function argumentFor({ name, type }: Parameter): string | undefined {
  const first = type.includes('=>') ? type.trim() : (type.split('|')[0] ?? '').trim();
  if (/^(?:'[^'\\]*'|"[^"\\]*"|\d+)$/.test(first)) return first;
  const fitting = values.filter(([, types]) => types.test(first));
  const [code] = [...fitting, ...values].find(([, , names]) => names.test(name)) ?? fitting[0] ?? [];
  return code;
}

/** Names of functions that change something elsewhere: a benchmark would call them thousands of times. */
const changing =
  /^(?:abort|cancel|close|delete|destroy|drop|emit|exec|exit|install|kill|mail|notify|patch|pay|post|publish|push|put|remove|reset|rm|save|send|spawn|stop|store|submit|unlink|update|upload|write)(?![a-z])/;
/** Functions that rather prepare work than do it come last. */
const preparing =
  /^(?:[A-Z_]|use[A-Z]|set|init|main|start|run|create|make|define|register|configure|connect|fetch|get|load|open|request)/;

/** Names that the written file has already, or that no variable of a module can have. */
const taken =
  /^(?:_|arguments|await|bench|break|case|catch|class|const|continue|createBenchmark|debugger|delete|do|else|enum|eval|export|extends|false|finally|for|function|if|implements|import|in|input\d*|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;

/** The function whose arguments can be guessed best. */
async function chosenFunction({ directory, entry, declarations }: Project) {
  const found = await exportedFunctions(join(directory, entry), join(directory, declarations));
  const nameOf = ({ name }: ExportedFunction) => name.replace('default.', '');
  const doubts = (each: ExportedFunction) =>
    each.parameters.filter((parameter) => argumentFor(parameter) === undefined).length +
    Number(each.parameters.length === 0) +
    Number(preparing.test(nameOf(each)));
  const usable = found.filter((each) => /^\w+$/.test(nameOf(each)) && !changing.test(nameOf(each)));
  const groups = Map.groupBy(usable, doubts);
  return groups.get(Math.min(...groups.keys()))?.[0];
}

/** A benchmark of an exported function; undefined if no function is found. */
export async function firstBenchmark(project: Project): Promise<FirstFile | undefined> {
  const found = await chosenFunction(project);
  if (found === undefined) return undefined;
  const [name = '', property] = found.name.split('.');
  const args = found.parameters.map((parameter) => argumentFor(parameter) ?? values[0]?.[0]);
  const isNamed = name !== 'default' && !taken.test(name);
  const local = isNamed ? name : property === undefined ? 'measured' : 'library';
  const imported = isNamed ? `{ ${name} }` : name === 'default' ? local : `{ ${name} as ${local} }`;
  // What a module imports is a URL.
  const path = relative('benchmarks', project.entry).split(sep).map(encodeURIComponent).join('/');
  const from = project.ownName ?? path;
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
      ...args.map((code, at) => `  const ${names[at]} = ${code}; // replace with your own input`),
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
  if (repository === undefined) return undefined;
  const isPrepared = commands.build !== undefined || commands.hasSubmodules;
  const defaults = [
    `    old: ${literal(`git:${repository.branch}`)},`,
    ...(isPrepared ? [`    prepare: ${literal(commands.prepare)},`] : []),
  ];
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

/** The options with which all written jobs, the action and the docs compare a pull request. */
export const ciOptions = ['--affected', '--format', 'markdown'];

/** The job of a package for pull requests, in the root of the repository; undefined for unknown hosts. */
export function firstWorkflow({ commands, host, root, path }: Project): FirstFile | undefined {
  if (host === undefined) return undefined;
  const job = ['benchmarks', ...(path.match(/\w+/g) ?? [])].join('-');
  const fromHere = '../'.repeat(path === '' ? 0 : path.split('/').length);
  const { setup, prepare, start, hasSubmodules } = commands;
  const install = setup === undefined ? [] : [setup];
  const compare = (base: string, output: string) => {
    const words = ['compare', '--old', { placeholder: base }, ...ciOptions, '--fail-on', 'slower>=5%'];
    return `${calledCommand(words, start === 'npx' ? 'npx --no' : start)} ${output}`;
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
${hasSubmodules ? '    GIT_SUBMODULE_STRATEGY: recursive\n' : ''}  script:
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
${hasSubmodules ? '          submodules: recursive\n' : ''}      - uses: actions/setup-node@v5
        with:
          node-version: 26
${[...install, prepare, compare("'git:HEAD^'", '>> "$GITHUB_STEP_SUMMARY"')].map((line) => `      - run: ${line}\n`).join('')}`,
  };
}
