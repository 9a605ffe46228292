import { rmSync } from 'node:fs';
import { execa } from 'execa';
import { bin } from '../../test/support/command.ts';
import { command, expectExit, expectNoProcess, randomKill, works } from './command.ts';
import type { Random } from './random.ts';
import { expectComplete, expectRuns, recordingIn } from './recorded-runs.ts';
import { Tallies, type Tally } from './tally.ts';
import { type Victim, victimKinds } from './victim.ts';
import { killWriter, writerKinds } from './writer.ts';

/** Kills of one session. A resumed session that is short of time may never end. */
const mostKills = 6;

/**
 * Kills commands at random moments, each kind in its turn. Sessions are resumed until they are complete, sometimes by two processes at
 * once; commands that write one file are repeated.
 *
 * @param only a part of the names of the kinds
 */
export async function kills(count: number, random: Random, only = ''): Promise<readonly Tally[]> {
  const tallies = new Tallies('kills');
  const kinds = [...victimKinds, ...writerKinds].filter(({ name }) => name.includes(only));
  for (let turn = random.below(kinds.length); tallies.attempts < count; turn++) {
    const kind = kinds[turn % kinds.length];
    if (kind === undefined) break;
    const tally = tallies.of(kind.name);
    const before = tally.attempts;
    const left = Math.min(mostKills, count - tallies.attempts);
    await tally.guard(kind.name, async () => {
      using target = await kind.create(tally);
      if ('rateOf' in target) await killUntilComplete(target, tally, random, left);
      else await killWriter(target, tally, random, left);
    });
    // What cannot even start must not repeat for ever.
    if (tally.attempts === before && !tally.isClean) break;
  }
  return tallies.all;
}

async function killUntilComplete(
  { suite, words, args, env, mark, rateOf, runs: expected }: Victim,
  tally: Tally,
  random: Random,
  left: number,
): Promise<void> {
  const out = suite.path('results.jsonl');
  const cwd = suite.directory;
  for (let killed = 0; ; killed++) {
    const former = recordingIn(out);
    if (former === undefined) rmSync(out, { force: true });
    const all = former === undefined ? [...words, ...args, '--out', out] : [...words, '--resume', out];
    const kill = killed < left ? randomKill(random, 3000) : undefined;
    const rival = former !== undefined && random.below(4) === 0 ? resumeElsewhere(all, cwd, env) : undefined;
    const ended = await command(tally, all, { cwd, env, kill });
    const isRefused = rival !== undefined && ended.stderr.includes('ERR_BENCH_FILE_IN_USE');
    if (rival !== undefined) {
      rival.kill('SIGKILL');
      await rival;
    }
    // A command that ended before the signal was not killed.
    if (kill !== undefined && ended.exitCode !== 0) tally.attempts++;
    await expectNoProcess(tally, mark, cwd);
    const recording = recordingIn(out);
    const told = all.join(' ');
    expectRuns(tally, recording, { former, rateOf, told });
    if (isRefused) continue;
    expectExit(tally, ended, kill);
    if (kill !== undefined && ended.exitCode !== 0) continue;
    return expectComplete(tally, recording, expected, told);
  }
}

/** Resumes in a network of its own, as another container that shares the volume does. */
function resumeElsewhere(words: readonly string[], cwd: string, env: Victim['env']) {
  const start = [process.execPath, bin, ...words];
  const [program = '', ...rest] = works('unshare', '--net', 'true') ? ['unshare', '--net', ...start] : start;
  return execa(program, rest, { cwd, env, reject: false });
}
