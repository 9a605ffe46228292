import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compare } from '@bench-cli/runner';

/**
 * Compares planned samples with declared ones: twelve operations of packages beside themselves, and beside themselves with 5 or 10 %
 * more work. Prints the verdicts and the time to both, which is the sum of all runs of an operation. Requires npm and a quiet machine.
 *
 * `--max-runs` limits the runs (12), `--operation` selects one of them (repeatable), and `--margin` is that of the comparisons (0.03).
 */
const { values } = parseArgs({
  options: {
    'max-runs': { type: 'string', default: '12' },
    margin: { type: 'string', default: '0.03' },
    operation: { type: 'string', multiple: true },
  },
});

const packages = [
  'semver@7.8.6',
  'yaml@2.9.1',
  'qs@6.17.1',
  'fast-deep-equal@3.1.3',
  'ms@2.1.3',
  'picocolors@1.1.1',
  'lodash.merge@4.6.2',
  'uuid@11.1.1',
  'ajv@8.20.0',
  'marked@15.0.12',
  'fast-json-stringify@6.4.0',
  'date-fns@4.4.0',
];

/** The comparisons of one operation. */
interface Outcome {
  seconds: number;
  /** Of the runs after the pilot. */
  plan: string;
  readonly verdicts: Record<string, string>;
}

const directory = mkdtempSync(join(tmpdir(), 'bench-cli-samples-'));
try {
  cpSync(join(import.meta.dirname, 'samples'), join(directory, 'suite/samples'), { recursive: true });
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', ...packages], { cwd: directory });
  mkdirSync(join(directory, 'node_modules/@bench-cli'), { recursive: true });
  symlinkSync(join(import.meta.dirname, '../../core'), join(directory, 'node_modules/@bench-cli/core'));
  const declared = await outcomesOf(true);
  const planned = await outcomesOf(false);
  const ratios: number[] = [];
  console.log(
    'operation            plan       itself: declared, planned      5 or 10 % slower: declared, planned   declared  planned  ratio',
  );
  for (const [operation, before] of declared) {
    const now = planned.get(operation);
    if (now === undefined) continue;
    const ratio = now.seconds / before.seconds;
    ratios.push(ratio);
    const both = (subject: string) => `${before.verdicts[subject]}, ${now.verdicts[subject]}`;
    const times = `${before.seconds.toFixed(1).padStart(6)} s ${now.seconds.toFixed(1).padStart(6)} s  ${ratio.toFixed(2)}`;
    console.log(
      `${operation.padEnd(20)} ${now.plan.padEnd(10)} ${both('same').padEnd(30)} ${both('slower').padEnd(36)} ${times}`,
    );
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  console.log(`geometric mean ${mean.toFixed(2)}, largest ${Math.max(...ratios).toFixed(2)}`);
} finally {
  rmSync(directory, { recursive: true });
}

async function outcomesOf(declaredTimes: boolean): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const outcomeOf = (operation: unknown) => {
    const known = outcomes.get(String(operation)) ?? { seconds: 0, plan: '', verdicts: {} };
    outcomes.set(String(operation), known);
    return known;
  };
  const { comparisons } = await compare({
    subjects: [
      { name: 'base', request: {} },
      { name: 'same', request: {} },
      { name: 'slower', request: { env: { PLANTED: '1' } } },
    ],
    items: ['samples'],
    suite: join(directory, 'suite'),
    cwd: directory,
    allowSame: true,
    startUp: 'none',
    declaredTimes,
    set: (values.operation ?? []).map((name) => `operation=${name}`),
    runs: { maxRuns: Number(values['max-runs']), margin: Number(values.margin) },
    onEvent: (event) => {
      if (event.type !== 'run') return;
      const { record } = event;
      const outcome = outcomeOf(record.configuration['operation']);
      outcome.seconds += record.durationMs / 1000;
      if (record.status === 'ok' && record.round > 0 && record.sampling !== undefined)
        outcome.plan = `${record.sampling.warmUpMs}+${record.sampling.measuredMs}`;
    },
  });
  for (const { configuration, subject, verdict } of comparisons)
    outcomeOf(configuration['operation']).verdicts[subject] = verdict;
  return outcomes;
}
