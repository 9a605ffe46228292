import { type Policy, simulateBudget, typicalCases } from './budget.ts';

/** Prints how many of 120 configurations a session decides within a part of the time that it would need for all of them. */
const truths = typicalCases(120);
const sessions = 20;
const policies: readonly Policy[] = ['all in turns', 'expected to decide'];

function mean(budgetMs: number | undefined, policy: Policy): { decided: number; spentMs: number } {
  const results = Array.from({ length: sessions }, (_, seed) =>
    simulateBudget(truths, budgetMs, policy, seed + 1),
  );
  const of = (figure: 'decided' | 'spentMs') =>
    results.reduce((sum, each) => sum + each[figure], 0) / sessions;
  return { decided: of('decided'), spentMs: of('spentMs') };
}

const whole = mean(undefined, 'all in turns');
process.stdout.write(
  `without a limit: ${whole.decided.toFixed(1)} of ${truths.length} decided in ${(whole.spentMs / 1000).toFixed(0)} s\n\n`,
);
process.stdout.write(`budget    ${policies.map((policy) => policy.padStart(20)).join('')}\n`);
for (const share of [0.1, 0.2, 0.3, 0.5, 0.7]) {
  const decided = policies.map((policy) =>
    mean(share * whole.spentMs, policy)
      .decided.toFixed(1)
      .padStart(20),
  );
  process.stdout.write(`${String(share * 100).padStart(5)} %   ${decided.join('')}\n`);
}
