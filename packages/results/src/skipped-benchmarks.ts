import type { Recording } from './recording/read.ts';

/** The benchmarks and files that are not executed, for JSON, with the reason as the rest of a sentence. */
export function skippedBenchmarks(recordings: readonly Pick<Recording, 'plan' | 'session'>[]) {
  const skipped = recordings.flatMap(({ plan, session }) => [
    ...(plan?.benchmarks ?? []).map(({ name, skipped: reason }) => ({ benchmark: name, reason })),
    ...session.request.files.map(({ name, foreign }) => ({ benchmark: name, reason: foreign })),
  ]);
  const known = new Map(
    skipped.flatMap((each) => (each.reason === undefined ? [] : [[each.benchmark, each]])),
  );
  return known.size > 0 ? { skipped: [...known.values()] } : {};
}
