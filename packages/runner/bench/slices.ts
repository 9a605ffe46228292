import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { orderVariable } from '@bench-cli/agent';
import { Turn, turnsCpu } from '../dist/process/turns.js';
import { turnsProbe } from '../dist/suite/script.js';

/**
 * Measures what turns cost two processes that share a CPU and its caches, by the length of a slice, by the bytes that each reads at random,
 * and with one side that allocates: the rate of each side in turns as a share of its rate alone, and how much the ratio of the sides differs
 * from that alone. The last column is the time that the clocks counted, as a share of the time in which the process ran or waited for the CPU.
 *
 * `--runtime` is the path of a Node.js (repeatable; this one), `--slice` of milliseconds and `--bytes` select (repeatable), and `--pairs` (4) is how often each is
 * measured. Requires a build and Linux.
 */
const { values } = parseArgs({
  options: {
    runtime: { type: 'string', multiple: true, default: [process.execPath] },
    slice: { type: 'string', multiple: true, default: ['2', '5', '10', '20', '50'] },
    bytes: { type: 'string', multiple: true, default: ['100e3', '1e6', '5e6', '50e6'] },
    pairs: { type: 'string', default: '4' },
  },
});
const cpu = turnsCpu(undefined);
if (cpu === undefined) throw new Error('processes cannot take turns here');
const script = join(import.meta.dirname, 'turns/_slices.cjs');
const directory = mkdtempSync(join(tmpdir(), 'bench-cli-slices-'));

interface Run {
  readonly rate: number;
  /** Milliseconds by the clock of the process, and those in which it ran or waited for the CPU. */
  readonly countedMs: number;
  readonly ranMs: number;
}

let files = 0;
/** Starts a process on the CPU, in a group of its own. @param file with the time for which it was stopped */
function start(runtime: string, bytes: string, allocates: boolean, file: string) {
  const args = ['-c', cpu ?? '', runtime, '--require', turnsProbe.file, script, bytes, String(allocates)];
  const env = { ...process.env, ...turnsProbe.env, ...orderVariable({ turns: file }) };
  const child: ChildProcess = spawn('taskset', args, {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (child.pid === undefined || child.stdout === null) throw new Error(`cannot start ${runtime}`);
  const ended = once(child, 'exit');
  const run = text(child.stdout).then((output): Run => JSON.parse(output));
  return { groupId: child.pid, child, ended, run };
}

/** Measures processes with slices of a length, of which one alone has all slices. */
async function measured(
  runtime: string,
  bytes: string,
  sides: readonly boolean[],
  sliceMs: number,
): Promise<readonly Run[]> {
  const waiting = sides.map((allocates) => {
    const file = join(directory, String(files++));
    const turn = new Turn(file);
    const side = { turn, ...start(runtime, bytes, allocates, file) };
    turn.begin(side.groupId);
    return side;
  });
  const all = [...waiting];
  for (let side = waiting.shift(); side !== undefined; side = waiting.shift()) {
    // No process is stopped for less than its clocks notice.
    await delay(Math.max(0, 6 - side.turn.stoppedForMs));
    side.turn.continue();
    await Promise.race([side.ended, waiting.length > 0 ? delay(sliceMs) : side.ended]);
    if (side.child.exitCode !== null) {
      side.turn.close();
      continue;
    }
    side.turn.stop();
    waiting.push(side);
  }
  return Promise.all(all.map(({ run }) => run));
}

const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
const meanOf = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
const logRatio = ([a, b]: readonly Run[]) => Math.log((b?.rate ?? Number.NaN) / (a?.rate ?? Number.NaN));

const rows: Record<string, string>[] = [];
try {
  for (const runtime of values.runtime)
    for (const slice of values.slice)
      for (const bytes of values.bytes)
        for (const sides of [
          [false, false],
          [false, true],
        ]) {
          const pairs: { readonly alone: readonly Run[]; readonly inTurns: readonly Run[] }[] = [];
          while (pairs.length < Number(values.pairs)) {
            const alone: Run[] = [];
            for (const side of sides) alone.push(...(await measured(runtime, bytes, [side], 0)));
            pairs.push({ alone, inTurns: await measured(runtime, bytes, sides, Number(slice)) });
          }
          const kept = (at: number) =>
            Math.exp(
              meanOf(
                pairs.map(({ alone, inTurns }) =>
                  logRatio([alone[at], inTurns[at]].flatMap((run) => run ?? [])),
                ),
              ),
            );
          const errors = pairs.map(({ alone, inTurns }) => logRatio(inTurns) - logRatio(alone));
          const mean = meanOf(errors);
          const deviation = Math.sqrt(meanOf(errors.map((error) => (error - mean) ** 2)));
          const runs = pairs.flatMap(({ inTurns }) => inTurns);
          rows.push({
            runtime: runtime.split('/').slice(-3).join('/'),
            slice: `${slice} ms`,
            'reads of': `${Number(bytes) / 1e6} MB`,
            sides: sides[1] ? 'one allocates' : 'alike',
            'rates in turns / alone': `${percent(kept(0))}, ${percent(kept(1))}`,
            'error of the ratio': `${percent(mean)} ± ${percent(deviation / Math.sqrt(errors.length - 1))}`,
            'counted / ran': percent(meanOf(runs.map(({ countedMs, ranMs }) => countedMs / ranMs))),
          });
        }
} finally {
  rmSync(directory, { recursive: true });
}
console.table(rows);
