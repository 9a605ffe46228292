import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  type Claim,
  claimOfPower,
  claimOfRuns,
  claimsOfErrors,
  claimsOfFamilies,
  claimsOfGates,
  claimsOfPilots,
  claimsOfPrecision,
  claimsOfRankings,
  claimsOfSubjects,
  isKept,
  SLACK,
} from './claim.ts';
import { simulateFamily } from './family.ts';
import { simulateGatePower, simulateGates } from './gates.ts';
import {
  type Cell,
  type CellResult,
  cellsOf,
  largeDeviations,
  simulateCell,
  usualDeviations,
} from './grid.ts';
import {
  alternating,
  coarseNoise,
  lasting,
  lopsided,
  modes,
  type Noise,
  normalNoise,
  rareModes,
  shapes,
  threeModes,
  twoModes,
} from './noise.ts';
import { pictureData, typicalExample } from './picture-data.ts';
import { simulatePilots, windowNoises } from './pilots.ts';
import { simulatePrecision } from './precision.ts';
import { randomStreams } from './random.ts';
import { disturbances, simulateRankings } from './rankings.ts';
import { recordedDeviation, recordedNoise } from './recorded-noise.ts';
import { adaptive, extending, fixed, peeking, type Rule } from './rules.ts';
import { searchNoise } from './search.ts';
import { simulateSubjects } from './subjects.ts';
import { summarize } from './summary.ts';
import { tachometer } from './tachometer.ts';
import {
  cellTable,
  claimLine,
  familyTable,
  gateTable,
  pilotLine,
  precisionTable,
  rankingLine,
  subjectsTable,
  summaryTable,
  withError,
} from './text.ts';

/**
 * Simulates comparisons whose true difference is known, judges them like `--runs auto` and by other rules, and prints
 * whether the guarantees of docs/adaptive-statistics.md hold. The exit code is 1 if one does not.
 *
 * `--comparisons` scales the effort: it is the number for the largest families of each noise (default: 10,000). `--part` chooses
 * parts, and `--noise` kinds of noise by a part of their names; each part has random numbers of its own. `--pictures` writes
 * the data of the pictures of the docs to a file, which `node packages/report/simulation/verdict-pictures.ts <file>` draws.
 */
const { values: options } = parseArgs({
  options: {
    comparisons: { type: 'string', default: '10000' },
    part: { type: 'string', multiple: true },
    noise: { type: 'string', default: '' },
    pictures: { type: 'string' },
  },
});
const comparisons = Number(options.comparisons);
/** The number of commands with so many comparisons. */
const commandsOf = (cases: number, share = 1) => Math.max(2, Math.ceil((share * comparisons) / cases));

const chosen = (list: readonly Noise[]) => list.filter(({ name }) => name.includes(options.noise));
const processes = [...shapes, twoModes, threeModes];
const rules: readonly Rule[] = [adaptive, fixed, tachometer, peeking];

const smallFamilies = [
  { cases: 1, changed: 0, share: 0.4 },
  { cases: 20, changed: 0, share: 0.6 },
  { cases: 100, changed: 0, share: 1 },
  { cases: 20, changed: 0.1, share: 0.2 },
  { cases: 100, changed: 0.1, share: 0.5 },
  { cases: 20, changed: 0.5, share: 0.2 },
  { cases: 100, changed: 0.5, share: 0.2 },
];
const largeFamilies = [
  { cases: 1000, changed: 0, share: 1 },
  { cases: 1000, changed: 0.1, share: 0.5 },
];

type Streams = ReturnType<typeof randomStreams>;

