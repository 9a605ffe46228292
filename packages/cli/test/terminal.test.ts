import { describe, expect, it } from 'vitest';
import { benchCli, commandIo } from '../../../test/support/command.ts';
import { createTerminal } from '../src/terminal.ts';

/** Title, clear screen, 8-bit CSI, bell, carriage return, and reversed text. */
const hostile = '\x1b]0;owned\x07\x1b[2J\x9b2J\rfast\u202eslow';
const shown = '\\x1b]0;owned\\x07\\x1b[2J\\x9b2J\\rfast\\u202eslow';

function terminal(size?: { readonly columns: number }, env = {}) {
  const { io, stdout, stderr } = commandIo({ env }, size);
  return { ...createTerminal(io), stdout, stderr };
}

describe('a terminal', () => {
  it('gets control characters as text', () => {
    const { result, notice, status, stdout, stderr } = terminal({ columns: 200 });
    result(`${hostile}\n\tnext\n`);
    notice(hostile);
    expect(stdout()).toBe(`${shown}\n\tnext\n`);
    expect(stderr()).toBe(`${shown}\n`);
    status(`${hostile}\nnext`);
    expect(stderr().slice(shown.length + 1)).not.toMatch(/\p{Cc}|\u202e/u);
  });

  it('gets messages that fit it, broken between words, and a stream that is none gets them whole', () => {
    const long = `warning: ${'word '.repeat(12)}5 % of ${'x'.repeat(50)}\n    | printed`;
    const narrow = terminal({ columns: 40 });
    narrow.notice(long);
    const lines = narrow.stderr().trimEnd().split('\n');
    expect(lines.map((line) => line.length <= 40)).toEqual([true, true, false, true]);
    expect(lines.map((line) => line.trim()).join(' ')).toBe(long.replace('\n    ', ' '));
    const piped = terminal();
    piped.notice(long);
    expect(piped.stderr()).toBe(`${long}\n`);
  });

  it('gets the colours of the command, and those of nobody else', () => {
    const { failure, stderr } = terminal({ columns: 200 }, { FORCE_COLOR: '1' });
    failure('\x1b[31mred');
    expect(stderr()).toBe('\x1b[31mfailed:\x1b[39m \\x1b[31mred\n');
  });

  it('gets further lines of a message below its first', () => {
    const { failure, stderr } = terminal();
    failure('a\nerror: b\n    c');
    expect(stderr()).toBe('failed: a\n    error: b\n    c\n');
  });

  it('has 80 columns if it does not know its size', () => {
    const { resultWidth, status, stderr } = terminal({ columns: 0 });
    expect(resultWidth).toBe(80);
    status('x'.repeat(100));
    expect(stderr()).toContain('x'.repeat(79));
  });

  it('is not needed: a pipe gets what people read as text, and data as they are', () => {
    const { result, data, notice, stdout, stderr } = terminal();
    result(hostile);
    data(hostile);
    notice(hostile);
    expect(stdout()).toBe(`${shown}${hostile}`);
    expect(stderr()).toBe(`${shown}\n`);
  });

  it('of GitHub Actions gets no commands from names and messages', () => {
    const { result, notice, stdout, stderr } = terminal(undefined, { GITHUB_ACTIONS: 'true' });
    result('name\n  ::error file=a::b\n{"text":"##[group]c"}\na::b\n');
    notice('::set-output name=a::b');
    expect(stdout()).toBe('name\n  \\u003a:error file=a::b\n{"text":"#\\u0023[group]c"}\na::b\n');
    expect(stderr()).toBe('\\u003a:set-output name=a::b\n');
  });

  it('gets names in errors as text', async () => {
    const { stderr } = await benchCli(['run', `./${hostile}`]);
    expect(stderr).toContain('owned');
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  });
});
