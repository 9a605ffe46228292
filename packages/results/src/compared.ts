import type { SessionRecord, SucceededRun } from './recording/line.ts';
import type { ComparedRun } from './samples.ts';

/** A recorded run of a comparison as judgements take it. */
export function comparedRun({ benchmark, configuration, subject, round, rate }: SucceededRun): ComparedRun {
  return { benchmark, configuration, subject: subject === 'old' ? 'old' : 'new', round, rate };
}

/** How people call the two subjects of a comparison. */
export interface SubjectNames {
  readonly oldName: string;
  readonly newName: string;
}

/** What was asked for, with the version where that does not include it. */
export function subjectNames({ request }: SessionRecord): SubjectNames {
  const [old, new_] = request.subjects.map(({ label, runtime, flags }) => {
    const runtimeName = label.startsWith('node@')
      ? `Node.js ${runtime.version}`
      : `${label} (${runtime.version})`;
    return [runtimeName, ...flags].join(' ');
  });
  return old === new_
    ? { oldName: 'old', newName: 'new' }
    : { oldName: old ?? 'old', newName: new_ ?? 'new' };
}
