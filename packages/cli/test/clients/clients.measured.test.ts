import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { benchCli, startBenchCli } from '../../../../test/support/command.ts';
import { usageError } from '../../../../test/support/error-with.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';
import { sharedSuite } from '../../../../test/support/until-end.ts';

const files = sharedSuite({});
const { directory: cwd } = files;

/** A server on a free port, once it is ready. */
async function startServer(...args: string[]) {
  const command = startBenchCli(['http', 'server', ...args], { env: { WORKERS: '1', TIMEOUT: '10' } });
  const ended = command.then(({ stderr }) => expect.fail(stderr));
  const [ready] = await Promise.race([once(createInterface({ input: command.stdout }), 'line'), ended]);
  return { command, ready: String(ready) };
}

/** Process ids below a process, all generations. */
function descendants(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const own = children === '' ? [] : children.split(' ').map(Number);
  return [...own, ...own.flatMap(descendants)];
}

/** Resolves when processes are gone, within the time limit of the test. */
async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some((pid) => existsSync(`/proc/${pid}`) && !/^State:\s+Z/m.test(statusOf(pid)))) {
    await delay(10);
  }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return 'State: Z';
  }
}

describe.concurrent('the two commands', () => {
  it('measure each other, and the server says how many requests its workers answered', async () => {
    const { command, ready } = await startServer('--port', '0');
    const [, port = ''] =
      /^ready: http:\/\/127\.0\.0\.1:(\d+) by HTTP\/1\.1 \(1 worker, 10 ms delay\)$/.exec(ready) ?? [];
    const words = ['http', 'clients', '--format', 'csv', 'http - keepalive', 'undici - request'];
    const clients = await benchCli(words, { env: { PORT: port, SAMPLES: '1', PARALLEL: '5' }, cwd });
    const processes = descendants(command.pid ?? 0);
    command.kill('SIGTERM');
    const { exitCode, stderr } = await command;
    await gone(processes);
    expect(clients.stderr).not.toContain('failed');
    expect(clients.exitCode).toBe(0);
    const [header, ...rows] = clients.stdout.trimEnd().split('\n');
    expect(header?.split(',')[1]).toBe('"subject"');
    expect(rows.map((row) => row.split(',')[1]).sort()).toEqual(['"http - keepalive"', '"undici - request"']);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/^worker \d+ answered \d+ requests$/m);
    expect(stderr).not.toContain('warning');
  });

  it('the server at 0.0.0.0 warns that other machines can reach it', async () => {
    const { command } = await startServer('--port', '0', '--host', '0.0.0.0');
    command.kill('SIGTERM');
    expect((await command).stderr).toMatch(/^warning: .* 0\.0\.0\.0\b/m);
  });

  it.each(['SIGINT', 'SIGQUIT', 'SIGKILL'] as const)(
    'the server leaves no process and no socket on %s',
    async (signal) => {
      const socket = files.path(`${signal}.sock`);
      const { command } = await startServer('--socket', socket);
      const processes = descendants(command.pid ?? 0);
      expect(processes.length).toBe(1);
      expect(existsSync(socket)).toBe(true);
      command.kill(signal);
      await command;
      await gone(processes);
      expect(existsSync(socket)).toBe(false);
    },
  );

  it.each(['SIGINT', 'SIGKILL'] as const)('the comparison leaves no process on %s', async (signal) => {
    using project = temporarySuite({
      'bench-cli.config.mjs': `import { writeFileSync } from 'node:fs';
       export default { clients: [{ name: 'stuck', connect: () => ({
         request: () => { writeFileSync(import.meta.dirname + '/started', ''); for (;;); },
       }) }] };`,
    });
    const options = { env: { WORKERS: '1' }, cwd: project.directory };
    const command = startBenchCli(['http', 'clients', 'stuck'], options);
    while (!existsSync(project.path('started'))) await delay(10);
    const processes = descendants(command.pid ?? 0);
    command.kill(signal);
    const { exitCode } = await command;
    if (signal === 'SIGINT') expect(exitCode).toBe(130);
    await gone(processes);
  });
});

