import type { CommandDefinition } from './command-definition.ts';

export const explainCommand: CommandDefinition<'explain'> = {
  name: 'explain',
  summary: 'show which functions made a comparison faster or slower',
  description:
    'Profiles the cases of a comparison that differ, and prints the functions whose own time per operation ' +
    'differs. The benchmarks and the runtimes must be those of the comparison.',
  operands: ['<file>', 'results file (.jsonl) of compare'],
  takesFiles: true,
  examples: {
    'explain results.jsonl': 'all cases that are faster or slower',
    'explain results.jsonl --runs 60': 'more precisely',
    'explain results.jsonl --where encoding=ascii': 'some cases, also without a difference',
    'analyze results.jsonl --html report.html': 'then: a page with these functions',
  },
  run: async ([file = ''], options, { terminal }) => {
    const { showExplanation } = await import('../session/explanation-output.ts');
    return showExplanation(file, options, terminal);
  },
};
