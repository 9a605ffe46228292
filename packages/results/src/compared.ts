import type { SessionRecord, SucceededRun } from './recording/line.ts';
import type { ComparedRun } from './samples.ts';

/** Converts a recorded run of a comparison to the input of judgements. */
export function comparedRun({ benchmark, configuration, subject, round, rate }: SucceededRun): ComparedRun {
  return { benchmark, configuration, subject: subject === 'old' ? 'old' : 'new', round, rate };
}

/** Display names of the two subjects of a comparison. */
export interface SubjectNames {
  readonly oldName: string;
  readonly newName: string;
}

/** The requested runtimes with their versions and flags; `old` and `new` if these are equal. */
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
