/** Why an event has no count, as perf says. */
export type PerfProblem = 'not supported' | 'not counted';

/**
 * Reads the output of `perf stat -x,`: a line for each event, with its count, unit and name. perf appends `:u` to a name if it may
 * only count in user mode.
 */
export function readPerfOutput(text: string): ReadonlyMap<string, number | PerfProblem> {
  const counts = new Map<string, number | PerfProblem>();
  for (const line of text.split('\n')) {
    const [count = '', , event = ''] = line.split(',');
    const name = event.replace(/:[a-z]+$/, '');
    if (name === '' || line.startsWith('#')) continue;
    if (count === '<not supported>') counts.set(name, 'not supported');
    else if (count === '<not counted>') counts.set(name, 'not counted');
    else if (/^\d+(\.\d+)?$/.test(count)) counts.set(name, Number(count));
  }
  return counts;
}
