import { isRunning, killRunning } from '../../test/support/processes.ts';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { asUser, command, expectNoProcess, giveTo, works } from './command.ts';
import type { Random } from './random.ts';
import { recordingIn } from './recorded-runs.ts';
import { Tallies, type Tally } from './tally.ts';

const user = 61_234;

const kinds = {
  'no /proc': { mount: 'mount -t tmpfs -o mode=755 tmpfs /proc', as: [], lacks: ['processes'] },
  hidepid: {
    mount: 'mount -t proc -o hidepid=invisible proc /proc',
    as: asUser(user),
    lacks: undefined,
  },
} as const;
type Kind = (typeof kinds)[keyof typeof kinds];

const shell = `'sh', ['-c', 'sleep 30; :', conf.mark]`;
const environment = 'env: { PATH: process.env.PATH }';
interface Leaving {
  /** The body of a benchmark. */
  readonly body: string;
  readonly isInGroup: boolean;
}
const leaving: readonly [Leaving, ...Leaving[]] = [
  { body: `spawn(${shell}, { stdio: 'ignore' });`, isInGroup: true },
  { body: `spawn(${shell}, { stdio: 'ignore', ${environment} });`, isInGroup: true },
  { body: `spawn(${shell}, { stdio: 'ignore', ${environment}, detached: true });`, isInGroup: false },
  {
    body: `spawn('setsid', ['--fork', 'sh', '-c', 'sleep 30; :', conf.mark], { stdio: 'ignore', ${environment} });`,
    isInGroup: false,
  },
];

/** Runs benchmarks that leave processes where /proc is not there, or shows a user only the own processes. */
export async function hiddenProcesses(count: number, random: Random): Promise<readonly Tally[]> {
  const tallies = new Tallies('hidden processes');
  for (let attempt = 0; attempt < count; attempt++) {
    for (const [name, kind] of Object.entries(kinds)) {
      const tally = tallies.of(name);
      if (works('unshare', '--mount', 'sh', '-c', kind.mount))
        await tally.guard(name, () => leave(kind, tally, random));
      else tally.skip('a file system cannot be mounted');
    }
  }
  return tallies.all;
}

async function leave({ mount, as, lacks }: Kind, tally: Tally, random: Random): Promise<void> {
  const mark = `torture-hidden-${process.pid}-${tally.attempts}`;
  const { body, isInGroup } = leaving[tally.attempts++] ?? random.pick(leaving);
  using suite = temporarySuite({
    'a.js': benchmark(
      `{ mark: ['${mark}'] }`,
      `${body} await new Promise((resolve) => setTimeout(resolve, 50)); bench.report(1, 1n); setImmediate(() => process.exit());`,
      {
        head: `import { spawn } from 'node:child_process';`,
      },
    ),
    'good.js': benchmark('{ n: [1, 2] }', 'bench.report(42 * conf.n, 1n);'),
  });
  if (as.length > 0) giveTo(user, suite.directory);
  const out = suite.path('results.jsonl');
  const starter = ['unshare', '--mount', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...as];
  const env = { BENCH_CLI_CACHE: suite.path('cache') };
  const { exitCode, stderr } = await command(tally, ['run', '.', '--out', out], {
    cwd: suite.directory,
    starter,
    env,
  });
  const told = `${body}\n${stderr}`;
  if (exitCode !== 1) tally.add('wrong exit codes', `${exitCode}: ${told}`);
  const recording = recordingIn(out);
  const rates = recording?.runs.map((run) => (run.status === 'failed' ? run.failure.kind : run.values.rate));
  // Without the list of processes, one that has left its group is not found.
  const expected = [lacks === undefined || isInGroup ? 'left processes' : 1, 42, 84];
  if (`${rates}` !== `${expected}`) tally.add('wrong figures', `${rates}: ${told}`);
  if (`${recording?.session.environment.lacks}` !== `${lacks}`) tally.add('lost', `what is missing: ${told}`);
  if (lacks === undefined || isInGroup) await expectNoProcess(tally, mark);
  else if (isRunning(mark)) killRunning(mark);
}
