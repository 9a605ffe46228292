import { existsSync } from 'node:fs';
import { execaSync } from 'execa';
import { afterAll, describe, expect, it } from 'vitest';
import { Supervisor } from '../dist/process/supervisor.js';

const supervisor = new Supervisor();
afterAll(() => supervisor.close());

function run(command: string, args: readonly string[]) {
  return supervisor.run({ command, args, env: process.env, channel: 'pipe', timeoutMs: 0 }, undefined);
}

describe('a process', () => {
  it.each([
    ['of a missing program', '/nowhere/node', [], 'spawn /nowhere/node ENOENT'],
    ['with too many arguments', process.execPath, ['x'.repeat(4 << 20)], 'spawn E2BIG'],
    ['with an invalid argument', process.execPath, ['\0'], 'must be a string without null bytes'],
  ])('%s is not started, and the reason is reported', async (_, command, args, reason) => {
    const { failure, messages } = await run(command, args);
    expect({ failure, messages }).toMatchObject({
      failure: { kind: 'not started', message: expect.stringContaining(command) },
      messages: [],
    });
    expect(failure?.message).toContain(reason);
  });

  it('is killed when its signal aborts immediately', async () => {
    const stop = new AbortController();
    const args = ['-e', 'setTimeout(() => {}, 1e6)'];
    const ended = supervisor.run(
      { command: process.execPath, args, env: process.env, channel: 'pipe', timeoutMs: 0 },
      stop.signal,
    );
    stop.abort(new Error('enough'));
    await expect(ended).rejects.toThrow('enough');
  });

  it('is read to the end of its messages and output', async () => {
    const lines = `for (let i = 0; i < 5000; i++) fs.writeSync(3, JSON.stringify({ type: 'unplannable', reason: 'x'.repeat(100) + i }) + '\\n');`;
    const { messages, printed, failure } = await run(process.execPath, [
      '-e',
      `${lines} process.stdout.write('y'.repeat(10_000)); process.stderr.write('the end');`,
    ]);
    expect(failure).toBeUndefined();
    expect(messages).toHaveLength(5000);
    expect(messages.at(-1)).toEqual({ type: 'unplannable', reason: `${'x'.repeat(100)}4999` });
    expect(printed()).toContain('y'.repeat(10_000));
    expect(printed()).toContain('the end');
  });
});

describe.runIf(process.platform === 'linux')('the end of a session', () => {
  const leave = `require('node:child_process').spawn('sleep', ['86409'], { stdio: 'ignore', detached: true }).unref()`;

  it.each([
    ['', () => {}],
    [', even without its reaper', (directory: string) => execaSync('pkill', ['-KILL', '-f', directory])],
  ])('leaves neither a process nor a file%s', async (_, disturb) => {
    const session = new Supervisor();
    const { failure } = await session.run(
      { command: process.execPath, args: ['-e', leave], env: process.env, channel: 'pipe', timeoutMs: 0 },
      undefined,
    );
    expect(failure).toBeUndefined();
    disturb(session.directory);
    await session.close();
    expect(existsSync(session.directory)).toBe(false);
    await expect.poll(() => execaSync('pgrep', ['-f', 'sleep 86409'], { reject: false }).exitCode).toBe(1);
  });
});
