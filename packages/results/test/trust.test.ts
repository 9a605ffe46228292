import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { type TemporarySuite, temporarySuite } from '../../../test/support/suite.ts';
import { checkTrusted, TRUST_VARIABLE, untrusted } from '../src/trust.ts';

const other = 4711;

/** A change of the file `above/dir/file` or of what leads to it, and the path that others can change; undefined if they cannot. */
const changes: readonly [what: string, change: (files: TemporarySuite) => void, path: string | undefined][] =
  [
    ['as it is', () => {}, undefined],
    ['mode 666', ({ path }) => chmodSync(path('above/dir/file'), 0o666), 'above/dir/file'],
    ['mode 602', ({ path }) => chmodSync(path('above/dir/file'), 0o602), 'above/dir/file'],
    ['mode 664 and the private group', ({ path }) => chmodSync(path('above/dir/file'), 0o664), undefined],
    ['mode 664 and another group', groupOf('above/dir/file', 0o664, other), 'above/dir/file'],
    ['mode 644 and another group', groupOf('above/dir/file', 0o644, other), undefined],
    ['another owner', ({ path }) => chownSync(path('above/dir/file'), other, other), 'above/dir/file'],
    ['a directory of mode 777', ({ path }) => chmodSync(path('above/dir'), 0o777), 'above/dir'],
    ['a directory of another group', groupOf('above/dir', 0o2775, other), 'above/dir'],
    ['a sticky directory', ({ path }) => chmodSync(path('above/dir'), 0o1777), undefined],
    ['a parent of mode 777', ({ path }) => chmodSync(path('above'), 0o777), 'above'],
    ['a parent of another owner', ({ path }) => chownSync(path('above'), other, other), 'above'],
  ];

function groupOf(name: string, mode: number, group: number) {
  return ({ path }: TemporarySuite) => {
    chownSync(path(name), 0, group);
    chmodSync(path(name), mode);
  };
}

describe.runIf(process.geteuid?.() === 0)('a file that others can change', () => {
  it.each(changes)('is known by its owner and mode, and those of its directories and links: %s', (...row) => {
    const [, change, changed] = row;
    using files = temporarySuite({ 'above/dir/file': '' });
    const { path } = files;
    mkdirSync(path('links'));
    symlinkSync('../above/dir/file', path('links/first'));
    symlinkSync('first', path('links/second'));
    change(files);
    const expected = changed === undefined ? undefined : expect.stringMatching(`^${path(changed)} `);
    for (const name of ['above/dir/file', 'links/first', 'links/second'])
      expect(untrusted(path(name))).toEqual(expected);
  });

  it('is known by the owner of a link to it', () => {
    using files = temporarySuite({ file: '' });
    symlinkSync('file', files.path('link'));
    lchownSync(files.path('link'), other, other);
    expect(untrusted(files.path('link'))).toContain(`${files.path('link')} belongs to the user ${other}`);
    expect(untrusted(files.path('file'))).toBeUndefined();
  });

  it('is refused with its mode or owner, unless the user trusts the others', () => {
    using files = temporarySuite({});
    const file = files.path('file');
    writeFileSync(file, '');
    chmodSync(file, 0o666);
    expect(() => checkTrusted(file, {})).toThrow(
      errorWith('UNTRUSTED', file, 'mode 666', 'chmod', '--trust'),
    );
    expect(() => checkTrusted(file, { [TRUST_VARIABLE]: '1' })).not.toThrow();
    chmodSync(file, 0o644);
    chownSync(file, other, 0);
    expect(() => checkTrusted(file, {})).toThrow(errorWith('UNTRUSTED', file, String(other), '--trust'));
  });
});
