import { chmod, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Benchmarker,
  defineBenchmarker,
  LoadError,
  type LoadErrorKind,
  type ToolReport,
} from '../src/index.ts';
import { FakeTool } from './fake-tool.ts';
import { answering, RawServer } from './raw-server.ts';

let server: RawServer;
beforeAll(async () => {
  server = await RawServer.start(answering((socket) => socket.end('HTTP/1.1 204 No Content\r\n\r\n')));
});
afterAll(() => server[Symbol.asyncDispose]());

const good = '{"requests": 100, "durationSeconds": 0.5}';

describe.concurrent('a tool that', () => {
  it('does its work gives a rate, with its name, version and command line', async () => {
    await using tool = await FakeTool.create(`echo '${good}'`);
    const result = await tool.benchmarker().run({ port: server.port });
    const command = [tool.path, '--url', `http://127.0.0.1:${server.port}/`];
    expect(result).toMatchObject({
      benchmarker: 'fake',
      version: '2.0.0',
      rate: 200,
      requests: 100,
      command,
    });
  });

  it.each<[what: string, script: string, kind: LoadErrorKind, message: string | RegExp]>([
    ['exits with a code', 'echo oops >&2; exit 3', 'exit', 'exited with code 3'],
    ['exits with a code after a good result', `echo '${good}'; exit 1`, 'exit', 'exited with code 1'],
    ['is killed', 'kill -KILL $$', 'signal', 'was killed by SIGKILL'],
    ['crashes', 'kill -SEGV $$', 'signal', 'was killed by SIGSEGV'],
    ['prints nothing', ':', 'output', /unexpected.*(JSON|end)/],
    ['prints garbage', 'head -c 300 /dev/urandom', 'output', 'unexpected'],
    ['prints half of its JSON', `echo '${good.slice(0, 20)}'`, 'output', 'unexpected'],
    ['prints JSON that is no result', 'echo \'{"hello": "world"}\'', 'output', /requests/],
    ['prints null', 'echo null', 'output', 'unexpected'],
    ['counts requests in words', 'echo \'{"requests": "many", "durationSeconds": 1}\'', 'output', /requests/],
    [
      'counts fewer than no requests',
      'echo \'{"requests": -1, "durationSeconds": 1}\'',
      'output',
      /requests/,
    ],
    ['counts half a request', 'echo \'{"requests": 1.5, "durationSeconds": 1}\'', 'output', /requests/],
    ['took no time at all', 'echo \'{"requests": 1, "durationSeconds": 0}\'', 'output', /durationSeconds/],
    ['took forever', 'echo \'{"requests": 1, "durationSeconds": 1e999}\'', 'output', /durationSeconds/],
    [
      'saw more bad answers than answers',
      'echo \'{"requests": 1, "durationSeconds": 1, "non2xx": 2}\'',
      'output',
      /of 1 answers, 2 cannot/,
    ],
    [
      'has a figure that is no latency',
      'echo \'{"requests": 1, "durationSeconds": 1, "latency": {"p50Ms": "NaN"}}\'',
      'output',
      /latency.p50Ms/,
    ],
    ['made no request', 'echo \'{"requests": 0, "durationSeconds": 1}\'', 'failures', 'no successful answer'],
    [
      'saw one connection fail',
      'echo \'{"requests": 99, "durationSeconds": 1, "connectErrors": 1}\'',
      'failures',
      '1 connect error; 99 complete answers, 99 of them 2xx',
    ],
    [
      'saw failures of all kinds',
      'echo \'{"requests": 9, "durationSeconds": 1, "connectErrors": 1, "readErrors": 2, "writeErrors": 3, "timeouts": 4, "non2xx": 5, "status": {"5xx": 5}}\'',
      'failures',
      '1 connect error, 2 read errors, 3 write errors, 4 timeouts, 5 answers outside 2xx (5xx: 5); 9 complete answers, 4 of them 2xx',
    ],
    ['hangs', 'exec sleep 600', 'timeout', 'still ran after 1 s and was killed'],
    ['hangs and ignores signals', `trap '' TERM INT HUP; while :; do sleep 1; done`, 'timeout', 'was killed'],
    ['hangs in a process of its own', 'sleep 600 & echo $! > "$DIR/$!.pid"; wait', 'timeout', 'was killed'],
    ['prints a flood', 'exec yes flood', 'output', 'printed more than 1048576 characters'],
    ['prints a flood of errors', 'exec yes flood >&2', 'output', 'printed more than 1048576 characters'],
  ])('%s gives no rate, and leaves nothing behind', async (_, script, kind, message) => {
    await using tool = await FakeTool.create(script);
    const error = await errorOf(tool.benchmarker());
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(message);
    expect(error.message).toContain('fake ');
    expect(error.message).toContain(`command: ${tool.path} --url http://127.0.0.1:${server.port}/`);
    expect(error.message).toContain('output: ');
    expect(await tool.running()).toEqual([]);
  });

  it('leaves a process behind that holds its output open is not waited for, and that process ends', async () => {
    await using tool = await FakeTool.create(`sleep 600 & echo $! > "$DIR/$!.pid"; echo '${good}'`);
    await tool
      .benchmarker({ marginSeconds: 60 })
      .run({ port: server.port })
      .catch(() => {});
    expect(await tool.running()).toEqual([]);
  });

  it('failed is told with the end of what it printed, not with all of it', async () => {
    await using tool = await FakeTool.create('yes x | head -c 100000; echo the end; exit 1');
    const error = await errorOf(tool.benchmarker());
    expect(error.output).toMatch(/the end$/);
    expect(error.message.length).toBeLessThan(10_000);
  });

  it.each([
    [
      'is too old',
      'echo fake 1.4.9',
      'too old',
      /too old: .*fake is 1\.4\.9, and it takes 1\.5\.0 or later; get a newer/,
    ],
    ['tells no version', 'echo hello', 'broken', /does not tell its version; it said: hello/],
    [
      'cannot tell its version',
      'echo broken lib >&2; exit 127',
      'broken',
      /does not tell its version; it said: broken lib/,
    ],
  ])('%s is unavailable', async (_, version, reason, message) => {
    await using tool = await FakeTool.create(`echo '${good}'`, version);
    const benchmarker = tool.benchmarker();
    expect(await benchmarker.available()).toMatchObject({ available: false, reason });
    const error = await errorOf(benchmarker);
    expect(error.kind).toBe('unavailable');
    expect(error.message).toMatch(message);
  });

  it('is not executable is unavailable', async () => {
    await using tool = await FakeTool.create('');
    await chmod(tool.path, 0o644);
    expect(await tool.benchmarker().available()).toMatchObject({
      available: false,
      reason: 'not executable',
    });
  });

  it('is not installed is unavailable, and the message says how to install it', async () => {
    const missing = defineBenchmarker({
      name: 'missing',
      protocols: ['http'],
      tool: { program: 'no-such-load-tool', install: 'Debian: apt-get install it' },
      argumentsFor: () => [],
      parse: (): ToolReport => expect.fail('was started'),
    });
    const error = await errorOf(missing);
    expect(error.kind).toBe('unavailable');
    expect(error.message).toBe(
      'missing is not installed: no no-such-load-tool on the PATH; Debian: apt-get install it',
    );
  });
});

