import { chmodSync, existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gitRepository } from '../../test/support/git-repository.ts';
import { localRegistry } from '../../test/support/registry.ts';
import { benchmark, privateCache, temporarySuite } from '../../test/support/suite.ts';
import { command, expectExit, expectNoProcess } from './command.ts';
import type { Random } from './random.ts';
import { Tallies, type Tally } from './tally.ts';

const prototypeNames = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'] as const;
const formats = ['rates', 'markdown', 'csv', 'json', 'table'];

type Variables = Readonly<Record<string, string>>;

/** Variables by which git takes configuration, programs or another repository. */
const gitVariables = (program: string): readonly [Variables, ...Variables[]] => [
  { GIT_CONFIG_PARAMETERS: `'core.fsmonitor'='${program}' 'diff.external'='${program}'` },
  { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: program },
  { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'diff.external', GIT_CONFIG_VALUE_0: program },
  { GIT_EXTERNAL_DIFF: program },
  { GIT_CONFIG: program, GIT_DIR: '/nowhere', GIT_WORK_TREE: '/nowhere', GIT_INDEX_FILE: '/nowhere' },
  { GIT_OBJECT_DIRECTORY: '/nowhere', GIT_NAMESPACE: 'other', GIT_ATTR_SOURCE: 'HEAD^{/none}' },
];

/** Answers that do not end, each of which is written again and again. */
const endless = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'x',
  `HTTP/1.1 200 OK\r\nContent-Length: 9007199254740991\r\n\r\n${'b'.repeat(65_536)}`,
  `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000\r\n${'b'.repeat(65_536)}\r\n`,
  'HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n',
  '',
] as const;

