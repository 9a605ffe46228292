import { type BudgetResult, type Policy, simulateBudget, typicalCases } from './budget.ts';

/**
 * Prints how many of 120 configurations a session decides within a part of the time that it would need for all of them, and when the
 * first and half of the verdicts are known without a limit.
 */
const truths = typicalCases(120);
const sessions = 20;
const policies: readonly Policy[] = ['all in turns', 'soonest first'];

function mean(budgetMs: number | undefined, policy: Policy) {
  const results = Array.from({ length: sessions }, (_, seed) =>
    simulateBudget(truths, budgetMs, policy, seed + 1),
  );
  const of = (figure: (result: BudgetResult) => number | undefined) =>
    results.reduce((sum, each) => sum + (figure(each) ?? 0), 0) / sessions;
  return {
    decided: of(({ decidedAtMs }) => decidedAtMs.length),
    spentMs: of(({ spentMs }) => spentMs),
    firstMs: of(({ decidedAtMs }) => decidedAtMs[0]),
    halfMs: of(({ decidedAtMs }) => decidedAtMs[Math.floor(decidedAtMs.length / 2)]),
  };
}

const whole = mean(undefined, 'all in turns');
for (const policy of policies) {
  const { decided, spentMs, firstMs, halfMs } = mean(undefined, policy);
  const seconds = (ms: number) => `${(ms / 1000).toFixed(0)} s`;
  process.stdout.write(
    `without a limit, ${policy}: ${decided.toFixed(1)} of ${truths.length} decided in ${seconds(spentMs)}, the first after ${seconds(firstMs)}, half after ${seconds(halfMs)}\n`,
  );
}
process.stdout.write(`budget    ${policies.map((policy) => policy.padStart(20)).join('')}\n`);
for (const share of [0.1, 0.2, 0.3, 0.5, 0.7]) {
  const decided = policies.map((policy) =>
    mean(share * whole.spentMs, policy)
      .decided.toFixed(1)
      .padStart(20),
  );
  process.stdout.write(`${String(share * 100).padStart(5)} %   ${decided.join('')}\n`);
}
