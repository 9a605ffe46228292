import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { covariates, deviationOf, explained, type PlacedRun, withinPairs } from './reference/explained.ts';
import { runWithReferences } from './reference/run.ts';

/**
 * Measures how much of the noise of benchmarks of Node core a reference measurement in the same process explains: could it be a
 * covariate that saves runs? `docs/adaptive-statistics.md` has the result.
 *
 *     node packages/runner/simulation/bench-reference.ts --suite node/benchmark --old node22 --new node26
 *
 * takes about 2 minutes for each of the four groups on a quiet machine. `--rounds` (default: 24) sets how many pairs there are.
 */
const { values: options } = parseArgs({
  options: {
    suite: { type: 'string', default: '.' },
    old: { type: 'string', default: process.execPath },
    new: { type: 'string', default: process.execPath },
    rounds: { type: 'string', default: '24' },
  },
});

const groups: Readonly<Record<string, readonly string[]>> = {
  string_decoder: [
    'string-decoder.js encoding=ascii inLen=1024 chunkLen=64',
    'string-decoder.js encoding=utf8 inLen=32 chunkLen=16',
    'string-decoder.js encoding=utf16le inLen=1024 chunkLen=256',
    'string-decoder.js encoding=base64-ascii inLen=4096 chunkLen=1024',
    'string-decoder-create.js encoding=utf8',
  ],
  buffers: [
    'buffer-tostring.js encoding=utf8 args=1 len=64',
    'buffer-compare.js size=512',
    'buffer-creation.js type=fast-alloc len=1024',
    'buffer-from.js source=string len=100',
    'buffer-hex.js len=64',
  ],
  process: [
    'bench-env.js',
    'bench-hrtime.js type=bigint',
    'next-tick-breadth.js',
    'queue-microtask-breadth.js',
    'next-tick-exec.js',
  ],
  path: [
    'basename-posix.js pathext=/foo/bar/baz.txt',
    'join-posix.js',
    'normalize-posix.js path=/foo/bar//baz/asdf/quux/..',
    'resolve-posix.js paths=a/b/c/..|../e|../f',
    'format-posix.js',
  ],
};

/** The new subject is measured twice: its pairs with itself show what is noise. */
const subjects = [
  { name: 'old', executable: options.old },
  { name: 'new', executable: options.new },
  { name: 'again', executable: options.new },
];
const pairs = [
  ['old', 'new'],
  ['new', 'again'],
] as const;

/** The measured part takes about this long. */
const wantedMs = 16;

for (const [group, cases] of Object.entries(groups)) {
  const runs: PlacedRun[] = [];
  const counts = new Map<string, number>();
  for (const each of cases) counts.set(each, await countFor(group, each));
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const [each, count] of counts) {
      const start = round % subjects.length;
      for (const { name, executable } of [...subjects.slice(start), ...subjects.slice(0, start)]) {
        runs.push({ ...(await execute(executable, group, each, count)), case: each, subject: name, round });
      }
    }
  }
  const share = (value: number) => `${(100 * value).toFixed(0)} %`.padStart(9);
  print(`\n${group}: ${runs.length} runs, which vary by ${share(deviationOf(runs)).trim()}`);
  print(`correlation within pairs: ${withinPairs(runs, pairs).toFixed(2)}\n`);
  print(`${'explained share of the variance'.padEnd(32)}  of runs  of pairs`);
  for (const [name, figure] of covariates(runs)) {
    const { ofRuns, ofPairs } = explained(runs, pairs, figure);
    print(`${name.padEnd(32)}${share(ofRuns)} ${share(ofPairs)}`);
  }
}

async function countFor(group: string, text: string): Promise<number> {
  let count = 1000;
  for (let trial = 0; trial < 4; trial++) {
    const { measuredMs } = await execute(options.new, group, text, count);
    count = Math.max(1, Number(((count * wantedMs) / measuredMs).toPrecision(2)));
  }
  return count;
}

function execute(executable: string, group: string, text: string, count: number) {
  const [file = '', ...args] = text.split(' ');
  return runWithReferences(executable, join(options.suite, group, file), [...args, `n=${count}`]);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
