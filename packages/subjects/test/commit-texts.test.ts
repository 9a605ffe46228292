import { chmodSync, existsSync } from 'node:fs';
import { execaSync } from 'execa';
import { describe, expect, it } from 'vitest';
import { gitRepository } from '../../../test/support/git-repository.ts';
import { untilEnd } from '../../../test/support/until-end.ts';
import { commitAddress, commitTexts } from '../src/git.ts';

/** A commit whose subject, author and further headers can be anything. */
function forged(cwd: string, { subject = 's', author = 'a', headers = '' }): string {
  const { stdout: tree } = execaSync('git', ['rev-parse', 'HEAD^{tree}'], { cwd });
  const who = `${author} <a@example.com> 1767225600 +0000`;
  const input = `tree ${tree}\nauthor ${who}\ncommitter ${who}\n${headers}\n${subject}\n`;
  return execaSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin', '--literally'], { cwd, input })
    .stdout;
}

describe('the text of a commit', () => {
  const repository = untilEnd(gitRepository({ a: '' }));
  repository.git('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
  it.each([
    { subject: 'a\x1b[2Jb' },
    { subject: 'a\rb' },
    { subject: 'a\u202eb' },
    { subject: 'ä', author: 'ß' },
    { subject: 'a\x1eb\x1fc' },
  ])('is one line: %j', async (fields) => {
    const commit = forged(repository.directory, fields);
    const { subject, author = 'a' } = fields;
    expect(await commitTexts(repository.directory, [commit], undefined)).toEqual([
      `${commit.slice(0, 7)} ${subject} (${author}, 2026-01-01)`,
    ]);
  });

  it('runs no program that the repository names for signatures', async () => {
    using repository = gitRepository({ a: '', gpg: '#!/bin/sh\ntouch "$(dirname "$0")/ran"\nexit 1\n' });
    chmodSync(repository.path('gpg'), 0o755);
    repository.git('config', 'log.showSignature', 'true');
    repository.git('config', 'gpg.program', repository.path('gpg'));
    const headers = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n';
    const commit = forged(repository.directory, { headers });
    expect(await commitTexts(repository.directory, [commit], undefined)).toHaveLength(1);
    expect(existsSync(repository.path('ran'))).toBe(false);
  });
});

it.each([
  ['git@github.com:o/r.git\n', 'https://github.com/o/r/commit/1a'],
  ['https://user:token@gitlab.example/a/b/c.git', 'https://gitlab.example/a/b/c/commit/1a'],
  ['ssh://git@host.example/o/r', 'https://host.example/o/r/commit/1a'],
  ['/srv/repository', undefined],
  [undefined, undefined],
])('the address of a commit of %j is %s', (remote, address) => {
  expect(commitAddress(remote, '1a')).toBe(address);
});
