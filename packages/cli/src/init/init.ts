import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setImmediate } from 'node:timers/promises';
import { calledCommand, shownIn, UsageError } from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import { firstBenchmark, firstConfig, firstWorkflow } from './first-files.ts';
import { type Project, readProject } from './project.ts';

interface InitOptions {
  /** Empty, or `workflow` and perhaps its host, to write a job too. */
  readonly words: readonly string[];
  /** Where the job runs. Default: what the repository shows. */
  readonly host: Project['host'];
  readonly write: boolean;
}

/** Shows the first files of a project, and writes those that are not there if the user agrees. */
export async function initProject({ words, host, write }: InitOptions, terminal: Terminal): Promise<number> {
  const { io, notice, result } = terminal;
  const withWorkflow = words.length > 0;
  const project = await readProject(io.cwd, host, io.signal);
  const { entry, isBuilt, commands, hasBenchmarks, config } = project;
  const called = (...command: readonly string[]) => calledCommand(command, commands.start);
  if (!isBuilt && !hasBenchmarks && commands.build !== undefined) {
    const problem = `${shownIn('name', entry)} is not built: run "${commands.build}", and ${called('init')} again`;
    throw new UsageError('ERR_BENCH_PROJECT', problem);
  }
  const benchmark = hasBenchmarks ? undefined : await firstBenchmark(project);
  const files = [
    benchmark,
    config === undefined ? firstConfig(project) : undefined,
    withWorkflow ? firstWorkflow(project) : undefined,
  ].filter((file) => file !== undefined);
  const missing = files.filter(({ path }) => !existsSync(join(io.cwd, path)));
  for (const { path } of missing) checkInside(path, project);
  for (const { path, text } of missing) result(`${path}\n${text.replaceAll(/^(?=.)/gm, '    ')}\n`);
  if (config !== undefined) notice(`keeps ${config}`);
  for (const { path } of files.filter((file) => !missing.includes(file))) notice(`keeps ${path}`);
  if (withWorkflow && project.host === undefined) {
    notice(
      `warning: no workflow, because neither the remote "origin" nor .github or .gitlab-ci.yml shows the host: ${called('init', 'workflow', 'github')}, or gitlab, says it; "Continuous integration" in the docs has the commands for others`,
    );
  }
  if (!hasBenchmarks && benchmark === undefined) {
    notice(
      `warning: found no exported function for a first benchmark: write the first benchmark in the directory "benchmarks" ("Write a benchmark" in the docs), then ${called('run')} executes it`,
    );
  }
  const canAsk = terminal.statusIsTerminal && Reflect.get(io.stdin, 'isTTY') === true;
  if (missing.length > 0 && !write && !(canAsk && (await agrees(terminal)))) {
    notice(`wrote nothing: ${called('init', ...words, '--write')} writes these files`);
    return 0;
  }
  // Signals that arrived while the package was read are handled before the next turn.
  await setImmediate();
  io.signal.throwIfAborted();
  for (const { path, text } of missing) {
    const file = join(io.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    // Another program can have made it by now.
    writeFileSync(file, text, { flag: 'wx' });
  }
  // Without a benchmark, the next step is the warning's, or to measure the command of the package.
  const isReady = hasBenchmarks || benchmark !== undefined;
  if (isReady || project.program !== undefined)
    result(`Next: ${nextStep(project, isReady, withWorkflow && project.host !== undefined)}\n`);
  return 0;
}

/** A link of a directory can lead out of the repository. @throws UsageError if it does */
function checkInside(path: string, { directory, root }: Project): void {
  let parent = dirname(join(directory, path));
  while (!existsSync(parent)) parent = dirname(parent);
  const isOutside = relative(realpathSync(root), realpathSync(parent)).startsWith('..');
  if (!isOutside) return;
  const problem = `${path} would be outside of ${root}, because ${parent} is a link: remove the link`;
  throw new UsageError('ERR_BENCH_PROJECT', problem);
}

async function agrees({ io }: Terminal): Promise<boolean> {
  const lines = createInterface({ input: io.stdin, output: io.stderr });
  try {
    return /^y(?:es)?$/i.test(await lines.question('Write these files? [y/N] ', { signal: io.signal }));
  } finally {
    lines.close();
  }
}

function nextStep(
  { config, repository, commands, hasCore, host, program }: Project,
  isReady: boolean,
  hasWorkflow: boolean,
): string {
  const manager = commands.manager === 'npm' ? 'npm install --save-dev' : `${commands.manager} add -D`;
  const install = hasCore ? [] : [`${manager} @bench-cli/cli @bench-cli/core`];
  if (hasWorkflow && isReady) {
    const request = host === 'gitlab' ? 'merge request' : 'pull request';
    const commit = `commit these files, and open a ${request}: its job compares it with its base`;
    return [...install, commit].join('; then ');
  }
  const command = (...words: string[]) =>
    calledCommand([...words, ...(isReady ? [] : [`node ${program} --help`])], commands.start);
  const old = repository !== undefined && config !== undefined ? ['--old', `git:${repository.branch}`] : [];
  const first = [...install, command('run')].join(' && ');
  return repository === undefined
    ? first
    : `${first}; after a change of the code: ${command('compare', ...old)}`;
}
