import { parseArgs } from 'node:util';
import { DEFAULT_ERROR_RATE } from '../src/sequential/sequential-family.ts';
import { adaptiveSteps, bisect, fixedSteps, type SearchResult, simulateSearches } from './bisection.ts';
import { type Claim, isKept, SLACK } from './claim.ts';
import { lasting, shapes } from './noise.ts';
import { randomStreams } from './random.ts';
import { claimLine, withError } from './text.ts';

/**
 * Simulates searches for a planted version among 64, by `bench-cli bisect` and by other rules, and prints how often they find
 * it and with how many runs. The exit code is 1 if the guarantee of docs/bisect.md does not hold.
 */
const { values: options } = parseArgs({ options: { searches: { type: 'string', default: '1000' } } });
const searches = Number(options.searches);

const versions = 64;
const rules = [bisect, adaptiveSteps, fixedSteps];
const streams = randomStreams(20_261_122);
const claims: Claim[] = [];

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
      if (rule !== bisect || !noise.isPromised) continue;
      const what = `wrong versions, ${noise.name} noise, ${effect * 100} % with runs that vary by ${deviation * 100} %`;
      claims.push({ what, found: result.wrong, limit: DEFAULT_ERROR_RATE, unit: '%' });
    }
  }
}

print(`\nGuarantees, with an allowance of ${SLACK} standard errors\n`);
for (const claim of claims) print(claimLine(claim).trimEnd());
process.exitCode = claims.every(isKept) ? 0 : 1;

function resultText({ found, wrong, runs, measured }: SearchResult): string {
  return [
    `found ${withError(found)} %`,
    `another ${withError(wrong)} %`,
    `${runs.value.toFixed(1)} runs`,
    `${measured.value.toFixed(1)} versions`,
  ].join(', ');
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
