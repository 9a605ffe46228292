import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { split } from 'shlex';
import { expect, it, onTestFinished, vi } from 'vitest';
import { calledCommand, resumeCommand } from '../src/called-command.ts';

it.each(["it's.jsonl", 'two words.jsonl', '$(id).jsonl', 'a;b&c|d', '*', '~', '"', '\\', '', 'ä`'])(
  'is understood by a shell with the name %j',
  (name) => {
    const words = split(resumeCommand({ command: 'compare' }, name));
    expect(words).toEqual(['npx', 'bench-cli', 'compare', '--resume', name]);
  },
);

it('keeps what is to be filled in', () => {
  expect(calledCommand(['analyze', { placeholder: '<file>' }, 'a.jsonl'], '')).toBe(
    'bench-cli analyze <file> a.jsonl',
  );
});

const programs = fileURLToPath(new URL('../../../node_modules/.bin', import.meta.url));

it.each([
  ['bench-cli run', 'that is on the PATH', `/nowhere${delimiter}${programs}`, undefined],
  ['npx bench-cli run', 'of a project', '/nowhere', undefined],
  ['npx bench-cli run', 'that npx found', programs, 'npm/11.6.2 node/v26.10.0 linux x64'],
])('prints %s for a program %s', (command, _, path, manager) => {
  vi.stubEnv('PATH', path).stubEnv('npm_config_user_agent', manager);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(calledCommand(['run'])).toBe(command);
});
