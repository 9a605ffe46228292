import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { type Recording, readRecording } from '@bench-cli/results/recording';
import { execa } from 'execa';
import { bin } from '../../test/support/command.ts';
import { command, expectNoProcess } from './command.ts';
import type { Random } from './random.ts';
import { Tally } from './tally.ts';
import { type Victim, victimKinds } from './victim.ts';

/** Kills of one session. A resumed session that is short of time may never end. */
const mostKills = 6;

/** Kills sessions at random moments, and resumes each until it is complete; sometimes two processes resume it at once. */
export async function kills(count: number, random: Random): Promise<Tally> {
  const tally = new Tally('kills');
  while (tally.attempts < count) {
    using suite = new DisposableStack();
    const victim = random.pick(victimKinds)();
    suite.use(victim.suite);
    await tally.guard(victim.name, () =>
      killUntilComplete(victim, tally, random, Math.min(mostKills, count - tally.attempts)),
    );
  }
  return tally;
}

async function killUntilComplete(
  { name, suite, args, mark, rateOf, runs: expected }: Victim,
  tally: Tally,
  random: Random,
  left: number,
): Promise<void> {
  const out = suite.path('results.jsonl');
  const cwd = suite.directory;
  for (let killed = 0; ; killed++) {
    const former = recordingIn(out);
    // Nothing was recorded before the first line.
    if (former === undefined) rmSync(out, { force: true });
    const signal = random.pick<NodeJS.Signals>(['SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT']);
    const words = former === undefined ? [...args, '--out', out] : [args[0] ?? '', '--resume', out];
    const kill = killed < left ? { signal, afterMs: random.below(3000) } : undefined;
    const rival = former !== undefined && random.below(4) === 0 ? resumeElsewhere(words, cwd) : undefined;
    const { exitCode, stderr } = await command(tally, words, { cwd, kill });
    const isRefused = rival !== undefined && stderr.includes('ERR_BENCH_FILE_IN_USE');
    if (rival !== undefined) {
      rival.kill('SIGKILL');
      await rival;
    }
    // A command that ended before the signal was not killed.
    if (kill !== undefined && exitCode !== 0) tally.attempts++;
    await expectNoProcess(tally, mark);
    const recording = recordingIn(out);
    const runs = recording?.runs ?? [];
    const before = former?.runs.length ?? 0;
    const told = `${name}: ${words.join(' ')}`;
    if (runs.length < before) tally.add('lost', `${before - runs.length} runs after ${told}`);
    if ((recording?.repeated ?? 0) > 0) tally.add('double', `${recording?.repeated} runs after ${told}`);
    for (const run of runs) {
      if (run.status === 'failed') tally.add('lost', `${told}: ${run.failure.message}`);
      else if (run.values.rate !== rateOf(run)) {
        tally.add('wrong rates', `${run.values.rate} for ${rateOf(run)}, ${JSON.stringify(run)}, ${told}`);
      }
    }
    if (isRefused) continue;
    // A command that was killed before its handlers were installed dies by the signal, and has no code.
    const codes = kill ? [undefined, 0, signal === 'SIGINT' ? 130 : 143] : [0];
    if (!codes.includes(exitCode)) tally.add('wrong exit codes', `${exitCode} after ${signal}: ${stderr}`);
    if (kill !== undefined && exitCode !== 0) continue;
    if (recording?.ended !== true || runs.length !== (expected ?? runs.length)) {
      tally.add('lost', `${runs.length} runs in a complete session, ${told}`);
    }
    return;
  }
}

function recordingIn(file: string): Recording | undefined {
  return existsSync(file) && readFileSync(file).includes('\n') ? readRecording(file) : undefined;
}

/** Resumes in a network of its own, as another container that shares the volume does. */
function resumeElsewhere(words: readonly string[], cwd: string) {
  const start = [process.execPath, bin, ...words];
  const [program = '', ...rest] = canUnshare() ? ['unshare', '--net', ...start] : start;
  return execa(program, rest, { cwd, reject: false });
}

let unshares: boolean | undefined;

function canUnshare(): boolean {
  try {
    if (unshares === undefined) execFileSync('unshare', ['--net', 'true'], { stdio: 'ignore' });
    unshares ??= true;
  } catch {
    unshares = false;
  }
  return unshares;
}
