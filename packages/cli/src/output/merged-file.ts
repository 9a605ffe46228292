import { caseKey, configurationText } from '@bench-cli/results';
import { mergeRecordings, type Recording, type RunRecord } from '@bench-cli/results/recording';
import type { Terminal } from '../terminal.ts';
import { machinesText } from './machines.ts';

/** Puts results files together, and tells what came of it. */
export async function writeMerged(files: readonly string[], out: string, terminal: Terminal): Promise<void> {
  const sessions = await mergeRecordings(files, out);
  const recordings = sessions.map(({ recording }) => recording);
  for (const { place, recording } of sessions) {
    const uneven = unevenConfigurations(recording);
    if (uneven.length === 0) continue;
    const others = uneven.length > 3 ? `; and ${uneven.length - 3} more` : '';
    terminal.notice(
      `warning: ${place}: runs failed, so that not all subjects have the same number of results: ${uneven.slice(0, 3).join('; ')}${others}`,
    );
  }
  terminal.notice(`${out}: ${contentText(recordings)}`);
  const machines = recordings.map(({ session: { environment } }) => environment);
  terminal.notice(`measured on ${machinesText(machines.map(({ cpu, cpus }) => `${cpu}, ${cpus} to use`))}`);
}

function contentText(recordings: readonly Recording[]): string {
  const shards = recordings.filter(({ session }) => session.request.shard !== undefined).length;
  const parts = shards === recordings.length ? 'shard' : 'session';
  const configurations = new Set(
    recordings.flatMap(({ plan }) =>
      (plan?.benchmarks ?? []).flatMap(({ name, configurations }) =>
        configurations.map((configuration) => caseKey({ benchmark: name, configuration })),
      ),
    ),
  );
  const runs = recordings.reduce((sum, recording) => sum + recording.runs.length, 0);
  return [
    counted(recordings.length, parts),
    counted(configurations.size, 'configuration'),
    counted(runs, 'run'),
  ].join(', ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Configurations whose subjects have not succeeded equally often, with the numbers. */
function unevenConfigurations({ session, runs }: Recording): string[] {
  const groups = Map.groupBy(runs, nameOf);
  return Array.from(groups, ([name, its]) => {
    const counts = session.request.subjects.map(({ name: subject }) => ({
      subject,
      count: its.filter((run) => run.subject === subject && run.status === 'ok').length,
    }));
    if (new Set(counts.map(({ count }) => count)).size === 1) return undefined;
    return `${name} (${counts.map(({ subject, count }) => `${count} ${subject}`).join(', ')})`;
  }).filter((text) => text !== undefined);
}

function nameOf({ benchmark, configuration, scheduled = configuration }: RunRecord): string {
  return `${benchmark} ${configurationText(scheduled)}`;
}
