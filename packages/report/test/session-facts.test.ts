import { expect, it } from 'vitest';
import { empty, session, subject } from '../../../test/support/recording.ts';
import { sessionFacts } from '../src/session-facts.ts';

const main = { label: 'git:main', commit: 'a1b2c3d', directory: '/m', base: '/', path: '' };
const digests = { integrity: 'sha512-x', installed: 'a1' };
const yaml = { name: 'yaml', range: '2', version: '2.8.0', ...digests, directory: '/y' };
const all = '/bin/node (Node.js 26.0.0, V8 14, linux x64)';

it.each([
  [[subject], [['Subject node', all]]],
  [
    [
      { ...subject, name: 'old', source: main },
      { ...subject, name: 'new', packages: [yaml] },
    ],
    [
      ['All subjects', all],
      ['Subject old', 'git:main (commit a1b2c3d)'],
      ['Subject new', 'yaml 2.8.0 (sha512-x, with dependencies a1)'],
    ],
  ],
  [[{ ...subject, name: 'a\u001bb' }], [['Subject a\\x1bb', all]]],
  [
    [
      { ...subject, name: 'old' },
      { ...subject, name: 'new', executable: '/new/node' },
    ],
    [
      ['Subject old', all],
      ['Subject new', all.replace('/bin', '/new')],
    ],
  ],
])('what all subjects execute stands once: %#', (subjects, facts) => {
  const recording = { ...empty, session: { ...session, request: { ...session.request, subjects } } };
  const shown = sessionFacts([recording]).filter(({ name }) => /subject/i.test(name));
  expect(shown.map(({ name, value }) => [name, value])).toEqual(facts);
});
