import type { SessionRecord } from './line.ts';

/** A session as it goes on with a larger maximum of adaptive runs. Unchanged without one, and if it has that maximum already. */
export function extended(session: SessionRecord, maxRuns: number | undefined): SessionRecord {
  const { runs } = session.request;
  if (maxRuns === undefined || typeof runs === 'number' || maxRuns <= runs.maxRuns) return session;
  const extendedFrom = [...(runs.extendedFrom ?? []), runs.maxRuns];
  return { ...session, request: { ...session.request, runs: { ...runs, maxRuns, extendedFrom } } };
}