describe('one command', () => {
  it('starts a server, measures in rounds, records, and stops the server', async () => {
    const out = 'rounds.jsonl';
    const words = 'http clients --samples 2 --parallel 5 --format table --plot clients.svg --no-progress';
    const { stdout, stderr, exitCode } = await benchCli(
      [...words.split(' '), '--out', out, 'http - keepalive', 'fetch'],
      { cwd, env: { WORKERS: '1', TIMEOUT: '10' } },
    );
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    const titles = ['Tests', 'Samples', 'Result', 'Tolerance', '95 % interval', 'Difference with slowest'];
    const cells = stdout.split('\n').map((line) => line.split('│').map((cell) => cell.trim()));
    expect(cells[1]?.slice(1, 7)).toEqual(titles);
    const rows = [cells[3], cells[5]];
    expect(rows.map((row) => row?.[1]).sort()).toEqual(['fetch', 'http - keepalive']);
    expect(rows.map((row) => row?.[2])).toEqual(['2', '2']);
    expect(readFileSync(files.path('clients.svg'), 'utf8')).toMatch(/^<svg[\s\S]*>http - keepalive</);
    const again = await benchCli(['http', 'clients', '--resume', out, '--format', 'table'], { cwd });
    expect(again.stdout.split('\n').slice(-3)).toEqual(stdout.split('\n').slice(-3));
    const alone = ['http', 'clients', 'fetch', '--parallel', '5', '--format', 'markdown'];
    const { stdout: markdown } = await benchCli(alone, { cwd, env: { WORKERS: '1' } });
    expect(markdown).toMatch(/^\*\*http-clients\.js\*\*\n\n\| {2}\| Ops\/s \|/);
    const page = await benchCli(['analyze', out, '--html', 'clients.html'], { cwd });
    expect(page).toMatchObject({ exitCode: 0, stdout: expect.not.stringMatching(/ old | new /) });
    const { stdout: csv } = await benchCli(['analyze', out, '--format', 'csv'], { cwd });
    expect(csv).toMatch(/^"old","http - keepalive",/m);
    const text = readFileSync(files.path('clients.html'), 'utf8');
    expect(text).toContain('bench-cli http clients');
    expect(text).not.toContain('BENCH_CLI_CLIENT');
  });

  it('exits with 1 if a client fails, which has no rank, and shows the others', async () => {
    using project = temporarySuite({
      'bench-cli.config.mjs': `import { existsSync, writeFileSync } from 'node:fs';
       import { get } from 'node:http';
       // Its first run is honest.
       const later = import.meta.dirname + '/later';
       const isLate = existsSync(later);
       export default { clients: [{
         name: 'broken later',
         connect: ({ url }) => ({
           request: (answer) => isLate ? answer.status(500) : new Promise((resolve, reject) => {
             get(url, (response) => answer.read(response.statusCode, response).then(resolve, reject));
           }),
           close: () => writeFileSync(later, ''),
         }),
       }] };`,
    });
    const words = 'http clients --samples 2 --parallel 5 --format table fetch'.split(' ');
    const options = { cwd: project.directory, env: { WORKERS: '1', TIMEOUT: '10' } };
    const { stdout, stderr, exitCode } = await benchCli([...words, 'broken later'], options);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/│ broken later │ +0 │ +failed │ +- │/);
    expect(stdout).toMatch(/│ fetch +│ +2 │ +[\d.]+ req\/sec │/);
    expect(stdout).toMatch(/^broken later .*round 2 .*no rank\.$/m);
    const failure = /request 1 of 5 .* 500 .* 200 \[ERR_BENCH_CLIENT_ANSWER\]/g;
    expect(`${stdout}${stderr}`.match(failure)).toHaveLength(1);
  });
});

describe('wrong usage exits with 2 and names the value', () => {
  it.each<[command: string, env: Record<string, string>, code: string, names: string[]]>([
    ['http clients --port 1', {}, 'SERVER_UNREACHABLE', ['http://127.0.0.1:1', 'bench-cli http server']],
    ['http clients curl', {}, 'UNKNOWN_CLIENT', ['"curl"', '"http - no keepalive"']],
    ['http clients', { SAMPLES: 'x' }, 'OPTION', ['SAMPLES', 'auto', '"x"']],
    ['http clients --protocol ftp', {}, 'USAGE', ["'ftp'", 'http, https, http2, h2c']],
    ['http clients --plot a.pdf', {}, 'OPTION', ['a.pdf', '.svg', '.png']],
    ['http clients --format xml', {}, 'USAGE', ["'xml'", 'table, markdown, csv, json']],
    ['http server', { PORT: '99999' }, 'OPTION', ['PORT', '65535', '"99999"']],
  ])('%s %j', async (command, env, code, names) => {
    expect(await benchCli(command.split(' '), { env })).toEqual(usageError(code, ...names));
  });
});
