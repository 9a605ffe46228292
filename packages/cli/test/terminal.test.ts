import { PassThrough } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { benchCli } from '../../../test/support/command.ts';
import { processTerminal } from '../src/terminal.ts';

/** Title, clear screen, 8-bit CSI, bell, carriage return, and reversed text. */
const hostile = '\x1b]0;owned\x07\x1b[2J\x9b2J\rfast\u202eslow';
const shown = '\\x1b]0;owned\\x07\\x1b[2J\\x9b2J\\x0dfast\\u202eslow';

function terminal(isTTY: boolean, columns = 200) {
  const stream = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns, fd: 1 });
  const streams = { stdout: stream(), stderr: stream() };
  const of = processTerminal(streams);
  return { of, out: () => streams.stdout.read(), error: () => streams.stderr.read() };
}

describe('a terminal', () => {
  it('gets control characters as text', () => {
    const { of, out, error } = terminal(true);
    of.result(`${hostile}\n\tnext\n`);
    of.notice(hostile);
    expect(out()).toBe(`${shown}\n\tnext\n`);
    expect(error()).toBe(`${shown}\n`);
    of.status(`${hostile}\nnext`);
    expect(error()).not.toMatch(/\p{Cc}|\u202e/u);
  });

  it('gets the colours of the command', () => {
    const { of, error } = terminal(true);
    of.notice('\x1b[31mfailed:\x1b[39m \x1b[8mhidden');
    expect(error()).toBe('\x1b[31mfailed:\x1b[39m \\x1b[8mhidden\n');
  });

  it('has 80 columns if it does not know its size', () => {
    const { of, error } = terminal(true, 0);
    expect(of.resultWidth).toBe(80);
    of.status('x'.repeat(100));
    expect(error()).toContain('x'.repeat(79));
  });

  it('is not needed: a file gets results as they are, and messages as text', () => {
    const { of, out, error } = terminal(false);
    of.result(hostile);
    of.notice(hostile);
    expect(out()).toBe(hostile);
    expect(error()).toBe(`${shown}\n`);
  });

  it('of GitHub Actions gets no commands from names and messages', () => {
    vi.stubEnv('GITHUB_ACTIONS', 'true');
    const { of, out, error } = terminal(false);
    of.result('name\n  ::error file=a::b\n{"text":"##[group]c"}\na::b\n');
    of.notice('::set-output name=a::b');
    vi.unstubAllEnvs();
    expect(out()).toBe('name\n  \\u003a:error file=a::b\n{"text":"#\\u0023[group]c"}\na::b\n');
    expect(error()).toBe('\\u003a:set-output name=a::b\n');
  });

  it('gets names in errors as text', async () => {
    const { stderr } = await benchCli(['run', `./${hostile}`]);
    expect(stderr).toContain('owned');
    expect(stderr).not.toMatch(/(?!\n)\p{Cc}|\u202e/u);
  });
});
