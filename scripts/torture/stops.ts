import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { platform } from '@bench-cli/system';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { command, expectExit, expectNoProcess } from './command.ts';
import type { Random } from './random.ts';
import { expectComplete, expectRuns, recordingIn } from './recorded-runs.ts';
import { Tallies, type Tally } from './tally.ts';

const rounds = 4;
const node = process.execPath;
const twoSubjects = ['--old', node, '--new', `${node},env=SPEED=2`];
const kinds = {
  'one after the other': { words: ['compare', ...twoSubjects, '--runs', `${rounds}`], runs: rounds * 4 },
  'in turns': { words: ['compare', ...twoSubjects, '--runs', 'auto'], runs: undefined },
} as const;

/** Of one process. One that is continued three times in the turns of others disturbs them, and its run fails. */
const mostStops = 2;
/** During one command. */
const mostTurns = 20;
const mostKills = 3;

/**
 * Stops and continues the command, its reaper and its runs at random moments, and kills the command or its reaper while one of them is
 * stopped. Such a session is resumed until it is complete.
 */
export async function stops(count: number, random: Random): Promise<readonly Tally[]> {
  const tallies = new Tallies('stopped and continued');
  if (platform.signalGroup === undefined) return tallies.all;
  while (tallies.attempts < count) {
    for (const [name, kind] of Object.entries(kinds)) {
      const tally = tallies.of(name);
      await tally.guard(name, () => stopUntilComplete(kind, tally, random));
    }
  }
  return tallies.all;
}

async function stopUntilComplete(
  { words, runs }: (typeof kinds)[keyof typeof kinds],
  tally: Tally,
  random: Random,
): Promise<void> {
  const mark = `torture-stop-${process.pid}-${tally.attempts}`;
  using suite = temporarySuite({
    'a.js': benchmark(
      `{ mark: ['${mark}'], n: [0, 1] }`,
      `for (const from = performance.now(); performance.now() - from < 60; );
       bench.report((1 + conf.n) * Number(process.env.SPEED ?? 1), 1n);`,
    ),
  });
  const out = suite.path('results.jsonl');
  for (let killed = 0; ; killed++) {
    const former = recordingIn(out);
    if (former === undefined) rmSync(out, { force: true });
    const all = former === undefined ? [...words, 'a.js', '--out', out] : ['compare', '--resume', out];
    const attack = new Stops(random, killed < mostKills && random.below(2) === 0);
    const started = (pid: number) => void attack.begin(pid);
    const ended = await command(tally, all, { cwd: suite.directory, started });
    tally.attempts++;
    const isKilled = attack.end();
    await expectNoProcess(tally, mark, suite.directory);
    const recording = recordingIn(out);
    const told = `${ended.stderr.replace(/^warning: .*\n/gm, '')}\n${all.join(' ')} with ${attack.told}`;
    const rateOf: Parameters<typeof expectRuns>[2]['rateOf'] = ({ configuration, subject }) =>
      (1 + Number(configuration['n'])) * (subject === 'new' ? 2 : 1);
    expectRuns(tally, recording, { former, rateOf, told });
    // A session ends if the command is stopped during each repetition of a run.
    if ((isKilled && ended.exitCode !== 0) || ended.stderr.includes('ERR_BENCH_STOPPED')) continue;
    expectExit(tally, { ...ended, stderr: told }, undefined);
    return expectComplete(tally, recording, runs, told);
  }
}

/** The signals to the processes of one command. */
class Stops {
  readonly #random: Random;
  readonly #kills: boolean;
  readonly #counts = new Map<number, number>();
  readonly #stopped = new Set<number>();
  #told: string[] = [];
  #hasEnded = false;
  #hasKilled = false;

  constructor(random: Random, kills: boolean) {
    this.#random = random;
    this.#kills = kills;
  }

  get told(): string {
    return this.#told.join(', ');
  }

  async begin(command: number): Promise<void> {
    const killAt = this.#kills ? this.#random.below(6) : mostTurns;
    for (let turn = 0; turn < mostTurns; turn++) {
      await sleep(this.#random.below(250));
      if (this.#hasEnded) return;
      const targets = descendants(command).filter((pid) => (this.#counts.get(pid) ?? 0) < mostStops);
      const pid = this.#random.pick([command, command, ...targets]);
      this.#counts.set(pid, (this.#counts.get(pid) ?? 0) + 1);
      this.#stopped.add(pid);
      this.#send(pid, 'SIGSTOP');
      await sleep(this.#random.below(200));
      if (turn === killAt) {
        const [reaper = command] = descendants(command);
        this.#hasKilled = true;
        this.#send(this.#random.pick([command, command, reaper]), 'SIGKILL');
      }
      this.#stopped.delete(pid);
      this.#send(pid, 'SIGCONT');
      if (turn === killAt) return;
    }
  }

  /** Continues what is stopped. @returns whether something was killed */
  end(): boolean {
    this.#hasEnded = true;
    for (const pid of this.#stopped) this.#send(pid, 'SIGCONT');
    return this.#hasKilled;
  }

  #send(pid: number, signal: NodeJS.Signals): void {
    const name = platform.processes().programOf(pid);
    try {
      process.kill(pid, signal);
      this.#told.push(`${signal} of ${name} ${pid}`);
    } catch {
      // It has ended.
    }
  }
}

/** The processes that a process has started, and those that they have; the oldest first. */
function descendants(root: number): readonly number[] {
  const { ids, statusOf } = platform.processes();
  const found = new Set([root]);
  for (const pid of [...ids].sort((a, b) => a - b)) if (found.has(statusOf(pid)?.parent ?? 0)) found.add(pid);
  return [...found].slice(1);
}
