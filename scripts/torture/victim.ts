import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { SucceededRun } from '@bench-cli/results/recording';
import { benchmark, type TemporarySuite, temporarySuite } from '../../test/support/suite.ts';
import type { ExpectedRuns } from './recorded-runs.ts';

/** A session that is killed, and what its file must contain in the end. */
export interface Victim extends Disposable {
  readonly suite: TemporarySuite;
  /** The command. */
  readonly words: readonly string[];
  /** Its arguments, without `--out`. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** In its command lines, and in those of its children. */
  readonly mark: string;
  readonly rateOf: ExpectedRuns['rateOf'];
  /** The number of runs of the complete session; undefined if the runs decide it. */
  readonly runs: number | undefined;
}

const node = process.execPath;
const configurations = 6;
const rounds = 3;
const perSubject = configurations * rounds;

const disposable = (victim: Omit<Victim, typeof Symbol.dispose>): Victim => ({
  ...victim,
  [Symbol.dispose]: () => victim.suite[Symbol.dispose](),
});

let victims = 0;
const nextMark = () => `torture-${process.pid}-${victims++}`;

/** A suite with a benchmark that leaves children, and reports 1 + n, times SPEED. */
function suiteWith(mark: string): TemporarySuite {
  const values = Array.from({ length: configurations }, (_, n) => n);
  return temporarySuite({
    'g/a.js': benchmark(
      `{ mark: ['${mark}'], n: [${values}] }`,
      `const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3e4)', conf.mark], { detached: conf.n % 2 === 0, stdio: 'ignore' });
       await new Promise((resolve) => setTimeout(resolve, 20));
       child.kill('SIGKILL');
       await new Promise((resolve) => child.once('exit', resolve));
       bench.report((1 + conf.n) * Number(process.env.SPEED ?? 1), 1n);`,
      { head: `import { spawn } from 'node:child_process';` },
    ),
  });
}

const countOf = ({ configuration }: SucceededRun) => 1 + Number(configuration['n']);
const twiceAsFast = (run: SucceededRun) => countOf(run) * (run.subject === 'new' ? 2 : 1);
const twoSubjects = ['--old', node, '--new', `${node},env=SPEED=2`];

function victim(
  [command = '', ...options]: readonly string[],
  runs: number | undefined,
  rateOf: Victim['rateOf'],
): Victim {
  const mark = nextMark();
  const suite = suiteWith(mark);
  const args = [...options, '--suite', suite.directory, 'g/a.js'];
  return disposable({ suite, words: [command], args, env: {}, mark, rateOf, runs });
}

/** Busy processes in turns, of which all but one are stopped at any moment. Half of the configurations plan how long they sample. */
function inTurns(): Victim {
  const mark = nextMark();
  const busy = (ms: string) =>
    `{ const until = performance.now() + ${ms} / Number(process.env.SPEED ?? 1); while (performance.now() < until); }`;
  const suite = temporarySuite({
    'g/a.js': benchmark(
      `{ mark: ['${mark}'], n: [0, 1, 2, 3] }`,
      `if (conf.n % 2 === 1) return bench.measure(() => ${busy('0.05')});
       ${busy('100')}
       bench.report((1 + conf.n) * Number(process.env.SPEED ?? 1), 1n);`,
    ),
  });
  const options = ['--runs', 'auto', '--max-runs', '10'];
  const args = [...twoSubjects, ...options, '--suite', suite.directory, 'g/a.js'];
  const rateOf = (run: SucceededRun) =>
    Number(run.configuration['n']) % 2 === 1 ? ([1, 40_000] as const) : twiceAsFast(run);
  return disposable({ suite, words: ['compare'], args, env: {}, mark, rateOf, runs: undefined });
}

/** Requests at once, and the delay of the server. No client is faster. */
const parallel = 5;
const delayMs = 50;

/** HTTP clients, one of which has a child, and a server of several processes. */
function clients(): Victim {
  const mark = nextMark();
  const suite = temporarySuite({
    'bench-cli.config.mjs': `import { spawn } from 'node:child_process';
      import { get } from 'node:http';
      export default { clients: [{ name: 'has a child', connect: ({ url }) => {
        const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3e4)', '${mark}'], { detached: true, stdio: 'ignore' });
        return {
          request: (answer) => new Promise((resolve, reject) => {
            get(url, (response) => answer.read(response.statusCode, response).then(resolve, reject)).on('error', reject);
          }),
          close: () => new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL')),
        };
      } }] };`,
  });
  const args = ['--samples', '4', '--parallel', `${parallel}`];
  return disposable({
    suite,
    words: ['http', 'clients'],
    args: [...args, 'has a child', 'http - keepalive', 'fetch'],
    env: { WORKERS: '2', TIMEOUT: `${delayMs}` },
    mark,
    // A timer may fire a millisecond early.
    rateOf: () => [1, (parallel * 1000) / (delayMs - 1)],
    runs: 3 * 4,
  });
}

/** A repository whose fourth commit of six is twice as fast. */
function bisection(): Victim {
  const mark = nextMark();
  const suite = temporarySuite({
    'bench/a.js': benchmark(`{ mark: ['${mark}'] }`, 'bench.report(speed, 1n);', {
      head: `import { speed } from 'torture';`,
    }),
    '.gitignore': 'node_modules\n',
  });
  const manifest = { name: 'torture', type: 'module', exports: './speed.js' };
  writeFileSync(suite.path('package.json'), JSON.stringify(manifest));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
      cwd: suite.directory,
      encoding: 'utf8',
    }).trim();
  git('init', '-q', '-b', 'main');
  const speeds = [1000, 1000, 1000, 2000, 2000, 2000];
  const speedOf = new Map<string, number>();
  for (const [at, speed] of speeds.entries()) {
    writeFileSync(suite.path('speed.js'), `export const speed = ${speed}; // ${at}\n`);
    git('add', '-A');
    git('commit', '-q', '-m', `${at}`);
    git('tag', `v${at}`);
    speedOf.set(git('rev-parse', 'HEAD'), speed);
  }
  const ends = ['--old', 'git:v0', '--new', 'git:v5'];
  const rateOf = ({ subject }: SucceededRun) => {
    if (subject === 'good') return 1000;
    if (subject === 'bad') return 2000;
    const [, speed = Number.NaN] = [...speedOf].find(([commit]) => `git:${commit}`.startsWith(subject)) ?? [];
    return speed;
  };
  const args = [...ends, suite.path('bench/a.js')];
  return disposable({ suite, words: ['bisect'], args, env: {}, mark, rateOf, runs: undefined });
}

interface VictimKind {
  readonly name: string;
  readonly create: () => Victim;
}

/** The kinds of sessions, each with a suite of its own. */
export const victimKinds: readonly VictimKind[] = [
  { name: 'run', create: () => victim(['run', '--runs', `${rounds}`], perSubject, countOf) },
  {
    name: 'compare',
    create: () => victim(['compare', ...twoSubjects, '--runs', `${rounds}`], 2 * perSubject, twiceAsFast),
  },
  {
    name: 'compare, adaptive',
    create: () => victim(['compare', ...twoSubjects, '--runs', 'auto'], undefined, twiceAsFast),
  },
  { name: 'compare, in turns', create: inTurns },
  { name: 'scatter', create: () => victim(['scatter', '--runs', `${rounds}`], perSubject, countOf) },
  { name: 'bisect', create: bisection },
  { name: 'http clients', create: clients },
];
