import { type DetailedList, summarize } from '@bench-cli/stats';
import type { ComparisonDocument } from './comparison-schema.ts';

/** All comparisons with all figures, as `--format json` prints them; its schema is in `comparison-schema.ts`. */
export function comparisonDocument(
  list: DetailedList,
  names: { readonly oldName: string; readonly newName: string },
): ComparisonDocument {
  return { format: 1, ...names, summary: summarize(list.comparisons, names, list.errorRate), ...list };
}
