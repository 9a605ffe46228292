import { split } from 'shlex';
import { expect, it } from 'vitest';
import { calledCommand, resumeCommand } from '../src/called-command.ts';

it.each(["it's.jsonl", 'two words.jsonl', '$(id).jsonl', 'a;b&c|d', '*', '~', '"', '\\', '', 'ä`'])(
  'is understood by a shell with the name %j',
  (name) => {
    const words = split(resumeCommand({ command: 'compare' }, name));
    expect(words).toEqual(['bench-cli', 'compare', '--resume', name]);
  },
);

it('keeps what is to be filled in', () => {
  expect(calledCommand(['analyze', { placeholder: '<file>' }, 'a.jsonl'])).toBe(
    'bench-cli analyze <file> a.jsonl',
  );
});
