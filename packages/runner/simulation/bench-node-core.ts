/**
 * Simulates comparisons of Node core's whole suite from what `bench/record-node-core.ts` has recorded, and prints the tables of
 * docs/node-core-plan.md: `compare --budget 4h --shard i/N` on several numbers of machines, by the code that spends the time of real
 * sessions, beside 30 runs of each side as those of compare.js.
 *
 *     node packages/runner/simulation/bench-node-core.ts DIRECTORY/suite.json
 *
 * `--budget` (4) is in hours, `--machines` (1,4,16) lists their numbers, and `--sessions` (3) is how often all of it is simulated.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compareFixed } from '@bench-cli/stats';
import { simulateBudget, type TrueCase } from './budget.ts';
import { type DrawnCase, drawnSuite, type RecordedSuite } from './node-core-suite.ts';
import { normals, uniforms } from './random.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    budget: { type: 'string', default: '4' },
    machines: { type: 'string', default: '1,4,16' },
    sessions: { type: 'string', default: '3' },
  },
});
const suite: RecordedSuite = JSON.parse(readFileSync(positionals[0] ?? '', 'utf8'));
const budgetMs = Number(values.budget) * 3_600_000;
const machines = values.machines.split(',').map(Number);
const sessions = Number(values.sessions);
const RUNS = 30;
/** The default of `--timeout`. */
const LONGEST_RUN_MS = 300_000;

type Outcome = 'faster or slower' | 'no difference' | 'given up' | 'not finished' | 'fails';

/** What became of the configurations of a suite. */
interface Arm {
  readonly outcomes: readonly Outcome[];
  /** Differences that were found, and are none or have the other sign. */
  readonly wrong: number;
  /** Of the machine that takes the longest. */
  readonly longestMs: number;
  /** In runs that take longer than sessions allow. */
  readonly excessMs: number;
}

function isWrong({ logRatio }: TrueCase, isHigher: boolean): boolean {
  return isHigher ? logRatio <= 0 : logRatio >= 0;
}

function adaptive(cases: readonly DrawnCase[], count: number, seed: number): Arm {
  const working = cases.flatMap(({ truth }, at) =>
    truth === undefined || truth.runMs > LONGEST_RUN_MS ? [] : [{ truth, at }],
  );
  const outcomes: Outcome[] = cases.map(() => 'fails');
  let wrong = 0;
  let longestMs = 0;
  for (let shard = 1; shard <= count; shard++) {
    const own = working.filter((_, at) => (at % count) + 1 === shard);
    const truths = own.map(({ truth }) => truth);
    const { judgements, spentMs } = simulateBudget(
      truths,
      budgetMs,
      'soonest first',
      seed * 1000 + shard,
      cases.length,
    );
    longestMs = Math.max(longestMs, spentMs);
    for (const [at, judgement] of judgements.entries()) {
      const { truth, at: place } = own[at] ?? {};
      if (truth === undefined || place === undefined) continue;
      const verdict = judgement && 'verdict' in judgement ? judgement.verdict : 'undecided';
      if (verdict === 'undecided') outcomes[place] = judgement?.reason ? 'given up' : 'not finished';
      else if (verdict === 'same') outcomes[place] = 'no difference';
      else {
        outcomes[place] = 'faster or slower';
        if (isWrong(truth, verdict === 'higher')) wrong++;
      }
    }
  }
  return { outcomes, wrong, longestMs, excessMs: 0 };
}

