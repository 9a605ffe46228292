import type { SessionRecord } from './line.ts';

/** What a person calls the two subjects: what was asked for, with the version where that does not say it. */
export function subjectNames({ request }: SessionRecord): Record<'oldName' | 'newName', string> {
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
