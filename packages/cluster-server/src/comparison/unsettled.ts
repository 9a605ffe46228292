import { type AssumptionFailure, examineSample } from '@bench-cli/stats';
import type { UnsettledClient } from './client-comparison.ts';
import { isSettled } from './sampling.ts';
import type { MeasuredClient, Standing } from './standing.ts';

/** The clients whose tolerance is not below the threshold (per cent), with reasons. */
export function unsettledClients(
  standings: readonly Standing[],
  clients: readonly MeasuredClient[],
  errorThreshold: number,
): readonly UnsettledClient[] {
  return standings.flatMap(({ name, tolerance, rounds }) => {
    if (tolerance !== null && isSettled(tolerance, errorThreshold)) return [];
    const blocks = clients.find((client) => client.name === name)?.blocks ?? [];
    const rates = blocks.map(
      ({ elapsedNs }) => (elapsedNs.length * 1e9) / elapsedNs.reduce((a, b) => a + b, 0),
    );
    const doubts = examineSample(rates)
      .map(doubtText)
      .filter((text) => text !== undefined);
    const needed =
      tolerance === null || errorThreshold === 0
        ? undefined
        : Math.ceil(rounds * ((tolerance * 100) / errorThreshold) ** 2);
    const more =
      needed === undefined
        ? 'more rounds are required'
        : `with this variation about ${needed} rounds are required, and there were ${rounds}`;
    return [{ name, tolerance, reason: [...doubts, more].join('; ') }];
  });
}

function doubtText(doubt: AssumptionFailure): string | undefined {
  switch (doubt.kind) {
    case 'few-runs':
      return undefined;
    case 'outliers':
      return `${doubt.count} of its rounds are outliers`;
    case 'two-modes':
      return `its rounds form two groups, one ${(doubt.highMean / doubt.lowMean).toFixed(1)} times as fast as the other`;
    case 'trend':
      return `it became ${doubt.tau > 0 ? 'faster' : 'slower'} from round to round`;
  }
}
