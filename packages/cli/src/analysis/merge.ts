import { machinesText, partsText } from '@bench-cli/report';
import { caseKey, caseName, counted, nameCase } from '@bench-cli/results';
import { mergeRecordings, type Recording, scheduledConfiguration } from '@bench-cli/results/recording';
import type { Terminal } from '../terminal.ts';
import { shortList } from './recording-text.ts';

/** Joins results files, and says what the new file holds. */
export async function writeMerged(files: readonly string[], out: string, terminal: Terminal): Promise<void> {
  const sessions = await mergeRecordings(files, out);
  const recordings = sessions.map(({ recording }) => recording);
  for (const { place, recording } of sessions) {
    const uneven = unevenCases(recording);
    if (uneven.length === 0) continue;
    terminal.notice(
      `warning: ${place}: runs failed, so the subjects have different numbers of results: ${shortList(uneven)}`,
    );
  }
  terminal.notice(`${out}: ${contentText(recordings)}`);
  const machines = recordings.map(({ session: { environment } }) => environment);
  terminal.notice(`measured on ${machinesText(machines.map(({ cpu, cpus }) => `${cpu}, ${cpus} to use`))}`);
}

function contentText(recordings: readonly Recording[]): string {
  const cases = new Set(
    recordings.flatMap(({ plan }) =>
      (plan?.benchmarks ?? []).flatMap(({ name: benchmark, configurations }) =>
        configurations.map((configuration) => caseKey({ benchmark, configuration })),
      ),
    ),
  );
  const runs = recordings.reduce((sum, recording) => sum + recording.runs.length, 0);
  return [partsText(recordings), counted(cases.size, 'configuration'), counted(runs, 'run')].join(', ');
}

/** The cases whose subjects have different numbers of successful runs, with the numbers. */
function unevenCases({ session, runs }: Recording): string[] {
  const cases = Map.groupBy(runs, (run) =>
    caseName(nameCase({ benchmark: run.benchmark, configuration: scheduledConfiguration(run) })),
  );
  return [...cases].flatMap(([name, its]) => {
    const counts = session.request.subjects.map(
      ({ name: subject }) => its.filter((run) => run.subject === subject && run.status === 'ok').length,
    );
    if (new Set(counts).size === 1) return [];
    return `${name} (${session.request.subjects.map(({ name }, at) => `${counts[at]} ${name}`).join(', ')})`;
  });
}
