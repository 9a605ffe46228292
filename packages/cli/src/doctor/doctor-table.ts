import { wrapped } from '@bench-cli/report';
import type { Finding } from '@bench-cli/runner';

const nameWidth = 20;
const levelWidth = 10;

/** One block per finding: its name, whether it disturbs, what was found, and below what to do about it. */
export function doctorTable(
  findings: readonly Finding[],
  width: number,
  paint: (colour: 'red' | 'green' | 'dim', text: string) => string,
): string {
  const indent = ' '.repeat(nameWidth + levelWidth);
  const block = (text: string) =>
    wrapped(text, Math.max(30, width - indent.length))
      .split('\n')
      .join(`\n${indent}`);
  const lines = findings.map(({ name, level, found, advice, saves }) => {
    const colour = level === 'disturbs' ? 'red' : level === 'fine' ? 'green' : 'dim';
    const first = `${name.padEnd(nameWidth)}${paint(colour, level.padEnd(levelWidth))}${block(found)}`;
    if (advice === undefined && saves === undefined) return first;
    const toDo = [
      ...(advice === undefined ? [] : [advice]),
      ...(saves === undefined ? [] : [`saves ${saves}`]),
    ];
    return `${first}\n${indent}${block(`-> ${toDo.join('; ')}`)}`;
  });
  const disturbing = findings.filter(({ level }) => level === 'disturbs').length;
  const summary =
    disturbing === 0
      ? 'Nothing was found that disturbs measurements.'
      : `${disturbing} of ${findings.length} findings disturb measurements.`;
  return `${lines.join('\n')}\n\n${summary}\n`;
}
