import { calledCommand, wrapped } from '@bench-cli/results';
import type { Disturbance } from '@bench-cli/runner';
import type { CommandDefinition } from './command-definition.ts';

/** `bench-cli machine`: what disturbs measurements on this machine, and Node core's cpu.sh. */
export const machineCommand: CommandDefinition<'machine'> = {
  name: 'machine',
  summary: 'show what disturbs measurements on this machine, or set the frequency governor',
  description:
    'Looks at the machine for about a second, and shows what makes runs vary, with what to do about it: how much equal loops vary, ' +
    'other processes, the host or a quota that takes CPU time away, and the frequency governor. Most is known on Linux only.',
  examples: {
    machine: 'what disturbs, and what to do about it',
    'machine --governor performance': 'keep the CPUs at their highest frequency',
  },
  run: async (_, { format, governor }, { terminal }) => {
    const { diagnose, examineMachine, setGovernor } = await import('@bench-cli/runner');
    const { notice, result, json, paint, resultWidth } = terminal;
    if (governor !== undefined) {
      const former = setGovernor(governor).filter((name) => name !== governor);
      for (const name of former)
        notice(`${calledCommand(['machine', '--governor', name])} restores the former governor`);
    }
    const findings = diagnose(await examineMachine());
    if (format === 'json') json(findings);
    else result(machineTable(findings, resultWidth, (colour, text) => paint(colour, text, 'stdout')));
    return 0;
  },
};

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