/** 30 runs of each side, and Welch's t-test, corrected for the number of configurations. */
function fixed(cases: readonly DrawnCase[], seed: number): Arm {
  const normal = normals(uniforms(seed));
  const working = cases.flatMap(({ truth }, at) => (truth === undefined ? [] : [{ truth, at }]));
  const { comparisons } = compareFixed(
    working.map(({ truth: { logRatio, deviation }, at }) => {
      const rates = (mean: number) =>
        Float64Array.from({ length: RUNS }, () => Math.exp(mean + deviation * normal()));
      const named = { benchmark: 'b', configuration: { at }, key: String(at), text: String(at) };
      return { ...named, baseline: 'old', subject: 'new', old: rates(0), new: rates(logRatio) };
    }),
  );
  const outcomes: Outcome[] = cases.map(() => 'fails');
  let wrong = 0;
  for (const { configuration, verdict } of comparisons) {
    const at = Number(configuration['at']);
    const truth = cases[at]?.truth;
    if (truth === undefined) continue;
    if (verdict === 'undecided') outcomes[at] = 'given up';
    else if (verdict === 'same') outcomes[at] = 'no difference';
    else {
      outcomes[at] = 'faster or slower';
      if (isWrong(truth, verdict === 'higher')) wrong++;
    }
  }
  const times = working.map(({ truth }) => 2 * RUNS * truth.runMs);
  const excess = times.filter((ms) => ms > 2 * RUNS * LONGEST_RUN_MS);
  return { outcomes, wrong, longestMs: sumOf(times), excessMs: sumOf(excess) };
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
const meanOf = (numbers: readonly number[]) => sumOf(numbers) / numbers.length;
const hours = (ms: number) => `${(ms / 3_600_000).toFixed(1)} h`;

const drawn = Array.from({ length: sessions }, (_, at) => drawnSuite(suite, uniforms(at + 1)));
const arms = [
  { name: `compare.js, ${RUNS} + ${RUNS} runs`, arms: drawn.map((cases, at) => fixed(cases, at + 1)) },
  ...machines.map((count) => ({
    name: count === 1 ? '1 machine' : `${count} machines`,
    arms: drawn.map((cases, at) => adaptive(cases, count, at + 1)),
  })),
];

function row(cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function table(header: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  row(header);
  row(header.map((_, at) => (at === 0 ? '---' : '---:')));
  for (const cells of rows) row(cells);
  process.stdout.write('\n');
}

const total = sumOf(suite.groups.map(({ configurations }) => configurations));
process.stdout.write(
  `${total} configurations in ${suite.groups.length} groups, Node.js ${suite.old} and ${suite.new}; means of ${sessions} simulated suites:\n\n`,
);
const outcomes: readonly Outcome[] = [
  'faster or slower',
  'no difference',
  'given up',
  'not finished',
  'fails',
];
table(
  ['', ...arms.map(({ name }) => name)],
  [
    [
      'time of the longest machine',
      ...arms.map((each) => hours(meanOf(each.arms.map((arm) => arm.longestMs)))),
    ],
    [
      'of that, runs of more than 5 minutes',
      ...arms.map((each) => hours(meanOf(each.arms.map((arm) => arm.excessMs)))),
    ],
    ...outcomes.map((outcome) => [
      outcome,
      ...arms.map((each) =>
        meanOf(each.arms.map((arm) => arm.outcomes.filter((it) => it === outcome).length)).toFixed(0),
      ),
    ]),
    [
      'wrong, of those faster or slower',
      ...arms.map((each) => meanOf(each.arms.map((arm) => arm.wrong)).toFixed(1)),
    ],
  ],
);

const isVerdict = (outcome: Outcome | undefined) =>
  outcome === 'faster or slower' || outcome === 'no difference';
const [cases = []] = drawn;
table(
  [
    'group',
    'configurations',
    'a run takes',
    `${RUNS} + ${RUNS} runs`,
    ...arms.map(({ name }) => `verdicts: ${name}`),
  ],
  suite.groups.map(({ group, configurations }) => {
    const places = [...cases.keys()].filter((at) => cases[at]?.group === group);
    const times = drawn.flatMap((suite) => places.flatMap((at) => suite[at]?.truth?.runMs ?? []));
    const runMs = times.length === 0 ? 0 : meanOf(times);
    const share = (arm: Arm) => places.filter((at) => isVerdict(arm.outcomes[at])).length / places.length;
    return [
      group,
      configurations,
      times.length === 0 ? 'fails' : `${(runMs / 1000).toFixed(2)} s`,
      hours((sumOf(times) * 2 * RUNS) / sessions),
      ...arms.map((each) => `${(100 * meanOf(each.arms.map(share))).toFixed(0)} %`),
    ];
  }),
);
