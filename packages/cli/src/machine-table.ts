import { wrapped } from '@bench-cli/report';
import type { Disturbance } from '@bench-cli/runner';

const nameWidth = 18;

/** One block per finding: its name, what was found, and below what to do about it. */
export function machineTable(
  findings: readonly Disturbance[],
  width: number,
  paint: (colour: 'red' | 'green', text: string) => string,
): string {
  const indent = ' '.repeat(nameWidth);
  const block = (text: string) =>
    wrapped(text, Math.max(30, width - nameWidth))
      .split('\n')
      .join(`\n${indent}`);
  const lines = findings.map(({ name, found, advice }) => {
    const head = paint(advice === undefined ? 'green' : 'red', name.padEnd(nameWidth));
    return `${head}${block(found)}\n${advice === undefined ? '' : `${indent}${block(`-> ${advice}`)}\n`}`;
  });
  const disturbing = findings.filter(({ advice }) => advice !== undefined).length;
  const summary =
    disturbing === 0
      ? 'Nothing was found that disturbs measurements.'
      : `${disturbing} of ${findings.length} findings disturb measurements.`;
  return `${lines.join('')}\n${summary}\n`;
}
