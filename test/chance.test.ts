import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';

/** What makes a test fail by chance. No test, measured or not, may have it. */
interface Rule {
  readonly what: string;
  readonly instead: string;
  /** Where it begins. */
  readonly pattern: RegExp;
  /** Whether what was found is a mistake, by its text up to the end of the statement, and the groups of the pattern. Default: yes. */
  readonly isMistake?: (statement: string, groups: Readonly<Record<string, string | undefined>>) => boolean;
  /** An example that it must find, and one that it must not. */
  readonly examples: readonly [string, string];
  /** Files that may have it, with the reason. */
  readonly except?: Readonly<Record<string, string>>;
}

const rules: readonly Rule[] = [
  {
    what: 'a property test without a seed',
    instead: 'add { seed: 1 } to its options',
    pattern: /fc\.(?:assert|sample)\(/g,
    isMistake: (statement) => !/\bseed/.test(statement),
    examples: ['fc.assert(property, { numRuns: 5 });', 'fc.assert(property, { seed: 1 });'],
  },
  {
    what: 'an upper bound of a time',
    instead: 'simulate the clock, or assert what happens in place of how long it takes',
    pattern:
      /expect\([^;]*?(?:performance\.now|Date\.now|\belapsed\w*|\b(?:duration|spent|wall|took)(?:Ms|Seconds))[^;]*?\)\s*\.toBeLessThan/g,
    examples: ['expect(Date.now() - before).toBeLessThan(50);', 'expect(rounds).toBeLessThan(50);'],
    except: {
      'packages/runner/test/adaptive-session.test.ts': 'durations are scripted',
      'packages/runner/test/budget.test.ts': 'durations are simulated',
      'packages/runner/test/lanes.test.ts': 'durations are simulated',
    },
  },
  {
    what: 'a time limit below ten seconds',
    instead: 'use passingLimits (support/time-limit.ts), or a limit of at least 10 s',
    pattern:
      /\b(?:timeoutMs|timeout): ?(?<property>[\d_]+)|--timeout(?:', '|[ =])(?<option>[\d.]+)(?<unit>ms|s)|AbortSignal\.timeout\((?<abort>[\d_]+)\)/g,
    isMistake: (_, { property, option, unit, abort }) => {
      const limit = Number((property ?? option ?? abort ?? '').replaceAll('_', ''));
      const limitMs = unit === 's' ? limit * 1000 : limit;
      return limitMs > 0 && limitMs < 10_000;
    },
    examples: ["run({ timeoutMs: 2000 }, '--timeout', '10s')", "run({ timeoutMs: 0 }, '--timeout', '90s')"],
  },
  {
    what: 'a wait of a second',
    instead: 'use expect.poll, whose limit is that of vitest.config.ts, or pass { timeout: 60_000 }',
    pattern: /vi\.waitFor\(/g,
    isMistake: (statement) => !/\btimeout\b|\bpolling\b/.test(statement),
    examples: ['await vi.waitFor(() => expect(is()).toBe(true));', 'await expect.poll(is).toBe(true);'],
  },
  {
    what: 'a failure without its message',
    instead: 'keep the error, and match it with errorWith (support/error-with.ts)',
    pattern: /\(\{ code \}\) => code\b/g,
    examples: ['load().catch(({ code }) => code)', 'load().catch((error) => error)'],
  },
];

/** From a place to the semicolon after it that is in no brackets. */
function statementAt(text: string, from: number): string {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    const sign = text[at] ?? '';
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign)) depth--;
    if (depth < 0 || (depth === 0 && sign === ';')) return text.slice(from, at);
  }
  return text.slice(from);
}

/** The lines of a text with what a rule forbids. */
function linesWith({ pattern, isMistake = () => true }: Rule, text: string): number[] {
  return Array.from(text.matchAll(pattern))
    .filter(({ index, groups = {} }) => isMistake(statementAt(text, index), groups))
    .map(({ index }) => text.slice(0, index).split('\n').length);
}

const root = join(import.meta.dirname, '..');
const files = globSync(['{packages/*/,}test/**/*.ts', 'examples/*.test.ts'], {
  cwd: root,
  exclude: ['**/fixtures/**', '**/node_modules/**'],
}).filter((file) => basename(file) !== basename(import.meta.filename));

it.each(rules)('no test has $what', (rule) => {
  const [mistake, correct] = rule.examples;
  expect([linesWith(rule, mistake), linesWith(rule, correct)]).toEqual([[1], []]);
  const found = files
    .filter((file) => rule.except?.[file] === undefined)
    .flatMap((file) =>
      linesWith(rule, readFileSync(join(root, file), 'utf8')).map(
        (line) => `${file}:${line}: ${rule.what}: ${rule.instead}`,
      ),
    );
  expect(found).toEqual([]);
});

/** For all tests of the file, or for one test. */
const restores =
  /^afterEach\(\(\) => [\s\S]{0,120}?vi\.unstubAllEnvs|(?:onTestFinished\(|return )\(\) => (?:void )?vi\.unstubAllEnvs/m;

it.each([
  ["afterEach(() => vi.unstubAllEnvs());\nvi.stubEnv('PATH', '');", true],
  ["describe('a', () => {\n  afterEach(() => vi.unstubAllEnvs());\n});\nvi.stubEnv('PATH', '');", false],
])('files that restore the environment for those after them in the same process are told: %j', (text, is) => {
  expect(restores.test(text)).toBe(is);
});

it('each file restores the environment that its tests change', () => {
  const left = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return (
      !file.startsWith('test/support/') && /\b(?:vi\.stubEnv|fakeNpm)\(/.test(text) && !restores.test(text)
    );
  });
  expect(left).toEqual([]);
});
