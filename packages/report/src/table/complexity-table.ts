import type { Complexity } from '@bench-cli/stats';
import { fixedPoint } from '../figure-text.ts';
import { renderTextTable, textColumn } from './text-table.ts';

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
  const table =
    fitted.length === 0
      ? ''
      : renderTextTable([
          ...(category === undefined ? [] : [textColumn(category, fitted, (it) => it.category, 'left')]),
          textColumn('time grows like', fitted, ({ fits: [best, second] }) =>
            second === undefined ? 'does not grow' : modelText(best.model, xaxis),
          ),
          textColumn('probability', fitted, ({ fits: [best, second] }) =>
            second === undefined ? '' : fixedPoint(best.weight, 2),
          ),
          textColumn('next', fitted, ({ fits: [, second] }) =>
            second === undefined ? '' : `${modelText(second.model, xaxis)} (${fixedPoint(second.weight, 2)})`,
          ),
          textColumn(
            'misses by',
            fitted,
            ({ fits: [best] }) => `${fixedPoint(best.relativeError * 100, 1)} %`,
          ),
          textColumn(
            `${xaxis}^k, k (95 %)`,
            fitted,
            ({ exponent, exponentHalfWidth }) =>
              `${fixedPoint(exponent, 2)} ± ${fixedPoint(exponentHalfWidth, 2)}`,
          ),
          textColumn('values', fitted, ({ points }) => String(points)),
        ]);
  const notes = Array.from(
    Map.groupBy(failed, ({ reason }) => reason),
    ([reason, its]) =>
      `no complexity${category === undefined ? '' : ` for ${its.map((it) => it.category).join(', ')}`}: ${reason}\n`,
  );
  return `${table}${notes.join('')}`;
}

/** A model with the parameter's name in place of n, such as `log len`. */
function modelText(model: string, parameter: string): string {
  return model.replace(/\bn\b/g, () => parameter);
}
