import { subjectText } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { readSubject } from '../src/subject-text.ts';

describe('the text of a subject', () => {
  it.each([
    ['node@22', { runtime: 'node@22' }],
    ['bun@1', { runtime: 'bun@1' }],
    ['./out/Release/node', { runtime: './out/Release/node' }],
    ['packages', { runtime: 'packages' }],
    ['.', { source: { type: 'directory', path: '.' } }],
    ['./packages', { source: { type: 'directory', path: './packages' } }],
    ['git:main', { source: { type: 'git', ref: 'main' } }],
    ['git:HEAD~2:packages/a', { source: { type: 'git', ref: 'HEAD~2', subdirectory: 'packages/a' } }],
    ['npm:yaml', { packages: [{ name: 'yaml', range: 'latest' }] }],
    ['npm:@scope/name@>=1 <2', { packages: [{ name: '@scope/name', range: '>=1 <2' }] }],
    ['env=A=b=c,env=D=,git:v1', { env: { A: 'b=c', D: '' }, source: { type: 'git', ref: 'v1' } }],
    ['flags=--no-opt  --x=1\\,2,node', { flags: ['--no-opt', '--x=1,2'], runtime: 'node' }],
    ['flags="--title=a, b" --no-opt,cwd=../x y', { flags: ['--title=a, b', '--no-opt'], cwd: '../x y' }],
    ['node,env="A=1, \\"2\\" \\\\",env=B=a\\b', { runtime: 'node', env: { A: '1, "2" \\', B: 'a\\b' } }],
  ])('%s has no name', (text, request) => {
    expect(readSubject(text)).toEqual({ request });
  });

  it('can begin with a name', () => {
    const yaml = { name: 'yaml', range: '1' };
    const request = { runtime: 'node@22', packages: [yaml, { name: 'ms', range: 'next' }] };
    expect(readSubject('old one=node@22,npm:yaml@1,npm:ms@next')).toEqual({ name: 'old one', request });
  });

  it('is written so that it is read again, whatever it contains', () => {
    const texts = ['a b', 'a,b', '"', '\\', '\\"', 'x\\,', 'plain'];
    const subject = {
      name: 'new',
      label: 'node@22',
      executable: '/node',
      flags: texts.map((text) => `--flag=${text}`),
      env: {},
      cwd: '/a b,c',
      runtime: { name: 'node', version: '22.0.0', arch: 'x64', platform: 'linux' },
    } as const;
    const { flags, cwd } = subject;
    expect(readSubject(subjectText(subject)).request).toEqual({ runtime: 'node@22', flags, cwd });
  });

  it('takes the values of variables without one from its surroundings', () => {
    const env = { A: 'a,b "c" \\ $d', B: '' };
    const request = { env: { ...env, C: 'c' } };
    expect(readSubject('env=A,env=B,env=C=c', { cwd: '.', env })).toEqual({ request });
    const subject = { ...request, name: 'new', label: 'node@22', executable: '/node', flags: [] } as const;
    const runtime = { name: 'node', version: '22.0.0', arch: 'x64', platform: 'linux' } as const;
    const read = readSubject(subjectText({ ...subject, runtime }), { cwd: '.', env: request.env });
    expect(read.request).toEqual({ runtime: 'node@22', ...request });
  });

  it.each([
    ['', 'empty'],
    ['node,', 'empty'],
    ['node@22,bun@1', 'node@22 and bun@1'],
    ['.,git:main', 'source'],
    ['npm:a@1,npm:a@2', 'package a'],
    ['npm:../x', 'npm:../x'],
    ['npm:-g', 'npm:-g'],
    ['npm:--registry=x@1', 'npm:--registry=x@1'],
    ['npm:@-a/b', 'npm:@-a/b'],
    ['npm:a@..', 'npm:a@..', '".."'],
    ['npm:a@$(x)', 'npm:a@$(x)', '"$(x)"'],
    ['git:', 'git:'],
    ['git:--upload-pack=x', '--upload-pack'],
    ['git:main:../x', '../x'],
    ['env=A', '"A"'],
    ['env=A="b', '"b'],
    ['cwd=a,cwd=b', 'working directory'],
  ])('is not %j', (text, ...values) => {
    expect(() => readSubject(text)).toThrow(errorWith('SUBJECT', ...values));
  });
});