/** Each part prints its figures, and returns the guarantees that they check. */
const parts: Readonly<Record<string, (streams: Streams) => readonly Claim[]>> = {
  families: (streams) => {
    const noises = [
      ...[...shapes, ...modes, ...rareModes, ...lasting, ...alternating],
      ...[coarseNoise, ...lopsided, recordedNoise],
    ];
    const results = chosen(noises).flatMap((noise) => {
      const families = processes.includes(noise) ? [...smallFamilies, ...largeFamilies] : smallFamilies;
      const ofNoise = families.flatMap(({ share, ...family }) =>
        simulateFamily({ noise, ...family }, commandsOf(family.cases, share), streams.next().value),
      );
      print(`\n${noise.name}${noise.isPromised ? '' : ', without guarantees'}\n\n${familyTable(ofNoise)}`);
      return ofNoise;
    });
    return claimsOfFamilies(results.filter(({ noise }) => noise.isPromised));
  },
  cells: (streams) => {
    const usual = processes.flatMap((noise) => simulate(streams, `${noise.name} noise`, cellsOf(noise)));
    const ofShapes = usual.filter(({ cell }) => shapes.includes(cell.noise));
    const large = simulate(
      streams,
      'normal noise of a shared machine',
      cellsOf(normalNoise, largeDeviations),
    );
    const deviations = [...usualDeviations, ...largeDeviations, recordedDeviation];
    const recorded = simulate(streams, 'noise of recorded runs', cellsOf(recordedNoise, deviations));
    if (options.pictures !== undefined) draw(options.pictures, streams);
    const runsOf = (noise: Noise) =>
      summarize(
        adaptive,
        ofShapes.filter(({ cell }) => cell.noise === noise),
      );
    return [
      ...claimsOfErrors(summarize(adaptive, [...usual, ...large, ...recorded])),
      claimOfPower(summarize(adaptive, ofShapes)),
      ...shapes.map((noise) => claimOfRuns(noise.name, runsOf(noise))),
    ];
  },
  extensions: (streams) => {
    const cells = cellsOf(normalNoise, [...usualDeviations, ...largeDeviations]);
    const title = 'sessions that go on while they are undecided';
    return claimsOfErrors(summarize(extending, simulate(streams, title, cells, [adaptive, extending])));
  },
  subjects: (streams) => {
    print('\nFour subjects, three of them compared with the first one: commands of 100 cases');
    return [
      { name: 'none differs', changed: 0 },
      { name: '20 % of the subjects differ', changed: 0.2 },
    ].flatMap(({ name, changed }) => {
      const results = simulateSubjects({ changed, noises: processes }, commandsOf(100), streams.next().value);
      print(`\n${name}\n\n${subjectsTable(results)}`);
      return results.flatMap((result) => claimsOfSubjects(name, result));
    });
  },
  gates: (streams) => {
    print("\n`--fail-on 'slower>=5%'`: commands of 20 cases, which are all slower by exactly 5 %\n");
    const noises = [...processes, ...lasting, ...alternating, ...lopsided, recordedNoise];
    const gates = chosen(noises).flatMap((noise) => {
      const ofNoise = (['fixed', 'sequential'] as const).map((method) =>
        simulateGates({ method, noise, cases: 20 }, commandsOf(20, 0.4), streams.next().value),
      );
      print(gateTable(ofNoise));
      return ofNoise;
    });
    print(
      '\nOf commands with one case of 20 slower by 8 %, and runs that vary by 2 %, so many cross that gate\n',
    );
    for (const runs of [10, 30, 'auto', 'auto with the gate'] as const) {
      const found = simulateGatePower(runs, commandsOf(20), streams.next().value);
      print(`${String(runs).padEnd(18)} ${withError(found)} %`);
    }
    return claimsOfGates(gates.filter(({ noise }) => noise.isPromised));
  },
  rates: (streams) => {
    print('\nRates of one subject: intervals that miss the true rate, and mean runs\n');
    return chosen([...shapes, ...modes, ...rareModes]).flatMap((noise) => {
      const rates = simulatePrecision(noise, comparisons, streams.next().value);
      print(precisionTable(noise.name, rates));
      return rareModes.includes(noise) ? [] : claimsOfPrecision(noise.name, rates);
    });
  },
  search: (streams) => {
    print('\nThe worst of kinds of noise that are drawn at random: equal subjects called different\n');
    const worst = searchNoise(300, 0.2 * comparisons, streams.next().value);
    for (const { noise, results } of worst) {
      const shares = results.map(({ rule, figures }) => `${rule} ${withError(figures.falseDiscoveries)} %`);
      print(`${shares.join(', ')}: ${noise.name}`);
    }
    return claimsOfFamilies(worst.flatMap(({ results }) => results));
  },
  rankings: (streams) => {
    print('\nRankings of equal values: those with a certain difference\n');
    const worlds = [2, 3, 5].flatMap((values) =>
      [1, 10, 20].flatMap((cases) => ([6, 10, 30, 'auto'] as const).map((runs) => ({ values, cases, runs }))),
    );
    const results = disturbances.flatMap((each) =>
      worlds.map((world) => {
        // Rankings take as long as their runs.
        const rankings = Math.max(50, Math.ceil((2 * comparisons) / (world.values * world.cases)));
        const result = simulateRankings(world, each, rankings, streams.next().value);
        print(rankingLine(result));
        return result;
      }),
    );
    return claimsOfRankings(results);
  },
  pilots: (streams) => {
    print(
      '\nPlans given up, second pilots, and cases that still measure another ratio than the declared times\n',
    );
    const changes = [0.1, 0.5].flatMap((change) => [300, 600, 900].map((atMs) => ({ change, atMs })));
    const results = windowNoises.flatMap((noise) =>
      [{ change: 0, atMs: 0 }, ...changes].map((change) => {
        const share = change.change === 0 ? 0.2 : 0.02;
        const result = simulatePilots(noise, change, share * comparisons, streams.next().value);
        print(pilotLine(result));
        return result;
      }),
    );
    return claimsOfPilots(results.filter(({ change }) => change === 0));
  },
};

const claims = (options.part ?? Object.keys(parts)).flatMap((name) => {
  const part = parts[name];
  if (part === undefined) throw new Error(`unknown part ${name}: expected ${Object.keys(parts).join(', ')}`);
  return part(randomStreams(20_261_123 + Object.keys(parts).indexOf(name)));
});
print(`\nGuarantees, with an allowance of ${SLACK} standard errors\n`);
for (const claim of claims) print(claimLine(claim));
process.exitCode = claims.every(isKept) ? 0 : 1;

function draw(path: string, streams: Streams): void {
  const examples = [
    typicalExample({ effect: 0.03, deviation: 0.02 }, 'faster', streams.next().value),
    typicalExample({ effect: 0, deviation: 0.015 }, 'no difference', streams.next().value),
    typicalExample({ effect: 0.01, deviation: 0.04 }, 'undecided', streams.next().value),
  ];
  writeFileSync(path, JSON.stringify(pictureData(examples)));
}

function simulate(
  streams: Streams,
  title: string,
  cells: readonly Cell[],
  by = rules,
): readonly CellResult[] {
  const simulated = cells.map((cell) =>
    simulateCell(
      cell,
      { rules: by, reference: by.includes(fixed) ? fixed : adaptive },
      commandsOf(1, 0.2),
      streams.next().value,
    ),
  );
  print(`\n${title}\n\n${cellTable(by, simulated)}\n`);
  print(summaryTable(new Map(by.map((rule) => [rule, summarize(rule, simulated)]))));
  return simulated;
}

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
