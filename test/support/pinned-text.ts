import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ComparisonDocument } from './comparison-document.ts';

/** The directory of the pinned texts. */
export const pinnedTexts = fileURLToPath(
  new URL('../../packages/cli/test/pinned/expected/', import.meta.url),
);

/** Whether pinned texts are written again, by `pnpm run pin`. */
export const isPinning = process.env['PIN'] === '1';
export const pinAgain = 'if the change is intended, run "npx -y pnpm run pin" and review the diff';

/** Compares a text with the expected one, byte by byte. */
export function expectPinned(name: string, text: string): void {
  const path = `${pinnedTexts}${name}.txt`;
  if (isPinning) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  expect(text, pinAgain).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '');
}

/** Sentences that several texts have, by the names that stand in their place. */
export type Sentences = readonly (readonly [name: string, sentence: string])[];

/** The sentences below the tables of a comparison: its summary, the test and interval of each method, and the warnings. */
export function sentencesOf({ summary, methods, warnings }: ComparisonDocument): Sentences {
  return [
    ['summary', summary],
    ...Object.values(methods).map(({ test, rates, interval }) => {
      const figures = rates === undefined ? [] : [`rates: ${rates}`];
      return ['method', [test, ...figures, `ratio with ${interval}`].join('; ')] as const;
    }),
    ...warnings.map(({ kind, message }) => [kind, message] as const),
  ];
}

/** Replaces sentences by their names, however they are wrapped. */
export function withoutSentences(text: string, sentences: Sentences): string {
  let short = text;
  for (const [name, sentence] of sentences) {
    const words = sentence.split(' ').map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    short = short.replace(new RegExp(words.join('\\s+'), 'g'), `<${name}>`);
  }
  return short;
}
