import { chmod, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmarker, defineBenchmarker, LoadError, type ToolReport } from '@bench-cli/benchmarkers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { figuresOf } from '../src/load-result.ts';
import { FakeTool } from './fake-tool.ts';
import { answering, type RawServer, startRawServer } from './raw-server.ts';

let server: RawServer;
beforeAll(async () => {
  server = await startRawServer(answering((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
});
afterAll(() => server[Symbol.asyncDispose]());

const good = '{"requests": 100, "durationSeconds": 0.5}';
const report = (json: string) => `echo '${json}'`;

describe.concurrent('a tool that', () => {
  it('prints a result yields a rate, with its name, version and command line', async () => {
    await using tool = await FakeTool.create(`echo '${good}'`);
    const result = await tool.benchmarker().run({ port: server.port });
    const command = [tool.path, '--url', `http://127.0.0.1:${server.port}/`];
    const figures = { benchmarker: 'fake', version: '2.0.0', rate: 200, requests: 100 };
    expect(result).toMatchObject({ ...figures, command });
  });

  it.each<[what: string, script: string, code: string, named: string | RegExp]>([
    ['exits with a code', 'echo oops >&2; exit 3', 'EXIT', 'code 3'],
    ['exits with a code after a good result', `echo '${good}'; exit 1`, 'EXIT', 'code 1'],
    ['is killed', 'kill -KILL $$', 'SIGNAL', 'SIGKILL'],
    ['crashes', 'kill -SEGV $$', 'SIGNAL', 'SIGSEGV'],
    ['prints nothing', ':', 'OUTPUT', /JSON|end/],
    ['prints garbage', 'head -c 300 /dev/urandom', 'OUTPUT', 'JSON'],
    ['prints half of its JSON', `echo '${good.slice(0, 20)}'`, 'OUTPUT', 'JSON'],
    ['prints JSON that is not a result', 'echo \'{"hello": "world"}\'', 'OUTPUT', /requests/],
    ['prints null', 'echo null', 'OUTPUT', 'null'],
    ['reports no request', report('{"requests": 0, "durationSeconds": 1}'), 'FAILURES', 'no answer'],
    [
      'reports one failed connection',
      report('{"requests": 99, "durationSeconds": 1, "connectErrors": 1}'),
      'FAILURES',
      /\b1 connect.* 99 .* 99 of them right/,
    ],
    [
      'reports failures of all kinds',
      report(
        '{"requests": 9, "durationSeconds": 1, "connectErrors": 1, "readErrors": 2, "writeErrors": 3, "timeouts": 4, "non2xx": 5, "status": {"5xx": 5}}',
      ),
      'FAILURES',
      /\b1 connect.* 2 read.* 3 write.* 4 timeouts.* 5 .*\(5xx: 5\).* 9 .* 4 of them right/,
    ],
    ['hangs', 'exec sleep 600', 'TIMEOUT', '1 s'],
    ['hangs and ignores signals', `trap '' TERM INT HUP; while :; do sleep 1; done`, 'TIMEOUT', '1 s'],
    ['hangs in a child process', 'sleep 600 & echo $! > "$DIR/$!.pid"; wait', 'TIMEOUT', '1 s'],
    ['prints a flood', 'exec yes flood', 'OUTPUT', '1048576'],
    ['prints a flood of errors', 'exec yes flood >&2', 'OUTPUT', '1048576'],
  ])('%s yields no rate and leaves no process', async (_, script, code, named) => {
    await using tool = await FakeTool.create(script);
    const error = await errorOf(tool.benchmarker(code === 'TIMEOUT' ? { marginSeconds: 0 } : {}));
    expect(error.code).toBe(`ERR_BENCH_LOAD_${code}`);
    expect(error.message).toMatch(named);
    expect(error.message).toMatch(/^fake\b/);
    expect(error.message).toContain(`command: ${tool.path} --url http://127.0.0.1:${server.port}/`);
    expect(error.message).toContain('output: ');
    await expectNone(tool);
  });

  it('leaves a process that keeps its output open is not waited for, and the process is killed', async () => {
    await using tool = await FakeTool.create(`sleep 600 & echo $! > "$DIR/$!.pid"; echo '${good}'`);
    await tool
      .benchmarker()
      .run({ port: server.port })
      .catch(() => {});
    await expectNone(tool);
  });

  it('failed yields an error with the end of its output only', async () => {
    await using tool = await FakeTool.create('yes x | head -c 100000; echo the end; exit 1');
    const error = await errorOf(tool.benchmarker());
    expect(error.output).toMatch(/the end$/);
    expect(error.message.length).toBeLessThan(10_000);
  });

  it.each([
    ['is too old', 'echo fake 1.4.9', 'too old', /fake .*1\.4\.9.* 1\.5\.0 /],
    ['prints no version', 'echo hello', 'broken', /fake .*: hello$/],
    ['fails to print its version', 'echo broken lib >&2; exit 127', 'broken', /fake .*: broken lib$/],
  ])('%s is unavailable', async (_, version, reason, named) => {
    await using tool = await FakeTool.create(`echo '${good}'`, version);
    const benchmarker = tool.benchmarker();
    expect(await benchmarker.available()).toMatchObject({ available: false, reason });
    const error = await errorOf(benchmarker);
    expect(error.code).toBe('ERR_BENCH_LOAD_UNAVAILABLE');
    expect(error.message).toMatch(named);
  });

  it('is not executable is unavailable', async () => {
    await using tool = await FakeTool.create('');
    await chmod(tool.path, 0o644);
    const unavailable = { available: false, reason: 'not executable' };
    expect(await tool.benchmarker().available()).toMatchObject(unavailable);
  });

  it('is not installed is unavailable, with a message that says how to install it', async () => {
    const missing = defineBenchmarker({
      name: 'missing',
      protocols: ['http'],
      tool: { program: 'no-such-load-tool', install: 'Debian: apt-get install it' },
      argumentsFor: () => [],
      parse: (): ToolReport => expect.fail('the tool was started'),
    });
    const error = await errorOf(missing);
    expect(error.code).toBe('ERR_BENCH_LOAD_UNAVAILABLE');
    expect(error.message).toMatch(/^missing .*no-such-load-tool .*Debian: apt-get install it$/);
  });
});

it('what a tool prints at its end is read by a process that other work keeps busy', async () => {
  await using tool = await FakeTool.create(`(sleep 1; echo '${good}') &`);
  const clock = new Int32Array(new SharedArrayBuffer(4));
  const busy = setInterval(() => Atomics.wait(clock, 0, 0, 100), 0);
  const run = tool.benchmarker().run({ port: server.port });
  expect(await run.finally(() => clearInterval(busy))).toMatchObject({ rate: 200 });
});

describe.concurrent('a warm-up', () => {
  /** Runs another script at its first call. */
  const tool = (first: string) =>
    FakeTool.create(`if [ ! -e "$DIR/warm" ]; then touch "$DIR/warm"; ${first}; exit; fi\necho '${good}'`);
  const load = { warmUpSeconds: 0.25, durationSeconds: 0.5 };

  it('precedes the load, has its own duration, and does not contribute to the result', async () => {
    await using warm = await tool(`echo '{"requests": 1, "durationSeconds": 7}'; echo "$2" > "$DIR/seconds"`);
    const benchmarker = warm.benchmarker({
      argumentsFor: ({ amount }) => ['--seconds', amount.kind === 'time' ? String(amount.seconds) : ''],
    });
    const result = await benchmarker.run({ ...load, port: server.port });
    expect(result).toMatchObject({ requests: 100, rate: 200, command: [warm.path, '--seconds', '0.5'] });
    expect(await readFile(join(warm.directory, 'seconds'), 'utf8')).toBe('0.25\n');
  });

  it('with failed requests yields no rate', async () => {
    await using warm = await tool(`echo '{"requests": 9, "durationSeconds": 1, "readErrors": 1}'`);
    const run = warm.benchmarker().run({ ...load, port: server.port });
    const failures = { requests: 9, readErrors: 1 };
    await expect(run).rejects.toMatchObject({ code: 'ERR_BENCH_LOAD_FAILURES', failures });
  });
});

it('files for a tool exist while it runs, and are removed afterwards', async () => {
  await using tool = await FakeTool.create('cat "$2"');
  const benchmarker = tool.benchmarker({
    argumentsFor: async (_, files) => ['--file', await files.write('report.json', good)],
  });
  const { command } = await benchmarker.run({ port: server.port });
  const directory = command[2]?.split('/').at(-2);
  expect(directory).toMatch(/^bench-cli-load-/);
  expect(await readdir(tmpdir())).not.toContain(directory);
});

it.each<[report: object, named: RegExp]>([
  [{ requests: 'many' }, /requests/],
  [{ requests: -1 }, /requests/],
  [{ requests: 1.5 }, /requests/],
  [{ durationSeconds: 0 }, /durationSeconds/],
  [{ durationSeconds: Number.POSITIVE_INFINITY }, /durationSeconds/],
  [{ non2xx: 2 }, /2.* 1 /],
  [{ latency: { p50Ms: 'NaN' } }, /latency.p50Ms/],
])('a report with impossible figures is an error that names them: %j', (wrong, named) => {
  expect(() => figuresOf({ requests: 1, durationSeconds: 1, ...wrong })).toThrow(named);
});

/** A killed process needs a CPU to end. */
async function expectNone(tool: FakeTool): Promise<void> {
  await vi.waitFor(async () => expect(await tool.running()).toEqual([]), { timeout: 60_000 });
}

async function errorOf(benchmarker: Benchmarker): Promise<LoadError> {
  const thrown = await benchmarker.run({ port: server.port, durationSeconds: 1 }).then(
    ({ rate }) => expect.fail(`reported the rate ${rate}`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof LoadError)) throw thrown;
  expect(thrown.benchmarker).toBe(benchmarker.name);
  return thrown;
}
