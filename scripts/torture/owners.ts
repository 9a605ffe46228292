import { execFileSync } from 'node:child_process';
import { chmodSync, lchownSync, lstatSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { benchmark, temporarySuite } from '../../test/support/suite.ts';
import { asUser, command, giveTo, works } from './command.ts';
import type { Random } from './random.ts';
import { Tallies, type Tally } from './tally.ts';

/** Root and a user use bench-cli. A third one attacks both, and so does the user attack root. */
const user = 61_234;
const users: readonly [number, ...number[]] = [0, user, 61_235];
const others: readonly [number, ...number[]] = [...users, 61_236];

/** Files that are executed, or decide what is executed, each with the words of a command that uses it. */
const targets = {
  config: ['bench-cli.config.mjs', 'run', '--dry-run', 'a.js'],
  import: ['lib/help.mjs', 'run', '--dry-run', 'a.js'],
  results: ['lib/results.jsonl', 'run', '--resume', 'lib/results.jsonl'],
  history: ['lib/history.jsonl', 'history', '--file', 'lib/history.jsonl'],
} as const;

/**
 * Gives files, their directories and targets of links random owners, groups and modes, and tries as another user to change them. Where
 * one can, the command must refuse the file, and where nobody else can, it must not.
 */
export async function owners(count: number, random: Random): Promise<readonly Tally[]> {
  const tallies = new Tallies('files of others');
  const canSwitch = works('setpriv', `--reuid=${user}`, 'true');
  for (let attempt = 0; attempt < count; attempt++) {
    for (const [name, [file, ...words]] of Object.entries(targets)) {
      const tally = tallies.of(name);
      if (canSwitch) await tally.guard(name, () => use(`project/${file}`, words, tally, random));
      else tally.skip('programs cannot be started as other users');
    }
  }
  return tallies.all;
}

async function use(file: string, words: readonly string[], tally: Tally, random: Random): Promise<void> {
  tally.attempts++;
  const own = random.pick([0, user]);
  using suite = temporarySuite({
    'project/a.js': benchmark('{ n: 1 }', 'bench.report(1, 1n);'),
    'project/bench-cli.config.mjs': `import './lib/help.mjs'; export default {};`,
    ...{ 'project/lib/help.mjs': '', 'project/lib/history.jsonl': '' },
    'elsewhere/.keep': '',
  });
  chmodSync(suite.directory, 0o755);
  mkdirSync(suite.path('cache'), 0o700);
  giveTo(own, suite.directory);
  const starter = own === 0 ? [] : asUser(own);
  const options = { cwd: suite.path('project'), starter, env: { BENCH_CLI_CACHE: suite.path('cache') } };
  if (file.endsWith('results.jsonl'))
    await command(tally, ['run', '--out', 'lib/results.jsonl', 'a.js'], options);
  const path = suite.path(file);
  const nodes = [path, ...(dirname(file) === 'project' ? [] : [dirname(path)]), suite.path('project')];
  if (random.below(3) === 0) {
    const target = suite.path(`elsewhere/${basename(file)}`);
    renameSync(path, target);
    symlinkSync(target, path);
    nodes.push(target, suite.path('elsewhere'));
  }
  for (let changes = 1 + random.below(2); changes > 0; changes--)
    change(nodes[random.below(nodes.length)] ?? path, random);
  const isWeak = users.some(
    (each) => each !== 0 && each !== own && nodes.some((node) => canChange(each, node)),
  );
  const isSafe = !isWeak && nodes.every((node) => isOwn(node, own));
  const { exitCode, stderr } = await command(tally, words, options);
  // A file that the user cannot write is not used either.
  const isUsed = exitCode !== 2 || !/\[ERR_BENCH_(?:UNTRUSTED|WRITE)\]/.test(stderr);
  const told = `${words[0]} as ${own}:\n${execFileSync('ls', ['-ldn', ...nodes])}\n${stderr}`;
  if (isWeak && isUsed) tally.add('wrong exit codes', `a file that others can change is used: ${told}`);
  if (isSafe && stderr.includes('[ERR_BENCH_UNTRUSTED]'))
    tally.add('wrong exit codes', `a safe file is refused: ${told}`);
}

/** Changes the owner and the group, or the mode. */
function change(node: string, random: Random): void {
  const stats = lstatSync(node);
  if (random.below(2) === 0) {
    lchownSync(node, random.pick(users), random.pick(others));
    return;
  }
  if (stats.isSymbolicLink()) return;
  const [least, ...most] = stats.isDirectory()
    ? ([0o755, 0o775, 0o757, 0o777, 0o1777] as const)
    : ([0o644, 0o664, 0o646, 0o666] as const);
  chmodSync(node, random.pick([least, ...most]));
}

/** What a user can do who has all groups but the private one of an owner: write a file, rename a file or directory, or change its mode. */
function canChange(attacker: number, node: string): boolean {
  const as = (owner: number, script: string) =>
    works(
      'setpriv',
      ...[
        `--reuid=${attacker}`,
        `--regid=${attacker}`,
        `--groups=${others.filter((group) => group !== owner)}`,
      ],
      ...['sh', '-c', script, 'sh', node],
    );
  return (
    as(lstatSync(node).uid, '[ -O "$1" ] || { [ -f "$1" ] && [ ! -L "$1" ] && [ -w "$1" ]; }') ||
    as(lstatSync(dirname(node)).uid, 'mv -T "$1" "$1.moved" && mv -T "$1.moved" "$1"')
  );
}

function isOwn(node: string, own: number): boolean {
  const { uid, gid, mode } = lstatSync(node);
  if (uid !== own && uid !== 0) return false;
  return (
    lstatSync(node).isSymbolicLink() ||
    (mode & 0o1000) !== 0 ||
    ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === uid))
  );
}
