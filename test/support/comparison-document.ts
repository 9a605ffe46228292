import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Configuration } from '@bench-cli/results';
import type { methods } from '@bench-cli/stats';
import { z } from 'zod';
import { root } from './command.ts';

const schema = z.fromJSONSchema(
  JSON.parse(readFileSync(join(root, 'packages/cli/schema/comparison.schema.json'), 'utf8')),
);

/** The fields of the JSON that tests read; the schema has all. */
export interface ComparisonDocument {
  readonly oldName?: string;
  readonly newName?: string;
  readonly summary: string;
  readonly methods: Readonly<Record<string, (typeof methods)[keyof typeof methods]>>;
  readonly subjects?: readonly { readonly name: string }[];
  readonly comparisons: readonly {
    readonly method: string;
    readonly text: string;
    readonly configuration: Configuration;
    readonly verdict: string;
    readonly reason: string;
    readonly ratio: { readonly ratio: number; readonly low: number; readonly high: number } | null;
    readonly leastChange: number | null;
    readonly p: number | null;
    readonly old: { readonly n: number; readonly mean: number } | null;
    readonly new: { readonly n: number; readonly mean: number } | null;
  }[];
  readonly metrics?: readonly (Pick<ComparisonDocument, 'comparisons'> & { readonly name: string })[];
  readonly missing?: readonly object[];
  readonly unmatched?: {
    readonly removed: readonly { readonly benchmark: string }[];
    readonly renamed: readonly { readonly from: string; readonly to: string }[];
  };
  readonly warnings: readonly {
    readonly kind: string;
    readonly names: readonly string[];
    readonly message: string;
  }[];
}

/** Reads what `--format json` prints, which must be valid by the published schema. */
export function comparisonDocument(text: string): ComparisonDocument {
  const document: ComparisonDocument = JSON.parse(text);
  schema.parse(document);
  return document;
}
