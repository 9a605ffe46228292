import type { Complexity } from '@bench-cli/stats/internal';
import { fixedPoint } from '../figure-text.ts';
import { columnsOf, textTable } from './table.ts';

/** A table of complexities: the most probable growth of each category, its probability, and the second most probable. */
export function renderComplexityTable(
  xaxis: string,
  category: string | undefined,
  fits: readonly { readonly category: string; readonly complexity: Complexity }[],
): string {
  const fitted = fits.flatMap(({ category, complexity }) =>
    complexity.kind === 'fitted' ? [{ category, ...complexity }] : [],
  );
  const failed = fits.flatMap(({ category, complexity }) =>
    complexity.kind === 'fitted' ? [] : [{ category, reason: complexity.reason }],
  );
  const { figure, words } = columnsOf<(typeof fitted)[number]>();
  const table = textTable({
    rows: fitted,
    columns: [
      category !== undefined && words(category, (it) => it.category),
      figure('time grows like', ({ fits: [best, second] }) =>
        second === undefined ? 'does not grow' : modelText(best.model, xaxis),
      ),
      figure('probability', ({ fits: [best, second] }) =>
        second === undefined ? '' : fixedPoint(best.weight, 2),
      ),
      figure('next', ({ fits: [, second] }) =>
        second === undefined ? '' : `${modelText(second.model, xaxis)} (${fixedPoint(second.weight, 2)})`,
      ),
      figure('misses by', ({ fits: [best] }) => `${fixedPoint(best.relativeError * 100, 1)} %`),
      figure(
        `${xaxis}^k, k (95 %)`,
        ({ exponent, exponentHalfWidth: half }) => `${fixedPoint(exponent, 2)} ± ${fixedPoint(half, 2)}`,
      ),
      figure('values', ({ points }) => String(points)),
    ],
  });
  const notes = Array.from(
    Map.groupBy(failed, ({ reason }) => reason),
    ([reason, its]) =>
      `no complexity${category === undefined ? '' : ` for ${its.map((it) => it.category).join(', ')}`}: ${reason}\n`,
  );
  return `${fitted.length === 0 ? '' : table}${notes.join('')}`;
}

/** A model with the parameter's name in place of n, such as `log len`. */
function modelText(model: string, parameter: string): string {
  return model.replace(/\bn\b/g, () => parameter);
}
