import { type ComparisonList, type Judgement, methods } from '@bench-cli/stats';

/** The methods of the judgements of a list. */
export function methodsOf({ comparisons }: ComparisonList): readonly Judgement['method'][] {
  return [...new Set(comparisons.map(({ judgement }) => judgement.method))];
}

/**
 * The methods of a list with the names of their figures, one line each, for the footer of a table.
 *
 * @param grouped whether the table has the mean ratio of several cases, which has an interval of its own; default: false
 */
export function methodLines(
  list: ComparisonList,
  { grouped = false }: { readonly grouped?: boolean } = {},
): readonly string[] {
  return methodsOf(list).map((method) => {
    const { name, test, interval } = methods[method];
    return `Method (${name}): ${test}; ${grouped ? meanRatioText(method) : `ratio with ${interval}`}.`;
  });
}

function meanRatioText(method: Judgement['method']): string {
  return method === 'sequential'
    ? 'geometric mean of ratios without an interval'
    : 'geometric mean of ratios with its 95 % interval by the delta method';
}