/** Attacks at the edges of trust: what others name, configure, answer, or never answer. */
const attacks: Readonly<Record<string, (tally: Tally, random: Random) => Promise<void>>> = {
  async 'names of Object.prototype'(tally, random) {
    const [name, value, subject] = prototypeNames.map(() => random.pick(prototypeNames));
    using suite = temporarySuite({
      [`g/${name}.js`]: benchmark(
        `{ ${JSON.stringify(name)}: ['${value}', 'b'], n: 1 }`,
        'bench.report(1, 1n);',
      ),
    });
    const out = suite.path('results.jsonl');
    const sides = ['--subject', `${subject}=node`, '--subject', 'b=node,env=A=1'];
    const words = ['--suite', suite.directory, '--runs', '6', '--out', out, '--set', `${name}=${value}`];
    const ended = await command(tally, ['compare', ...sides, ...words, `g/${name}.js`]);
    // Only `__proto__` is refused.
    const isRefused = [name, subject].includes('__proto__');
    if (ended.exitCode !== 0 && !isRefused)
      tally.add('wrong exit codes', `${words.join(' ')}: ${ended.stderr}`);
    if (!existsSync(out)) return;
    for (const format of formats) await command(tally, ['analyze', out, '--format', format]);
    await command(tally, ['analyze', out, '--html', suite.path('page.html'), '--group-by', String(name)]);
    await command(tally, ['explain', out]);
  },

  async 'variables of git'(tally, random) {
    using repository = gitRepository({ 'benchmarks/a.js': benchmark('{ n: 1 }', 'bench.report(1, 1n);') });
    const program = repository.path('.git/program');
    repository.write({ '.git/program': `#!/bin/sh\ntouch '${repository.path('.git/executed')}'\n` });
    chmodSync(program, 0o755);
    repository.write({ 'benchmarks/a.js': benchmark('{ n: 1 }', 'bench.report(2, 1n);') });
    const env = { ...random.pick(gitVariables(program)), BENCH_CLI_CACHE: privateCache(repository) };
    const words = [
      'compare',
      '--old',
      'git:HEAD',
      '--benchmarks-from',
      'subject',
      '--allow-same',
      '--dry-run',
    ];
    const told = JSON.stringify(env);
    expectExit(tally, await command(tally, words, { cwd: repository.directory, env }), undefined);
    if (existsSync(repository.path('.git/executed')))
      tally.add('wrong figures', `executed a program: ${told}`);
  },

  async 'registries of strangers'(tally, random) {
    await using stranger = await localRegistry('stranger', 'library', ['9.0.0']);
    await using own = await localRegistry('own', 'library', ['1.0.0']);
    const token = `${stranger.url.replace('http:', '')}:_authToken=\${TORTURE_SECRET}`;
    using suite = temporarySuite({
      '.npmrc': `registry=${stranger.url}\n${token}\n`,
      'home/.npmrc': `registry=${own.url}\n`,
      'a.js': benchmark('{ n: 1 }', 'bench.report(1, 1n);'),
    });
    const env = {
      ...{ npm_config_userconfig: suite.path('home/.npmrc'), npm_config_cache: suite.path('npm') },
      ...{ TORTURE_SECRET: 'secret', BENCH_CLI_CACHE: privateCache(suite) },
    };
    const old = random.pick(['node@20', 'bun@1', 'deno@2', 'npm:library@1', 'npm:library'] as const);
    await command(tally, ['compare', '--old', old, '--dry-run', 'a.js'], { cwd: suite.directory, env });
    const [asked, other] = old.startsWith('npm:') ? [stranger, own] : [own, stranger];
    if (asked.asked.length === 0 || other.asked.length > 0)
      tally.add('wrong figures', `${old} asked ${other.asked.join(', ') || 'nobody'}`);
  },

  async 'children that hang'(tally, random) {
    const mark = `torture-child-${process.pid}-${tally.attempts}`;
    const program = random.pick(['git', 'npm', 'flock', 'taskset', 'perf'] as const);
    using suite = temporarySuite({
      [`bin/${program}`]: `#!/bin/sh\n[ "$1" = --version ] && exit 0\nexec tail -f /dev/null --pid=${process.pid} # ${mark}\n`,
      'a.js': benchmark('{ n: 1 }', 'bench.report(1, 1n);'),
      'package.json': '{}',
    });
    chmodSync(suite.path(`bin/${program}`), 0o755);
    const words = {
      git: ['compare', '--old', 'git:HEAD', 'a.js'],
      npm: ['compare', '--old', 'npm:library@1', 'a.js'],
      flock: ['run', 'a.js', '--runs', '1'],
      taskset: ['run', 'a.js', '--runs', '1', '--cpu-set', '0'],
      perf: ['run', 'a.js', '--runs', '1', '--metric', 'instructions'],
    }[program];
    const env = { PATH: `${suite.path('bin')}:${process.env['PATH']}`, BENCH_CLI_CACHE: privateCache(suite) };
    const kill = { signal: 'SIGTERM', afterMs: 1000 + random.below(2000) } as const;
    const startedAt = performance.now();
    const ended = await command(tally, words, { cwd: suite.directory, env, kill });
    if (performance.now() - startedAt > 20_000) tally.add('hangs', `${program}: ${ended.stderr}`);
    await expectNoProcess(tally, suite.path(`bin/${program}`), suite.directory);
  },

  async 'endless answers'(tally, random) {
    const answer = random.pick(endless);
    const server = createServer((socket) => {
      const write = () => {
        while (answer !== '' && !socket.destroyed && socket.write(answer));
      };
      socket.on('error', () => {});
      socket.on('data', write).on('drain', write);
    }).listen(0, '127.0.0.1');
    while (server.address() === null) await sleep(1);
    const { port } = Object(server.address());
    try {
      const startedAt = performance.now();
      const env = { HOST: '127.0.0.1', PORT: String(port) };
      const { exitCode, stderr } = await command(tally, ['http', 'clients', 'fetch', '--timeout', '5s'], {
        env,
      });
      if (exitCode === 0 || stderr.includes('ERR_BENCH_USAGE'))
        tally.add('wrong exit codes', `${answer.slice(0, 60)}: ${stderr}`);
      if (performance.now() - startedAt > 60_000) tally.add('hangs', `${answer.slice(0, 60)}: ${stderr}`);
    } finally {
      server.close();
    }
  },
};

export async function edges(count: number, random: Random): Promise<readonly Tally[]> {
  const tallies = new Tallies('edges');
  const all = Object.entries(attacks);
  for (let attempt = 0; attempt < count; attempt++) {
    const [name, attack] = all[attempt % all.length] ?? [];
    if (name === undefined || attack === undefined) continue;
    const tally = tallies.of(name);
    tally.attempts++;
    await tally.guard(name, () => attack(tally, random));
  }
  return tallies.all;
}
