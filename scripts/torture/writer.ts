import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { command, expectExit, randomKill } from './command.ts';
import { configurations, finishedSession, laterSession, quickSuite } from './finished-session.ts';
import type { Random } from './random.ts';
import type { Tally } from './tally.ts';

/** A command that writes one file. */
export interface Writer extends Disposable {
  readonly name: string;
  /** Its words, for a file of this name. */
  words(out: string): readonly string[];
  /** The content of the file before, which is written for each attempt; undefined if there is none. */
  readonly before: string | undefined;
  /** The content of the file after it. */
  readonly after: string;
  /** Whether a kill may leave a part of the content, which the next command completes. */
  readonly mayTear: boolean;
  /** A path beside its input. */
  readonly out: string;
}

interface WriterKind {
  readonly name: string;
  readonly create: (tally: Tally) => Promise<Writer>;
}

async function joining(tally: Tally): Promise<Writer> {
  const suite = quickSuite();
  const shard = (name: string) => {
    const options = ['run', '--shard', `${name}/2`];
    return finishedSession(tally, suite, `${name}.jsonl`, { options, rounds: 300 });
  };
  const shards = [await shard('1'), await shard('2')];
  return {
    ...{ name: 'analyze --out', before: undefined, mayTear: false, out: suite.path('all.jsonl') },
    words: (out) => ['analyze', ...shards, '--out', out],
    after: shards.map((path) => readFileSync(path, 'utf8')).join(''),
    [Symbol.dispose]: () => suite[Symbol.dispose](),
  };
}

/** A line of a history of this suite. */
function entryOf(suite: { path(name: string): string }, at: string): string {
  const text = /"text":"(x+)"/.exec(readFileSync(suite.path('results.jsonl'), 'utf8'))?.[1] ?? '';
  const cases = Array.from({ length: configurations }, (_, n) => ({
    ...{ benchmark: 'g/a.js', configuration: { text, n }, value: 1 + n, runs: 1 },
  }));
  return `${JSON.stringify({ format: 1, commit: 'c', at, machine: 'm', measure: 'rate', cases })}\n`;
}

async function history(tally: Tally): Promise<Writer> {
  const suite = quickSuite();
  const results = await finishedSession(tally, suite, 'results.jsonl');
  const days = Array.from({ length: 50 }, (_, day) => laterSession(results, suite.path('next.jsonl'), day));
  const lines = days.map((at) => entryOf(suite, at));
  const add = ['--commit', 'c', '--machine', 'm', suite.path('next.jsonl')];
  return {
    ...{ name: 'history', mayTear: true, out: suite.path('history.jsonl') },
    words: (out) => ['history', '--file', out, ...add],
    before: lines.slice(0, -1).join(''),
    after: lines.join(''),
    [Symbol.dispose]: () => suite[Symbol.dispose](),
  };
}

/** A page or a picture of results, which replaces that of others. */
function analysis(option: string, extension: string) {
  return async (tally: Tally): Promise<Writer> => {
    const suite = quickSuite();
    const options = ['compare', '--old', process.execPath, '--new', `${process.execPath},env=A=1`];
    const results = await finishedSession(tally, suite, 'results.jsonl', { options });
    const words = (out: string) => ['analyze', results, option, out];
    const texts: string[] = [];
    for (const where of [[], ['--where', 'n!=0']]) {
      const out = suite.path(`${texts.length}.${extension}`);
      await command(tally, [...words(out), ...where]);
      texts.push(readFileSync(out, 'utf8'));
    }
    const [after = '', before] = texts;
    return {
      ...{ name: `analyze ${option}`, words, before, after, mayTear: false },
      out: suite.path(`out.${extension}`),
      [Symbol.dispose]: () => suite[Symbol.dispose](),
    };
  };
}

export const writerKinds: readonly [WriterKind, ...WriterKind[]] = [
  { name: 'analyze --out', create: joining },
  { name: 'history', create: history },
  { name: 'analyze --html', create: analysis('--html', 'html') },
  { name: 'analyze --plot', create: analysis('--plot', 'svg') },
];

/** The text of a file; undefined if there is none. */
export function contentOf(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}

/** Puts the content of the file in place. */
export function prepare({ before }: Writer, out: string): void {
  if (before === undefined) rmSync(out, { force: true });
  else writeFileSync(out, before);
}

/** Kills a command, looks at its file, and repeats it without a signal. */
export async function killWriter(writer: Writer, tally: Tally, random: Random, count: number): Promise<void> {
  const { out, before, after, mayTear, name } = writer;
  const words = writer.words(out);
  prepare(writer, out);
  const startedAt = performance.now();
  expectExit(tally, await command(tally, words), undefined);
  const usualMs = performance.now() - startedAt;
  if (contentOf(out) !== after) tally.add('wrong figures', `${name} without a signal: ${words.join(' ')}`);
  for (let killed = 0; killed < count; killed++) {
    prepare(writer, out);
    const kill = randomKill(random, usualMs * 1.1);
    const ended = await command(tally, words, { kill });
    tally.attempts++;
    expectExit(tally, ended, kill);
    const found = contentOf(out);
    const isTorn = mayTear && found?.startsWith(before ?? '') === true && after.startsWith(found);
    if (found !== before && found !== after && !isTorn) tally.add('lost', `${name}: ${found?.slice(-200)}`);
    if (ended.exitCode === 0 && found !== after) tally.add('lost', `${name} ended, and wrote nothing`);
    // A joined file is not replaced.
    if (name === 'analyze --out' && found === after) continue;
    expectExit(tally, await command(tally, words), undefined);
    if (contentOf(out) !== after) tally.add('wrong figures', `${name} again after ${kill.signal}`);
  }
}
