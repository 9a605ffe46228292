import { expect, it } from 'vitest';
import { subject as node, session } from '../../../test/support/recording.ts';
import { subjectNames, subjectText } from '../src/index.ts';
import type { Subject } from '../src/recording/index.ts';

const digests = { integrity: 'sha512-x', installed: 'a1' };
const yaml = { name: 'yaml', range: '2', version: '2.8.1', ...digests, directory: '/c/yaml' };
const main = { label: 'git:main', directory: '/c/main', base: '/r', path: '', commit: 'a1b2c3d4e5f6' };

function names(...subjects: readonly Partial<Subject>[]): readonly string[] {
  const named = subjects.map((subject, at) => ({ ...node, name: `s${at}`, ...subject }));
  return [...subjectNames({ ...session, request: { ...session.request, subjects: named } }).values()];
}

it('names subjects by what they are', () => {
  expect(
    names(
      { label: 'node@26' },
      { label: '/opt/bun', runtime: { name: 'bun', version: '1.3.1', arch: 'x64', platform: 'linux' } },
      { label: './node-pr', flags: ['--no-opt'] },
    ),
  ).toEqual(['Node.js 26.0.0', 'Bun 1.3.1', './node-pr (26.0.0) --no-opt']);
});

it('names code without its runtime if all have the same', () => {
  const older = { ...yaml, version: '1.10.3' };
  expect(names({ packages: [yaml] }, { packages: [older] })).toEqual(['yaml 2.8.1', 'yaml 1.10.3']);
  expect(names({ source: main }, { source: { ...main, label: '.', changes: 'abc' } })).toEqual([
    'main (a1b2c3d)',
    'working tree (a1b2c3d with changes)',
  ]);
  expect(names({ source: { ...main, label: `git:${main.commit}` } }, { source: main })).toEqual([
    'a1b2c3d',
    'main (a1b2c3d)',
  ]);
});

it('names code with its runtime if these differ', () => {
  const named = names({ label: 'node@26', packages: [yaml] }, { label: '/bin/node', flags: ['--x'] });
  expect(named).toEqual(['yaml 2.8.1', 'Node.js 26.0.0 --x']);
  const other = { name: 'node', version: '22.0.0', arch: 'x64', platform: 'linux' } as const;
  expect(
    names({ label: 'node@26', source: main }, { label: 'node@22', source: main, runtime: other }),
  ).toEqual(['main (a1b2c3d), Node.js 26.0.0', 'main (a1b2c3d), Node.js 22.0.0']);
});

it('keeps the names of subjects that look the same', () => {
  const named = names({ label: '/a/node' }, { label: '/b/node' }, { label: 'node@26', flags: ['--x'] });
  expect(named).toEqual(['s0', 's1', 'Node.js 26.0.0 --x']);
});

it('shows only the names of the variables of a subject', () => {
  const env = { MODE: 'a b', API_TOKEN: 'x' };
  expect(subjectText({ ...node, label: 'node@26', env })).toBe('node@26,env=MODE,env=API_TOKEN');
});
