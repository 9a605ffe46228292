import { spawn } from 'node:child_process';
import crypto from 'node:crypto';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { coredumpFilterOf, visibleProcesses } from '@bench-cli/system';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isRunning, killRunning, mark } from '../../../test/support/processes.ts';
import { Supervisor } from '../dist/process/supervisor.js';

const supervisor = new Supervisor();
afterAll(() => supervisor.close());

const requestOf = (command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) =>
  ({ command, args, env, channel: 'pipe', timeoutMs: 0 }) as const;
const run = (command: string, args: readonly string[]) => supervisor.run(requestOf(command, args), undefined);

describe('a process', () => {
  it.each([
    ['of a missing program', '/nowhere/node', [], 'spawn /nowhere/node ENOENT'],
    ['with too many arguments', process.execPath, ['x'.repeat(4 << 20)], 'spawn E2BIG'],
    ['with an invalid argument', process.execPath, ['\0'], 'must be a string without null bytes'],
  ])('%s is not started, and the reason is reported', async (_, command, args, reason) => {
    const { failure, messages } = await run(command, args);
    const notStarted = { kind: 'not started', message: expect.stringContaining(command) };
    expect({ failure, messages }).toMatchObject({ failure: notStarted, messages: [] });
    expect(failure?.message).toContain(reason);
  });

  it.runIf(process.platform === 'linux')('leaves a stopped reaper, and the session ends', async () => {
    const own = new Supervisor();
    const script = `kill -STOP $(pgrep -P $PPID -f '[b]ench-cli .*${own.directory}')`;
    await own.run(requestOf('sh', ['-c', script], {}), undefined);
    expect(await own.close()).toBeUndefined();
  });

  it('fails by its exit code, whatever it sent before', async () => {
    const script = `fs.writeSync(3, '{"type":"checks","checks":[]}\\n'); process.exit(7);`;
    const { failure, messages } = await run(process.execPath, ['-e', script]);
    expect(messages).toHaveLength(1);
    expect(failure).toMatchObject({ kind: 'exit', message: expect.stringContaining('code 7') });
  });

  it('may end itself by a signal when it has said that it leaves', async () => {
    const script = (message: string) =>
      `fs.writeSync(3, '${message}\\n'); console.log('done'); process.kill(process.pid, 'SIGKILL');`;
    const left = await run(process.execPath, ['-e', script('{"type":"left"}')]);
    expect([left.failure, left.printed()]).toEqual([undefined, 'done']);
    const killed = await run(process.execPath, ['-e', script('{"type":"checks","checks":[]}')]);
    expect(killed.failure).toMatchObject({ kind: 'signal', message: expect.stringContaining('SIGKILL') });
  });

  it.runIf(existsSync('/bin/sh'))('starts again if Ctrl-C ends it before its program begins', async () => {
    // Only soon after its start, whatever else the machine does.
    const now = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => now.mockRestore());
    const file = join(supervisor.directory, 'begun');
    // The first one ends at once, as if it had not left the group of the terminal.
    const script = `if [ -e ${file} ]; then echo again; else : > ${file}; kill -INT $$; fi`;
    const { failure, printed } = await run('/bin/sh', ['-c', script]);
    expect({ failure, printed: printed() }).toEqual({ failure: undefined, printed: 'again' });
    const { failure: own } = await run('/bin/sh', ['-c', 'kill -INT $$']);
    expect(own).toMatchObject({ kind: 'signal', message: expect.stringContaining('SIGINT') });
  });

  it('is killed when its signal aborts immediately', async () => {
    const stop = new AbortController();
    const request = requestOf(process.execPath, ['-e', 'setTimeout(() => {}, 1e6)']);
    const ended = supervisor.run(request, stop.signal);
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

describe('messages that are too long or too many', () => {
  const node = (script: string) =>
    run(process.execPath, [
      '-e',
      `const send = (text) => { for (let at = 0; at < text.length; ) at += fs.writeSync(3, text.slice(at)); }; ${script}`,
    ]);

  it('are cut if they are the text of an error', async () => {
    const { failure } = await node(
      `send(JSON.stringify({ type: 'error', message: 'x'.repeat(4e6), place: 'y'.repeat(4e6) }) + '\\n');`,
    );
    expect(failure?.message).toMatch(/^x{4000}\.\.\. \(3996000 more characters\)$/);
    expect(failure?.place?.length).toBeLessThan(5000);
  });

  it.each([
    ['a line without end', `send('x'.repeat(1 << 20).repeat(40));`, '33554432 bytes'],
    ['many messages', `for (;;) send('{"type":"checks","checks":[]}\\n'.repeat(1e4));`, '100000 messages'],
    [
      'many long messages',
      `for (;;) send(JSON.stringify({ type: 'unplannable', reason: 'x'.repeat(1e6) }) + '\\n');`,
      '67108864 bytes',
    ],
  ])('end the process: %s', async (_, script, value) => {
    const { failure } = await node(script);
    expect(failure).toMatchObject({ kind: 'bad message', message: expect.stringContaining(value) });
  });
});

it.runIf(process.platform === 'linux')('sessions at the same time have different marks', async () => {
  const before = new Set(visibleProcesses().ids);
  // Each would draw the same mark.
  vi.spyOn(crypto, 'randomInt').mockImplementation(() => 0);
  syncBuiltinESMExports();
  const sessions = Array.from({ length: 3 }, () => new Supervisor());
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  const { ids, statusOf } = visibleProcesses();
  const reapers = ids.filter((pid) => !before.has(pid) && statusOf(pid)?.parent === process.pid);
  const filters = new Set(reapers.map(coredumpFilterOf));
  for (const session of sessions) await session.close();
  expect(filters.size).toBe(3);
  expect(filters).not.toContain(coredumpFilterOf(process.pid));
});

describe.runIf(process.platform === 'linux')('a process that is left after a run', () => {
  const node = (script: string) => run(process.execPath, ['-e', script]);
  const spawned = (command: string, args: readonly string[], options: string) =>
    `require('node:child_process').spawn('${command}', ${JSON.stringify(args)}, { stdio: 'ignore', detached: true, ${options} }).unref()`;

  it.each([
    ['in a session of its own', mark(86410), spawned('sleep', [mark(86410)], '')],
    ['with an empty environment', mark(86411), spawned('env', ['-i', 'setsid', 'sleep', mark(86411)], '')],
    [
      'with an environment of its own, behind a shell that has ended',
      mark(86412),
      spawned(
        'sh',
        ['-c', `setsid sleep ${mark(86412)} & setsid sleep ${mark(86412)} &`],
        "env: { PATH: '/usr/bin:/bin' }",
      ),
    ],
  ])('%s is killed, and the run fails with its name', async (_, marker, script) => {
    const { failure } = await node(script);
    expect(failure).toMatchObject({ kind: 'left processes', message: expect.stringContaining('sleep') });
    await expect.poll(() => isRunning(`sleep ${marker}`)).toBe(false);
  });

  it('is killed with all that it starts while it is being killed', async () => {
    // Each process starts the next one and ends, 50 times, so that there is never more than one; the last one stays.
    const chain = `if [ "$1" -gt 0 ]; then setsid sh -c "$0" "$0" $(($1 - 1)) & else exec sleep ${mark(86413)}; fi`;
    const { failure } = await node(spawned('sh', ['-c', chain, chain, '50'], ''));
    expect(failure).toMatchObject({ kind: 'left processes' });
    await expect.poll(() => isRunning(`sleep ${mark(86413)}`)).toBe(false);
  });

  it('of another session is left alone', async () => {
    const other = spawn('sleep', [mark(86414)], { env: {}, detached: true, stdio: 'ignore' });
    onTestFinished(() => void other.kill());
    const another = new Supervisor();
    const stop = new AbortController();
    const script = `${spawned('sleep', [mark(86415)], 'env: {}')}; setTimeout(() => {}, 1e6)`;
    const held = another.run(requestOf(process.execPath, ['-e', script]), stop.signal);
    await expect.poll(() => isRunning(`sleep ${mark(86415)}`)).toBe(true);
    await node('');
    expect([isRunning(`sleep ${mark(86414)}`), isRunning(`sleep ${mark(86415)}`)]).toEqual([true, true]);
    stop.abort(new Error('enough'));
    await expect(held).rejects.toThrow('enough');
    await expect.poll(() => isRunning(`sleep ${mark(86415)}`)).toBe(false);
    await another.close();
    expect(isRunning(`sleep ${mark(86414)}`)).toBe(true);
  });
});

describe.runIf(process.platform === 'linux')('the end of a session', () => {
  const leave = `require('node:child_process').spawn('sleep', ['${mark(86409)}'], { stdio: 'ignore', detached: true }).unref()`;

  it.each([
    ['', () => {}],
    [', even without its reaper', killRunning],
  ])('leaves neither a process nor a file%s', async (_, disturb) => {
    const session = new Supervisor();
    const { failure } = await session.run(requestOf(process.execPath, ['-e', leave]), undefined);
    expect(failure?.kind).toBe('left processes');
    disturb(session.directory);
    await session.close();
    expect(existsSync(session.directory)).toBe(false);
    await expect.poll(() => isRunning(`sleep ${mark(86409)}`)).toBe(false);
  });
});
