import type { Complexity } from '@bench-cli/stats';
import { fixedPoint } from '../figure-text.ts';
import { renderTextTable } from './text-table.ts';

/** A table of complexities: the most probable growth of each category, its probability, and the second most probable. */
export function renderComplexityTable(
  xaxis: string,
  category: string | undefined,
  fits: readonly { readonly category: string; readonly complexity: Complexity }[],
): string {
  const fitted = fits.flatMap(({ category, complexity }) =>
    complexity.kind === 'fitted' ? [{ category, ...complexity }] : [],
  );
  const reasons = new Map<string, string[]>();
  for (const { category, complexity } of fits) {
    if (complexity.kind === 'fitted') continue;
    reasons.set(complexity.reason, [...(reasons.get(complexity.reason) ?? []), category]);
  }
  const column = (title: string, text: (fit: (typeof fitted)[number]) => string) => ({
    title,
    cells: fitted.map(text),
    align: 'right' as const,
  });
  const table =
    fitted.length === 0
      ? ''
      : renderTextTable([
          ...(category === undefined
            ? []
            : [{ title: category, cells: fitted.map((it) => it.category), align: 'left' as const }]),
          column('time grows like', ({ fits: [best, second] }) =>
            second === undefined ? 'does not grow' : modelText(best.model, xaxis),
          ),
          column('probability', ({ fits: [best, second] }) =>
            second === undefined ? '' : fixedPoint(best.weight, 2),
          ),
          column('next', ({ fits: [, second] }) =>
            second === undefined ? '' : `${modelText(second.model, xaxis)} (${fixedPoint(second.weight, 2)})`,
          ),
          column('misses by', ({ fits: [best] }) => `${fixedPoint(best.relativeError * 100, 1)} %`),
          column(
            `${xaxis}^k, k (95 %)`,
            ({ exponent, exponentHalfWidth }) =>
              `${fixedPoint(exponent, 2)} ± ${fixedPoint(exponentHalfWidth, 2)}`,
          ),
          column('values', ({ points }) => String(points)),
        ]);
  const notes = Array.from(
    reasons,
    ([reason, categories]) =>
      `no complexity${category === undefined ? '' : ` for ${categories.join(', ')}`}: ${reason}\n`,
  );
  return `${table}${notes.join('')}`;
}

/** A model with the parameter's name in place of n, such as `log len`. */
export function modelText(model: string, parameter: string): string {
  return model.replace(/\bn\b/g, () => parameter);
}