describe.concurrent('a warm-up', () => {
  /** Does something else when it is called first. */
  const tool = (first: string) =>
    FakeTool.create(`if [ ! -e "$DIR/warm" ]; then touch "$DIR/warm"; ${first}; exit; fi\necho '${good}'`);
  const load = { warmUpSeconds: 0.25, durationSeconds: 0.5 };

  it('comes first, is as long as asked for, and its figures are not those of the result', async () => {
    await using warm = await tool(`echo '{"requests": 1, "durationSeconds": 7}'; echo "$2" > "$DIR/seconds"`);
    const benchmarker = warm.benchmarker({
      argumentsFor: ({ amount }) => ['--seconds', amount.kind === 'time' ? String(amount.seconds) : ''],
    });
    const result = await benchmarker.run({ ...load, port: server.port });
    expect(result).toMatchObject({ requests: 100, rate: 200, command: [warm.path, '--seconds', '0.5'] });
    expect(await readFile(join(warm.directory, 'seconds'), 'utf8')).toBe('0.25\n');
  });

  it('whose requests fail leaves no rate', async () => {
    await using warm = await tool(`echo '{"requests": 9, "durationSeconds": 1, "readErrors": 1}'`);
    const run = warm.benchmarker().run({ ...load, port: server.port });
    await expect(run).rejects.toThrow('1 read error; 9 complete answers');
  });
});

describe('files for a tool', () => {
  it('are there while it runs, and gone afterwards', async () => {
    await using tool = await FakeTool.create('cat "$2"');
    const benchmarker = tool.benchmarker({
      argumentsFor: async (_, files) => ['--file', await files.write('report.json', good)],
    });
    const { command } = await benchmarker.run({ port: server.port });
    const directory = command[2]?.split('/').at(-2);
    expect(directory).toMatch(/^bench-cli-load-/);
    expect(await readdir(tmpdir())).not.toContain(directory);
  });
});

async function errorOf(benchmarker: Benchmarker): Promise<LoadError> {
  const thrown = await benchmarker.run({ port: server.port, durationSeconds: 1 }).then(
    ({ rate }) => expect.fail(`gave a rate of ${rate}`),
    (error: unknown) => error,
  );
  if (!(thrown instanceof LoadError)) throw thrown;
  expect(thrown.benchmarker).toBe(benchmarker.name);
  return thrown;
}
