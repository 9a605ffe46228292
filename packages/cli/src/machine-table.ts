import { wrapped } from '@bench-cli/results';
import type { Disturbance } from '@bench-cli/runner';

const nameWidth = 18;

/** One block per finding: its name, what was found, and below what to do about it. */
export function machineTable(
  findings: readonly Disturbance[],
  width: number,
  paint: (colour: 'red' | 'green', text: string) => string,
): string {
  const indent = ' '.repeat(nameWidth);
  const most = Math.max(30 + nameWidth, width);
  const lines = findings.map(({ name, found, advice }) => {
    const head = paint(advice === undefined ? 'green' : 'red', name.padEnd(nameWidth));
    const texts = [found, ...(advice === undefined ? [] : [`-> ${advice}`])];
    const block = texts.map((text) => `${indent}${text}`).join('\n');
    return `${head}${wrapped(block, most, indent).slice(nameWidth)}\n`;
  });
  const disturbing = findings.filter(({ advice }) => advice !== undefined).length;
  const summary =
    disturbing === 0
      ? 'Nothing was found that disturbs measurements.'
      : `${disturbing} of ${findings.length} findings disturb measurements: small differences remain undecided.`;
  return `${lines.join('')}\n${wrapped(summary, most)}\n`;
}
