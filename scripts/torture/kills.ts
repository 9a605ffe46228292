import { existsSync, readFileSync, rmSync } from 'node:fs';
import { readRecording } from '@bench-cli/results/recording';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command, expectNoProcess } from './command.ts';
import type { Random } from './random.ts';
import { Tally } from './tally.ts';

const configurations = 6;
const rounds = 3;
/** Kills of one session. A resumed session that is short of time may never end. */
const mostKills = 6;

/** Kills sessions at random moments, and resumes each until it is complete. */
export async function kills(count: number, random: Random): Promise<Tally> {
  const tally = new Tally('kills');
  while (tally.attempts < count) await session(tally, random, Math.min(mostKills, count - tally.attempts));
  return tally;
}

async function session(tally: Tally, random: Random, left: number): Promise<void> {
  const mark = `torture-${process.pid}-${performance.now()}`;
  const values = Array.from({ length: configurations }, (_, n) => n);
  using suite = temporarySuite({
    'g/a.js': benchmark(
      `{ mark: ['${mark}'], n: [${values}] }`,
      `const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3e4)', conf.mark], { detached: conf.n % 2 === 0, stdio: 'ignore' }); await new Promise((resolve) => setTimeout(resolve, 20)); child.kill('SIGKILL'); await new Promise((resolve) => child.once('exit', resolve)); bench.report(1 + conf.n, 1n);`,
      { head: `import { spawn } from 'node:child_process';` },
    ),
  });
  const out = suite.path('results.jsonl');
  const first = ['run', '--runs', String(rounds), '--suite', suite.directory, '--out', out, 'g'];
  for (let killed = 0; ; killed++) {
    const resumes = existsSync(out) && readFileSync(out).includes(10);
    // Nothing was recorded before the first line.
    if (!resumes) rmSync(out, { force: true });
    const signal = random.pick<NodeJS.Signals>(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT']);
    const args = resumes ? ['run', '--resume', out] : first;
    const before = resumes ? readRecording(out).runs.length : 0;
    const kill = killed < left ? { signal, afterMs: random.below(3000) } : undefined;
    const { exitCode, stderr } = await command(tally, args, kill);
    // A command that ended before the signal was not killed.
    if (kill !== undefined && exitCode !== 0) tally.attempts++;
    await expectNoProcess(tally, mark);
    const recorded = existsSync(out) && readFileSync(out).includes(10) ? readRecording(out) : undefined;
    const runs = recorded?.runs ?? [];
    if (runs.length < before) tally.add('lost', `${before - runs.length} runs after ${args.join(' ')}`);
    const keys = new Set(runs.map((run) => `${JSON.stringify(run.configuration)} ${run.round}`));
    if (keys.size < runs.length) tally.add('double', `${runs.length - keys.size} runs`);
    // A command that was killed before its handlers were installed dies by the signal, and has no code.
    const expected = kill ? [undefined, 0, signal === 'SIGINT' ? 130 : 143] : [0];
    if (!expected.includes(exitCode)) tally.add('wrong exit codes', `${exitCode} after ${signal}: ${stderr}`);
    if (kill !== undefined && exitCode !== 0) continue;
    if (runs.length !== configurations * rounds)
      tally.add('lost', `${runs.length} runs in a complete session`);
    return;
  }
}
