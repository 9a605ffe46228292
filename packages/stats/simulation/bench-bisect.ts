import { parseArgs } from 'node:util';
import { ERROR_RATE } from '../src/judgement.ts';
import {
  adaptiveSteps,
  bisect,
  fixedSteps,
  type History,
  type SearchResult,
  simulateSearches,
} from './bisection.ts';
import { type Claim, isKept, SLACK } from './claim.ts';
import type { Estimate } from './estimate.ts';
import { alternating, halves, lasting, shapes, sharpModes, thirds } from './noise.ts';
import { randomStreams } from './random.ts';
import { claimLine, withError } from './text.ts';

/**
 * Simulates searches for a planted version among 64, by `bench-cli bisect` and by other rules, and between equal ends, and prints
 * how often they find it, are misled, and with how many runs. The exit code is 1 if the guarantee of docs/bisect.md does not hold.
 *
 * `--part` chooses parts, each with random numbers of its own, and `--searches` their effort: the number for a row with a change.
 */
const { values: options } = parseArgs({
  options: {
    searches: { type: 'string', default: '1000' },
    part: { type: 'string', multiple: true },
  },
});
const searches = Number(options.searches);

const versions = 64;
const rules = [bisect, adaptiveSteps, fixedSteps];
const lotteries = (
  [
    [0.02, halves, 0.002],
    [0.1, halves, 0.0005],
    [0.1, halves, 0.005],
    [0.1, halves, 0.02],
    [0.3, halves, 0.005],
    [0.02, thirds, 0.002],
    [0.1, thirds, 0.005],
    [0.1, thirds, 0.02],
  ] as const
).map(([gap, shares, width]) => ({ gap, noise: sharpModes(gap, shares, width), deviation: 0 }));
const claims: Claim[] = [];

type Streams = ReturnType<typeof randomStreams>;

const parts: Readonly<Record<string, (streams: Streams) => void>> = {
  planted: (streams) => {
    for (const [effect, deviation] of [
      [0.1, 0.05],
      [-0.1, 0.05],
      [0.05, 0.05],
      [0.1, 0.01],
    ] as const) {
      print(
        `\n${searches} searches: ${versions} versions, a change of ${effect * 100} %, runs that vary by ${deviation * 100} %\n`,
      );
      for (const noise of [...shapes, ...lasting]) {
        const history = { versions, effect, deviation, noise };
        for (const rule of rules) {
          const result = simulateSearches(history, rule, searches, streams.next().value);
          print(`${noise.name.padEnd(15)} ${rule.name.padEnd(20)} ${resultText(result)}`);
          if (rule !== bisect || !shapes.includes(noise)) continue;
          claim(
            `wrong versions, ${noise.name} noise, ${effect * 100} % with runs that vary by ${deviation * 100} %`,
            result.wrong,
          );
        }
      }
    }
  },
  modes: (streams) => {
    print(`\n${searches} searches: changes of the distance between modes, and of less\n`);
    for (const { gap, ...noise } of lotteries) {
      for (const effect of [0.5, 0.75, 1].map((part) => part * gap)) {
        const result = search(streams, { effect, ...noise }, searches);
        claim(
          `wrong versions, ${noise.noise.name}, a change of ${(effect * 100).toFixed(1)} %`,
          result.wrong,
        );
      }
    }
  },
  alternating: (streams) => {
    print(`\n${searches} searches: runs that are slow where the run before them is fast\n`);
    for (const noise of alternating) {
      const { wrong } = search(streams, { effect: 0.1, noise, deviation: 0.01 }, searches);
      claim(`wrong versions, ${noise.name}, a change of 10 %`, wrong);
    }
  },
  equal: (streams) => {
    print(`\n${searches * 4} searches: equal ends\n`);
    const usual = shapes.map((noise) => ({ noise, deviation: 0.05 }));
    const ofPairs = alternating.map((noise) => ({ noise, deviation: 0.01 }));
    for (const noise of [...usual, ...ofPairs, ...lotteries]) {
      const { misled } = search(streams, { effect: 0, ...noise }, searches * 4);
      claim(`versions named between equal ends, ${noise.noise.name}`, misled);
    }
  },
};

for (const name of options.part ?? Object.keys(parts)) {
  const part = parts[name];
  if (part === undefined) throw new Error(`unknown part ${name}: expected ${Object.keys(parts).join(', ')}`);
  part(randomStreams(20_261_122 + Object.keys(parts).indexOf(name)));
}

print(`\nGuarantees, with an allowance of ${SLACK} standard errors\n`);
for (const each of claims) print(claimLine(each).trimEnd());
process.exitCode = claims.every(isKept) ? 0 : 1;

function search(streams: Streams, history: Omit<History, 'versions'>, count: number): SearchResult {
  const result = simulateSearches({ versions, ...history }, bisect, count, streams.next().value);
  print(
    `${history.noise.name.padEnd(36)} ${(history.effect * 100).toFixed(1).padStart(4)} % ${resultText(result)}`,
  );
  return result;
}

function claim(what: string, found: Estimate): void {
  claims.push({ what, found, limit: ERROR_RATE, unit: '%' });
}

function resultText({ found, wrong, misled, runs, measured }: SearchResult): string {
  return [
    `found ${withError(found)} %`,
    `another ${withError(wrong)} %`,
    `misled ${withError(misled)} %`,
    `${runs.value.toFixed(1)} runs`,
    `${measured.value.toFixed(1)} versions`,
  ].join(', ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
